import { required, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { providerTexts } from './texts.ts'

const isRequired = required()

export function NameInput() {
  const texts = useTexts(providerTexts)
  return <TextInput source="name" label={texts.name} helperText={texts.nameHelp} validate={isRequired} autoComplete="off" />
}

/** A client secret. A new provider needs one; an empty field keeps that of an existing provider. */
export function SecretInput({ of }: { of: 'new' | 'existing' }) {
  const texts = useTexts(providerTexts)
  return (
    <TextInput
      source="client_secret"
      label={texts.clientSecret}
      type="password"
      autoComplete="new-password"
      {...(of === 'new'
        ? { helperText: texts.clientSecretHelp, validate: isRequired }
        : { helperText: texts.newSecretHelp, parse: orNothing })}
    />
  )
}

const orNothing = (text: string) => text || undefined

export function AudienceInput() {
  const texts = useTexts(providerTexts)
  return <TextInput source="access_token_audience" label={texts.audience} helperText={texts.audienceHelp} autoComplete="off" />
}
