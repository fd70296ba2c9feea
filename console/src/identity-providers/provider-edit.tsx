import { TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { EditPage } from '../kit/form/edit-page.tsx'
import { secretTest, TestBeforeSave } from './connection-test/test-before-save.tsx'
import { DomainsInput } from './domains-input.tsx'
import type { IdentityProvider } from './provider.ts'
import { AudienceInput, NameInput, SecretInput } from './provider-fields.tsx'
import { providerTexts } from './texts.ts'

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
      <NameInput />
      <SecretInput of="existing" />
      <DomainsInput />
      <AudienceInput />
      <TestBeforeSave requestOf={secretTest} />
    </EditPage>
  )
}
