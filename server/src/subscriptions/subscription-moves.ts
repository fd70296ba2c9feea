import type { PaymentKind } from './payment-event.ts'

export const SUBSCRIPTION_STATES = ['pending', 'active', 'past_due', 'canceled', 'expired', 'refunded', 'disputed'] as const

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

/**
 * `back`: to where it stood when it was canceled or disputed. A dispute stands in front of the rest: news that has no move in its row goes on moving what is
 * behind it. `new`: the subscription is closed for good, and this opens the next one.
 */
type Move = SubscriptionState | 'back' | 'new'

export function isSubscriptionState(text: string): text is SubscriptionState {
  return SUBSCRIPTION_STATES.some((state) => state === text)
}

export function moveOf(state: SubscriptionState, kind: PaymentKind): Move | undefined {
  return subscriptionMoves[state][kind]
}

/** Every move there is. Where a kind is missing, the news is kept and moves nothing. Before anything is known a subscription is `pending`. */
const subscriptionMoves: Record<SubscriptionState, Partial<Record<PaymentKind, Move>>> = {
  pending: {
    paid: 'active',
    payment_expired: 'expired',
    canceled: 'canceled',
    ended: 'canceled',
    disputed: 'disputed',
    dispute_lost: 'refunded',
    refunded: 'refunded',
  },
  active: {
    paid: 'active',
    payment_failed: 'past_due',
    payment_expired: 'past_due',
    canceled: 'canceled',
    ended: 'canceled',
    disputed: 'disputed',
    dispute_lost: 'refunded',
    payment_undone: 'refunded',
    refunded: 'refunded',
  },
  past_due: {
    paid: 'active',
    canceled: 'canceled',
    ended: 'canceled',
    disputed: 'disputed',
    dispute_lost: 'refunded',
    payment_undone: 'refunded',
    refunded: 'refunded',
  },
  canceled: {
    paid: 'active',
    resumed: 'back',
    ended: 'canceled',
    disputed: 'disputed',
    dispute_lost: 'refunded',
    payment_undone: 'refunded',
    refunded: 'refunded',
  },
  expired: {
    payment_pending: 'pending',
    paid: 'active',
    canceled: 'canceled',
    ended: 'canceled',
    disputed: 'disputed',
    dispute_lost: 'refunded',
    refunded: 'refunded',
  },
  refunded: { paid: 'new' },
  disputed: {
    paid: 'active',
    disputed: 'disputed',
    dispute_won: 'back',
    dispute_lost: 'refunded',
    payment_undone: 'refunded',
    refunded: 'refunded',
  },
}
