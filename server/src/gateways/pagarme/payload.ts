import { z } from 'zod'

const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const text = lenient(z.string().regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u))
const id = lenient(z.string().regex(/^[\w-]{1,128}$/))
const metadata = lenient(z.object({ plan_slug: text }))
const customer = lenient(z.object({ email: text }))

/** A delivery. `account` is its merchant account: deliveries of all accounts are signed with the same key. */
const envelope = z.object({ id, type: text, created_at: text, account: lenient(z.object({ id })), data: z.unknown().optional() })

/** Deliveries call the subscription of an invoice `subscriptionId`, the API `subscription_id` (pagarme-nodejs-sdk, GetInvoiceResponse). */
const invoice = z
  .object({ id, subscriptionId: id, subscription_id: id, metadata, cycle: lenient(z.object({ start_at: text, end_at: text })) })
  .transform(({ subscriptionId, subscription_id, ...rest }) => ({ ...rest, subscription: subscriptionId ?? subscription_id }))

const charge = z.object({
  id,
  amount: z.unknown().optional(),
  paid_amount: z.unknown().optional(),
  canceled_amount: z.unknown().optional(),
  status: text,
  payment_method: text,
  paid_at: text,
  updated_at: text,
  customer,
  invoice: lenient(invoice),
  order: lenient(z.object({ metadata })),
  last_transaction: lenient(z.object({ id })),
  metadata,
})

const subscription = z.object({ id, customer, metadata, status: text, canceled_at: text, updated_at: text })
const page = z.object({ data: z.array(z.unknown()) })
const anything = z.object({ id })

export type Charge = z.infer<typeof charge>
export type Subscription = z.infer<typeof subscription>

export const parseEnvelope = (value: unknown) => envelope.safeParse(value).data
export const parseInvoice = (value: unknown) => invoice.safeParse(value).data
export const parseCharge = (value: unknown) => charge.safeParse(value).data
export const parseSubscription = (value: unknown) => subscription.safeParse(value).data
export const parseId = (value: unknown) => anything.safeParse(value).data?.id
export const parsePage = (value: unknown) => page.safeParse(value).data?.data ?? []

/** An ISO time in ms. Some have no zone; those with a zone are all in UTC. */
export function timeOf(iso: string | undefined): number | undefined {
  const [, stated, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z?)$/.exec(iso ?? '') ?? []
  const at = stated === undefined ? Number.NaN : Date.parse(`${stated}${zone || 'Z'}`)
  return Number.isNaN(at) ? undefined : at
}
