export const SUBSCRIPTION_STATES = ['pending', 'active', 'past_due', 'canceled', 'expired', 'refunded', 'disputed'] as const

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

export function isSubscriptionState(text: string): text is SubscriptionState {
  return SUBSCRIPTION_STATES.some((state) => state === text)
}
