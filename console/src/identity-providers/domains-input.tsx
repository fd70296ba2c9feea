import { TextField } from '@mui/material'
import { useState } from 'react'
import { useInput, useTranslate } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { providerTexts } from './texts.ts'

/** Mail domains, one a line. */
export function DomainsInput() {
  const texts = useTexts(providerTexts)
  const translate = useTranslate()
  const { field, fieldState } = useInput<string[]>({ source: 'authoritative_for', defaultValue: [] })
  const [text, setText] = useState(() => (Array.isArray(field.value) ? field.value.join('\n') : ''))
  const change = (typed: string) => {
    setText(typed)
    field.onChange(typed.split(/[\s,;]+/).filter((domain) => domain !== ''))
  }
  const message = fieldState.error?.message
  return (
    <TextField
      fullWidth
      multiline
      minRows={2}
      label={texts.domains}
      value={text}
      inputRef={field.ref}
      error={fieldState.invalid}
      helperText={message ? translate(message) : texts.domainsHelp}
      onChange={({ target }) => change(target.value)}
      onBlur={field.onBlur}
      slotProps={{ htmlInput: { autoCapitalize: 'off', spellCheck: false } }}
    />
  )
}
