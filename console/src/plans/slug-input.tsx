import { useEffect, useRef } from 'react'
import { required, TextInput } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTexts } from '../i18n/use-texts.ts'
import { isSlug, suggestSlug } from '../products/wizard/draft.ts'
import { planTexts } from './texts.ts'

const isRequired = required()

/** The slug of a new plan: it follows the name until somebody writes their own. */
export function SlugInput() {
  const texts = useTexts(planTexts)
  const { setValue } = useFormContext()
  const name: unknown = useWatch({ name: 'name' })
  const isOwn = useRef(false)
  useEffect(() => {
    if (!isOwn.current && typeof name === 'string') setValue('slug', suggestSlug(name))
  }, [name, setValue])
  const isWellFormed = (slug: unknown) =>
    typeof slug !== 'string' || slug === '' || isSlug(slug) ? undefined : texts.slugWrong(suggestSlug(slug))
  return (
    <TextInput
      source="slug"
      label={texts.slug}
      helperText={texts.slugHelp}
      validate={[isRequired, isWellFormed]}
      autoComplete="off"
      onChange={(event: { target?: { value?: unknown } }) => {
        isOwn.current = event.target?.value !== ''
      }}
    />
  )
}
