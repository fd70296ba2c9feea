/** The contract's variants of a purchase notification, each with its own event. */
export const eventOf = { A: 'purchase.completed', B: 'subscription.activated' } as const
export type Variant = keyof typeof eventOf

export const variants: readonly Variant[] = ['A', 'B']

/** The possible events: all but the first have the form of variant B. */
export const events = [
  'purchase.completed',
  'subscription.activated',
  'subscription.renewed',
  'subscription.canceled',
  'subscription.ended',
  'payment.failed',
  'payment.refunded',
  'payment.disputed',
] as const
export type TestedEvent = (typeof events)[number]

export function variantOf(event: TestedEvent): Variant {
  return event === eventOf.A ? 'A' : 'B'
}

/** The steps of a test, in order. Steps after a failure are missing in the answer. */
export const stepNames = ['secret', 'reachable', 'answer', 'stored', 'access'] as const
export type StepName = (typeof stepNames)[number]

/** The service's result. `detail` is its own sentence, in English. */
export interface Tested {
  ok: boolean
  steps: Array<{ step: StepName; ok: boolean; detail: string; code: string | null; notification_id: string | null }>
}

/** The user's choices for the test. */
export interface Wanted {
  event: TestedEvent
  /** Slug; empty for a plan of the operator. */
  product: string
  /** Empty for an address that belongs to nobody. */
  email: string
}

/** The body that is sent, as far as it is known before; angle brackets mark values that the service fills in. */
export function outlineOf({ event, product, email }: Wanted): object {
  const buyer = email || 'webhook-test@example.com'
  const shared = { event, test_id: '<id>', timestamp: '<now>' }
  const productId = product === '' ? '<id>' : `<id: ${product}>`
  const signature = '<HMAC-SHA256>'
  if (variantOf(event) === 'A') {
    const bought = { id: productId, plan_slug: '<plan>' }
    return { ...shared, customer: { email: buyer, name: 'Webhook test' }, product: bought, is_test: true, signature }
  }
  const data = {
    subscription_id: '<id>',
    ...(product !== '' && { product_id: productId }),
    product_name: '<plan>',
    user_email: buyer,
    user_name: 'Webhook test',
    amount: 0,
    frequency: 'MONTHLY',
    is_test: true,
  }
  return { ...shared, data, signature }
}

/** The fix for a fault; `undefined` for an unknown one. */
export function fixOf(code: string | null, fixes: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(fixes).find(([name]) => name === code)?.[1]
}
