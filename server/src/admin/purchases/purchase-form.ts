import { z } from 'zod'

/** The events that a line may state, each with its name and fields in the contract of the own checkout. */
export const EVENTS_OF_LINES = {
  paid: ['subscription.renewed', {}],
  canceled: ['subscription.canceled', {}],
  ended: ['subscription.ended', {}],
  payment_failed: ['payment.failed', {}],
  refunded: ['payment.refunded', {}],
  partially_refunded: ['payment.refunded', { is_partial: true }],
  disputed: ['payment.disputed', {}],
  dispute_won: ['payment.disputed', { outcome: 'won' }],
  dispute_lost: ['payment.disputed', { outcome: 'lost' }],
} as const
type Event = keyof typeof EVENTS_OF_LINES

export const PURCHASE_FIELDS = [
  ...['event', 'at', 'email', 'name', 'tax_id', 'product', 'plan', 'payment_id', 'subscription_id'],
  ...['amount', 'period_start', 'period_end'],
]

const text = z.string().trim().max(500).nullish()
const time = z.iso.datetime({ offset: true, local: true }).or(z.iso.date())
export const purchaseForm = z.strictObject({
  event: z.enum(Object.keys(EVENTS_OF_LINES) as [Event, ...Event[]]).default('paid'),
  at: time,
  email: text,
  name: text,
  tax_id: text,
  product: text,
  plan: text,
  payment_id: z
    .string()
    .regex(/^[!-~]{1,200}$/)
    .nullish(),
  subscription_id: text,
  amount: z.int().nonnegative().nullish(),
  period_start: time.nullish(),
  period_end: time.nullish(),
})

export type PurchaseFields = z.output<typeof purchaseForm>

export function shapeFault({ issues }: z.ZodError): string {
  const [issue] = issues
  if (issue?.code === 'unrecognized_keys') return `fields that are not known: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`
  const field = String(issue?.path[0] ?? '')
  return field === '' ? 'it is no JSON object' : `${field}: it is missing or of another form`
}
