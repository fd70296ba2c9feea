import { required, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { CreatePage } from '../kit/form/create-page.tsx'
import { DomainsInput } from './domains-input.tsx'
import { type IdentityProvider, providerPath } from './provider.ts'
import { providerTexts } from './texts.ts'

const isRequired = required()

/** Connects a provider. Its page then shows the data to register there, and tests it. */
export function ProviderCreate() {
  const texts = useTexts(providerTexts)
  return (
    <CreatePage<IdentityProvider> back="/identity-providers" title={texts.create} pathOf={({ id }) => providerPath(id)}>
      <TextInput source="name" label={texts.name} helperText={texts.nameHelp} validate={isRequired} autoComplete="off" />
      <TextInput source="id" label={texts.id} helperText={texts.idHelp} validate={isRequired} autoComplete="off" />
      <TextInput source="issuer" label={texts.issuer} helperText={texts.issuerHelp} validate={isRequired} type="url" autoComplete="off" />
      <TextInput source="client_id" label={texts.clientId} helperText={texts.clientIdHelp} validate={isRequired} autoComplete="off" />
      <TextInput
        source="client_secret"
        label={texts.clientSecret}
        helperText={texts.clientSecretHelp}
        validate={isRequired}
        type="password"
        autoComplete="new-password"
      />
      <DomainsInput />
      <TextInput source="access_token_audience" label={texts.audience} helperText={texts.audienceHelp} autoComplete="off" />
    </CreatePage>
  )
}
