import { useTexts } from '../../i18n/use-texts.ts'
import { StatusChip } from '../../kit/show/status-chip.tsx'
import type { Attempt, DeliveryState, Endpoint } from '../endpoint.ts'
import { endpointTexts } from '../texts.ts'
import { deliveryTexts } from './texts.ts'

const tones = { preparing: 'neutral', enabled: 'good', failing: 'bad', disabled: 'neutral' } as const

/** The state of an endpoint; one that failures have disabled is as bad as one that fails. */
export function EndpointChip({ endpoint: { state, disabled_reason } }: { endpoint: Pick<Endpoint, 'state' | 'disabled_reason'> }) {
  const { states } = useTexts(endpointTexts)
  const tone = state === 'disabled' && disabled_reason !== 'operator' ? 'bad' : tones[state]
  return <StatusChip tone={tone} label={states[state]} />
}

const deliveryTones = { pending: 'warning', delivered: 'good', failed: 'bad', scrubbed: 'neutral' } as const

export function DeliveryChip({ state, attempts }: { state: DeliveryState; attempts: number }) {
  const { deliveryStates } = useTexts(deliveryTexts)
  const isNew = state === 'pending' && attempts === 0
  return <StatusChip tone={isNew ? 'neutral' : deliveryTones[state]} label={deliveryStates[state]} />
}

export function hasArrived({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}
