import { Button, Typography } from '@mui/material'
import { useRedirect } from 'react-admin'
import { Link, useLocation } from 'react-router-dom'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { CopyText } from '../kit/show/copy-text.tsx'
import { Facts } from '../kit/show/facts.tsx'
import { ManagedBy } from '../kit/show/managed-by.tsx'
import { Section } from '../kit/show/section.tsx'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { TestSection } from './connection-test/test-section.tsx'
import { foundIn, type IdentityProvider } from './provider.ts'
import { providerTexts } from './texts.ts'

/** One provider: the data to register there, and its test. */
export function ProviderShow() {
  const mayTest = useMay('identity-providers:write')
  const { state } = useLocation()
  return (
    <ShowPage<IdentityProvider>
      back="/identity-providers"
      title={({ name }) => name}
      actions={(provider) => <Actions provider={provider} />}
    >
      {(provider) => (
        <>
          <ManagedBy kind="identity_provider" id={provider.id} />
          <Settings provider={provider} />
          {mayTest && <TestSection key={provider.id} id={provider.id} first={foundIn(state)} />}
        </>
      )}
    </ShowPage>
  )
}

function Settings({ provider }: { provider: IdentityProvider }) {
  const texts = useTexts(providerTexts)
  const { authoritative_for: domains } = provider
  const redirectUri = (
    <>
      <CopyText text={provider.redirect_uri} label={texts.redirectUri} />
      <Typography variant="body2" color="textSecondary">
        {texts.redirectUriHelp}
      </Typography>
    </>
  )
  return (
    <Section title={texts.settings}>
      <Facts
        facts={[
          [texts.redirectUri, redirectUri],
          [texts.issuer, <CopyText key="issuer" text={provider.issuer} label={texts.issuer} />],
          [texts.clientId, <CopyText key="client" text={provider.client_id} label={texts.clientId} />],
          [texts.domains, domains.includes('*') ? texts.anyDomain : domains.join(', ') || texts.noDomains],
          [texts.audience, provider.access_token_audience ?? texts.noAudience],
          [texts.id, <code key="id">{provider.id}</code>],
          [texts.createdAt, <Time key="created" at={provider.created_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ provider: { id, name } }: { provider: IdentityProvider }) {
  const texts = useTexts(providerTexts)
  const mayChange = useMay('identity-providers:write')
  const redirect = useRedirect()
  if (!mayChange) return undefined
  return (
    <>
      <Button component={Link} to={`/identity-providers/${encodeURIComponent(id)}`} variant="outlined">
        {texts.edit}
      </Button>
      <ActionButton
        label={texts.remove}
        tone="danger"
        request={{ path: adminPath('identity-providers', id), method: 'DELETE' }}
        explains={texts.removeExplains(name)}
        onDone={() => redirect('/identity-providers')}
      />
    </>
  )
}
