import { Alert, Stack } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/show/copy-text.tsx'
import { Facts } from '../kit/show/facts.tsx'
import { ManagedBy } from '../kit/show/managed-by.tsx'
import { Section } from '../kit/show/section.tsx'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { useProductName } from '../kit/use-product-name.ts'
import { EndpointChip } from './deliveries/chips.tsx'
import { DeliveriesSection } from './deliveries/deliveries-section.tsx'
import type { Endpoint } from './endpoint.ts'
import { EndpointActions } from './endpoint-actions.tsx'
import { EventNames } from './event-names.tsx'
import { endpointTexts } from './texts.ts'
import { Waiting } from './waiting.tsx'

/** One endpoint: its health, what it hears of, and its deliveries. */
export function EndpointShow() {
  return (
    <ShowPage<Endpoint> back="/endpoints" title={({ url, description }) => description || url}>
      {(endpoint) => (
        <>
          <ManagedBy kind="endpoint" id={endpoint.id} />
          <Health endpoint={endpoint} />
          <About endpoint={endpoint} />
          <DeliveriesSection key={endpoint.id} endpoint={endpoint} />
        </>
      )}
    </ShowPage>
  )
}

/** The health of an endpoint: the fault, since when, and what to do. */
function Health({
  endpoint: { state, failing_since, disables_at, disabled_at, disabled_reason, previous_secret_until },
}: {
  endpoint: Endpoint
}) {
  const texts = useTexts(endpointTexts)
  const isRotating = previous_secret_until !== null && Date.parse(previous_secret_until) > Date.now()
  return (
    <Stack spacing={1.5} sx={{ mb: 2.5, '&:empty': { display: 'none' } }}>
      {state === 'preparing' && <Alert severity="info">{texts.preparing}</Alert>}
      {state === 'failing' && (
        <Alert severity="error">
          {texts.failingSince} <Time at={failing_since} />. {texts.disablesAt} <Time at={disables_at} />. {texts.failingAdvice}
        </Alert>
      )}
      {state === 'disabled' && (
        <Alert severity={disabled_reason === 'operator' ? 'info' : 'error'}>
          {texts.disabledAt} <Time at={disabled_at} />. {texts.reasons[disabled_reason ?? ''] ?? texts.reasons.operator}
        </Alert>
      )}
      {isRotating && (
        <Alert severity="info">
          {texts.rotating} <Time at={previous_secret_until} />.
        </Alert>
      )}
    </Stack>
  )
}

function About({ endpoint }: { endpoint: Endpoint }) {
  const texts = useTexts(endpointTexts)
  const nameOf = useProductName()
  const { id, url, product, types, description, waiting, last_success_at, created_at } = endpoint
  return (
    <Section title={texts.settings}>
      <Facts
        facts={[
          [texts.state, <EndpointChip key="state" endpoint={endpoint} />],
          [texts.url, <CopyText key="url" text={url} label={texts.url} />],
          [texts.hears, product === null ? texts.everyProduct : nameOf(product)],
          [texts.types, <EventNames key="types" types={types} />],
          [texts.description, description],
          [texts.lastSuccess, last_success_at === null ? texts.never : <Time key="success" at={last_success_at} />],
          [texts.waiting, waiting === 0 ? waiting : <Waiting key="waiting" count={waiting} />],
          [texts.createdAt, <Time key="created" at={created_at} />],
          [texts.id, <CopyText key="id" text={id} label={texts.id} />],
        ]}
      />
      <EndpointActions endpoint={endpoint} />
    </Section>
  )
}
