import { Link as MuiLink, Stack, Typography } from '@mui/material'
import { useNotify, useRefresh } from 'react-admin'
import { Link } from 'react-router-dom'
import { adminPath } from '../../api/admin-http.ts'
import { MASKED } from '../../audit/change/change-rows.ts'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { CopyText } from '../../kit/show/copy-text.tsx'
import { Facts } from '../../kit/show/facts.tsx'
import { Section } from '../../kit/show/section.tsx'
import { ShowPage } from '../../kit/show/show-page.tsx'
import { Json, Time } from '../../kit/show/values.tsx'
import { useProductName } from '../../kit/use-product-name.ts'
import { useRead } from '../../kit/use-read.ts'
import { UserName } from '../../users/user-name.tsx'
import { type Endpoint, type EventDetails, endpointPath } from '../endpoint.ts'
import { eventTypeTexts } from '../event-type-texts.ts'
import { endpointTexts } from '../texts.ts'
import { Attempts } from './attempts.tsx'
import { DeliveryChip } from './chips.tsx'
import { deliveryTexts } from './texts.ts'

/** One event: what it says, and each attempt to deliver it. */
export function EventShow() {
  const texts = { ...useTexts(endpointTexts), ...useTexts(deliveryTexts) }
  return (
    <ShowPage<EventDetails> back="/endpoints" title={({ type }) => type}>
      {(event) => (
        <>
          <About event={event} />
          {event.deliveries.map((delivery) => (
            <DeliverySection key={delivery.endpoint} event={event} delivery={delivery} />
          ))}
          {event.deliveries.length === 0 && <Typography sx={{ mb: 2.5 }}>{texts.undelivered}</Typography>}
          <Section title={texts.data}>
            <Json value={event.data} label={texts.data} />
          </Section>
        </>
      )}
    </ShowPage>
  )
}

function About({ event: { id, type, product, subject, occurred_at } }: { event: EventDetails }) {
  const texts = { ...useTexts(endpointTexts), ...useTexts(deliveryTexts) }
  const sentences: Readonly<Record<string, string>> = useTexts(eventTypeTexts)
  const nameOf = useProductName()
  return (
    <Section title={texts.aboutEvent}>
      <Facts
        facts={[
          [texts.event, sentences[type] ?? type],
          [texts.product, product === null ? texts.everyProduct : nameOf(product)],
          [texts.subject, <Subject key="subject" type={type} id={subject} />],
          [texts.occurredAt, <Time key="occurred" at={occurred_at} />],
          ['webhook-id', <CopyText key="id" text={id} label="webhook-id" />],
        ]}
      />
    </Section>
  )
}

/** Users by their name, others by their id. Who may not see who it is has nothing to ask for. */
function Subject({ type, id }: { type: string; id: string }) {
  const texts = useTexts(deliveryTexts)
  if (id === MASKED) return id
  return /^(access|user)\./.test(type) ? <UserName id={id} /> : <CopyText text={id} label={texts.subject} />
}

function DeliverySection({ event, delivery }: { event: EventDetails; delivery: EventDetails['deliveries'][number] }) {
  const texts = { ...useTexts(endpointTexts), ...useTexts(deliveryTexts) }
  const mayReplay = useMay('endpoints:write')
  const notify = useNotify()
  const refresh = useRefresh()
  const { endpoint: id, state, attempts, next_at, tried } = delivery
  const { data: endpoint } = useRead<Endpoint>(adminPath('endpoints', id))
  const onDone = ({ replayed }: { replayed: number }) => {
    notify(texts.replayed(replayed), { type: 'info' })
    refresh()
  }
  const replay = mayReplay && (
    <ActionButton<{ replayed: number }>
      label={texts.replay}
      request={{ path: adminPath('events', event.id, 'replay'), body: { endpoint: id } }}
      explains={texts.replayExplains}
      onDone={onDone}
    />
  )
  return (
    <Section title={texts.deliveryTo(endpoint ? endpoint.description || endpoint.url : id)} actions={replay}>
      <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', mb: 1.5 }}>
        <DeliveryChip state={state} attempts={attempts} />
        {next_at !== null && (
          <Typography variant="body2" color="textSecondary">
            {texts.nextAttempt}: <Time at={next_at} />
          </Typography>
        )}
        <MuiLink component={Link} to={endpointPath(id)}>
          {texts.toEndpoint}
        </MuiLink>
      </Stack>
      <Attempts attempts={tried} />
    </Section>
  )
}
