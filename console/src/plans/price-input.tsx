import { TextField } from '@mui/material'
import { useState } from 'react'
import { FieldTitle, InputHelperText, useInput, useLocale } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { formatReais, parseReais } from './reais.ts'
import { planTexts } from './texts.ts'

/** A plan's price: typed in reais, kept in centavos. While somebody types, their text stands as it is. */
export function PriceInput() {
  const texts = useTexts(planTexts)
  const locale = localeOf(useLocale())
  const [typed, setTyped] = useState<{ text: string; centavos: number | null }>()
  const { id, field, fieldState } = useInput({
    source: 'price',
    defaultValue: null,
    validate: (value: unknown) => (typeof value === 'number' && !Number.isNaN(value) ? undefined : texts.priceWrong),
  })
  const fault = fieldState.error?.message
  const isTyped = typed !== undefined && Object.is(typed.centavos, field.value)
  const kept = typeof field.value === 'number' ? formatReais(field.value, locale) : ''
  return (
    <TextField
      id={id}
      name={field.name}
      inputRef={field.ref}
      label={<FieldTitle label={texts.priceInput} source="price" isRequired />}
      value={isTyped ? typed.text : kept}
      onChange={({ target }) => {
        const centavos = parseReais(target.value)
        setTyped({ text: target.value, centavos })
        field.onChange(centavos)
      }}
      onBlur={() => {
        if (!Number.isNaN(field.value)) setTyped(undefined)
        field.onBlur()
      }}
      error={fieldState.invalid}
      helperText={<InputHelperText {...(fault !== undefined && { error: fault })} helperText={texts.priceHelp} />}
      margin="dense"
      slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off' } }}
    />
  )
}
