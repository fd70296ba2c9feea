import { required, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { EditPage } from '../kit/form/edit-page.tsx'
import { DomainsInput } from './domains-input.tsx'
import type { IdentityProvider } from './provider.ts'
import { providerTexts } from './texts.ts'

const isRequired = required()

/** Changes a provider. Another issuer or client is another provider. */
export function ProviderEdit() {
  const texts = useTexts(providerTexts)
  return (
    <EditPage<IdentityProvider>
      back="/identity-providers"
      title={({ name }) => texts.editTitle(name)}
      labels={{
        name: texts.name,
        client_secret: texts.clientSecret,
        authoritative_for: texts.domains,
        access_token_audience: texts.audience,
      }}
      kinds={{ client_secret: 'secret' }}
    >
      <TextInput source="issuer" label={texts.issuer} readOnly helperText={false} />
      <TextInput source="client_id" label={texts.clientId} readOnly helperText={false} />
      <TextInput source="name" label={texts.name} helperText={texts.nameHelp} validate={isRequired} autoComplete="off" />
      <TextInput
        source="client_secret"
        label={texts.clientSecret}
        helperText={texts.newSecretHelp}
        parse={orNothing}
        type="password"
        autoComplete="new-password"
      />
      <DomainsInput />
      <TextInput source="access_token_audience" label={texts.audience} helperText={texts.audienceHelp} autoComplete="off" />
    </EditPage>
  )
}

const orNothing = (text: string) => text || undefined
