import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip, type Tone } from '../kit/show/status-chip.tsx'
import { paymentTexts } from './payment-texts.ts'

export type SubscriptionState = keyof typeof tones

const tones = {
  pending: 'neutral',
  active: 'good',
  past_due: 'warning',
  canceled: 'neutral',
  expired: 'neutral',
  refunded: 'bad',
  disputed: 'bad',
} as const satisfies Record<string, Tone>

/** The states of subscriptions, in the order in which they come to pass. */
export const subscriptionStates = ['pending', 'active', 'past_due', 'canceled', 'expired', 'refunded', 'disputed'] as const

/** The state of a subscription. */
export function StateChip({ state }: { state: SubscriptionState }) {
  return <StatusChip tone={tones[state]} label={useTexts(paymentTexts).states[state]} />
}
