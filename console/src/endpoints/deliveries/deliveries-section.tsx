import { MenuItem, Stack, TextField } from '@mui/material'
import { useState } from 'react'
import { MASKED } from '../../audit/change/change-rows.ts'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ListPart } from '../../kit/list/list-page.tsx'
import { CopyText } from '../../kit/show/copy-text.tsx'
import { Section } from '../../kit/show/section.tsx'
import { Absent, Time } from '../../kit/show/values.tsx'
import { kitTexts } from '../../kit/texts.ts'
import { type Delivery, deliveryStates, type Endpoint, eventPath } from '../endpoint.ts'
import { endpointTexts } from '../texts.ts'
import { DeliveryChip } from './chips.tsx'
import { ReplayFailedButton, ReplaySinceButton } from './replay-buttons.tsx'
import { deliveryTexts } from './texts.ts'

/** The deliveries of an endpoint, the newest first, by state; and what owners deliver again. */
export function DeliveriesSection({ endpoint: { id } }: { endpoint: Endpoint }) {
  const texts = { ...useTexts(endpointTexts), ...useTexts(deliveryTexts) }
  const { all } = useTexts(kitTexts)
  const mayReplay = useMay('endpoints:write')
  const [state, setState] = useState('')
  const actions = mayReplay && (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
      <ReplayFailedButton id={id} />
      <ReplaySinceButton id={id} />
    </Stack>
  )
  return (
    <Section title={texts.deliveries} actions={actions}>
      <TextField select label={texts.state} value={state} onChange={({ target }) => setState(target.value)} sx={{ minWidth: 200, mb: 1 }}>
        <MenuItem value="">{all}</MenuItem>
        {deliveryStates.map((one) => (
          <MenuItem key={one} value={one}>
            {texts.deliveryStates[one]}
          </MenuItem>
        ))}
      </TextField>
      <ListPart<Delivery>
        key={state}
        resource="deliveries"
        filter={{ endpoint: id, ...(state !== '' && { state }) }}
        label={texts.deliveries}
        sort={{ field: 'occurred_at', order: 'DESC' }}
        columns={[
          { label: texts.event, value: ({ type }) => <code>{type}</code> },
          { label: texts.state, value: ({ state: its, attempts }) => <DeliveryChip state={its} attempts={attempts} /> },
          { label: texts.lastAttempt, value: (delivery) => <LastAttempt delivery={delivery} /> },
          { label: texts.nextAttempt, value: ({ next_at }) => <Time at={next_at} /> },
          { label: texts.subject, value: ({ subject }) => <Subject id={subject} /> },
          { label: texts.occurredAt, value: ({ occurred_at }) => <Time at={occurred_at} />, sortBy: 'occurred_at' },
        ]}
        pathOf={({ id: event }) => eventPath(event)}
        empty={state === '' ? texts.noDeliveries : texts.noneOfState}
      />
    </Section>
  )
}

/** The id of whom an event is about. A viewer sees it masked, and a mask is not offered to be copied. */
function Subject({ id }: { id: string }) {
  const texts = useTexts(deliveryTexts)
  return id === MASKED ? id : <CopyText text={id} label={texts.subject} short={12} />
}

function LastAttempt({ delivery: { last_attempt: last } }: { delivery: Delivery }) {
  const texts = { ...useTexts(endpointTexts), ...useTexts(deliveryTexts) }
  if (!last) return <Absent />
  return `${last.status === null ? texts.unanswered : texts.answered(last.status)} · ${texts.took(last.ms)}`
}
