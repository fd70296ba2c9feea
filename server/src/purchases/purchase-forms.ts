import { z } from 'zod'
import { GATEWAYS } from '../products/index.ts'

/** The forms of a purchase notification, without their signature. Other fields are allowed and ignored. */
const text = z.string().nullish()
const uuid = z.guid().transform((id) => id.toLowerCase())
/** A time without a zone is UTC, as in the contract's own samples. */
export const time = z
  .string()
  .transform(inFull)
  .pipe(z.iso.datetime({ offset: true }))
  .transform((iso) => Date.parse(iso))
/** Any text around an @: a buyer keeps the purchase even if it can't be an account's address. */
const address = z
  .string()
  .max(1_000)
  .regex(/^\s*\S.*@.*\S\s*$/s)
const name = z.string().min(1).max(200)
/** The sender's id of a payment. */
const paymentName = z.string().regex(/^[!-~]{1,200}$/)

const amount = z.int().nonnegative()

/** The fields that are not the contract's own. */
const additions = {
  payment_id: paymentName,
  period_start: time,
  period_end: time,
  gateway: z.enum(GATEWAYS),
  /** Mercado Pago's ids are numbers. */
  gateway_payment_id: z.union([paymentName, z.int().transform(String)]),
}
const lenientAdditions = {
  payment_id: ignoredIfWrong(additions.payment_id),
  period_start: ignoredIfWrong(additions.period_start),
  period_end: ignoredIfWrong(additions.period_end),
  gateway: ignoredIfWrong(additions.gateway),
  gateway_payment_id: ignoredIfWrong(additions.gateway_payment_id),
}

const completed = z.object({
  event: z.literal('purchase.completed'),
  customer: z.object({ email: address, name: text, phone: text }),
  product: z.object({ id: uuid, plan_slug: name }),
  company: z.object({ name: text, cnpj: text }).nullish(),
  data: z.object({ is_test: z.boolean().nullish(), amount: ignoredIfWrong(amount), ...lenientAdditions }).nullish(),
  is_test: z.boolean().nullish(),
  timestamp: time,
})

const activated = z.object({
  event: z.literal('subscription.activated'),
  data: z.object({
    subscription_id: uuid,
    product_id: uuid.nullish(),
    product_name: name,
    user_email: address,
    user_name: text,
    amount,
    frequency: text,
    started_at: time.nullish(),
    is_test: z.boolean(),
    ...lenientAdditions,
  }),
  timestamp: time,
})

/** The later events of a subscription: variant B's form, which names the subscription and may leave out most other fields. */
const laterData = z
  .object({
    subscription_id: uuid.nullish(),
    product_id: uuid.nullish(),
    plan_slug: name.nullish(),
    product_name: name.nullish(),
    user_email: address.nullish(),
    user_name: text,
    amount: amount.nullish(),
    frequency: text,
    started_at: time.nullish(),
    is_test: z.boolean(),
    payment_id: additions.payment_id.nullish(),
    period_start: time.nullish(),
    period_end: time.nullish(),
    gateway: additions.gateway.nullish(),
    gateway_payment_id: additions.gateway_payment_id.nullish(),
    /** Of a refund: partial, which takes no access away. */
    is_partial: z.boolean().nullish(),
    /** Of a dispute: its outcome. */
    outcome: z.enum(['won', 'lost']).nullish(),
  })
  .superRefine((data, context) => {
    // A purchase of the first form has no id, so buyer, product and plan name its subscription.
    const ofBuyer = data.subscription_id == null ? (['user_email', 'product_id', 'plan_slug'] as const) : []
    // The product's account at the gateway that has the payment.
    const isAtGateway = data.gateway != null || data.gateway_payment_id != null
    const ofGateway = isAtGateway ? (['gateway', 'gateway_payment_id', 'product_id'] as const) : []
    const missing = [...ofBuyer, ...ofGateway].filter((field) => data[field] == null)
    for (const field of new Set(missing)) context.addIssue({ code: 'invalid_type', expected: 'string', path: [field], input: undefined })
  })

const laterEvents = [
  'subscription.renewed',
  'subscription.canceled',
  'subscription.ended',
  'payment.failed',
  'payment.refunded',
  'payment.disputed',
] as const
const later = z.object({ event: z.enum(laterEvents), data: laterData, timestamp: time })

export const purchaseForm = z.discriminatedUnion('event', [completed, activated, later])
export type PurchaseNotification = z.infer<typeof purchaseForm>
export type PurchaseEvent = PurchaseNotification['event']

/** In the usual order of a subscription's life. */
export const PURCHASE_EVENTS = ['purchase.completed', 'subscription.activated', ...laterEvents] as const satisfies readonly PurchaseEvent[]

/** The contract's two events are accepted whatever their foreign fields contain. */
function ignoredIfWrong<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().catch(undefined)
}

/** ISO 8601 lets seconds, minutes of the offset and its colon be left out. */
function inFull(iso: string): string {
  return iso
    .replace(/T\d\d:\d\d(?=Z|[+-]|$)/, '$&:00')
    .replace(/([+-]\d\d):?(\d\d)?$/, (text, hours, minutes = '00') => (iso.includes('T') ? `${hours}:${minutes}` : text))
    .replace(/T[\d:.]+$/, '$&Z')
}
