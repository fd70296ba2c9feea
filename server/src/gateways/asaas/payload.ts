import { z } from 'zod'

/**
 * A missing, new or changed attribute reads as `undefined`: Asaas adds attributes without notice, and stops its whole queue when a receiver
 * fails.
 */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

const text = lenient(z.string().regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u))

/** Safe in a path of the API. */
const id = lenient(z.string().regex(/^[\w-]{1,128}$/))

const flag = lenient(z.boolean())

const refund = z
  .object({ dateCreated: text, status: text, value: z.unknown().optional() })
  .catch({ dateCreated: undefined, status: undefined, value: undefined })

const payment = z.object({
  id,
  customer: id,
  subscription: id,
  installment: id,
  paymentLink: id,
  externalReference: text,
  billingType: text,
  status: text,
  deleted: flag,
  value: z.unknown().optional(),
  dateCreated: text,
  dueDate: text,
  confirmedDate: text,
  clientPaymentDate: text,
  paymentDate: text,
  chargeback: lenient(z.object({ status: text })),
  refunds: z.array(refund).catch([]),
})

const subscription = z.object({
  id,
  customer: id,
  paymentLink: id,
  externalReference: text,
  status: text,
  deleted: flag,
  cycle: text,
  nextDueDate: text,
})

const envelope = z.object({ id: text, event: text, dateCreated: text, payment: lenient(payment), subscription: lenient(subscription) })

const webhook = z
  .object({ url: z.string(), enabled: flag, interrupted: flag, events: z.array(z.string()) })
  .transform(({ url, enabled, interrupted, events }) => ({ url, isOn: enabled !== false && interrupted !== true, events }))

const page = z.object({ data: z.array(z.unknown()).catch([]), hasMore: flag })

/** A charge, as deliveries and the API show it. Everything in Asaas is one, even a transfer into the merchant's account. */
export type Charge = z.infer<typeof payment> & { id: string }

export type AsaasSubscription = z.infer<typeof subscription> & { id: string }

/** A delivery with its id and event name. */
export interface AsaasEvent {
  id: string
  event: string
  dateCreated: string | undefined
  payment: Charge | undefined
  subscription: AsaasSubscription | undefined
}

export function parseEvent(body: unknown): AsaasEvent | undefined {
  const { id: eventId, event, dateCreated, ...about } = envelope.safeParse(body).data ?? {}
  if (eventId === undefined || event === undefined) return undefined
  return { id: eventId, event, dateCreated, payment: named(about.payment), subscription: named(about.subscription) }
}

export function parseCharge(answer: unknown): Charge | undefined {
  return named(payment.safeParse(answer).data)
}

export function parseSubscription(answer: unknown): AsaasSubscription | undefined {
  return named(subscription.safeParse(answer).data)
}

export function parseEmail(answer: unknown): string | undefined {
  return z.object({ email: text }).safeParse(answer).data?.email
}

export function parsePage(answer: unknown): { charges: Charge[]; isLast: boolean } {
  const { data = [], hasMore } = page.safeParse(answer).data ?? {}
  return { charges: data.flatMap((one) => parseCharge(one) ?? []), isLast: hasMore !== true || data.length === 0 }
}

/** The webhooks of the account; one whose queue is paused is off. */
export function parseWebhooks(answer: unknown) {
  return (page.safeParse(answer).data?.data ?? []).flatMap((one) => webhook.safeParse(one).data ?? [])
}

function named<T extends { id?: string | undefined }>(object: T | undefined): (T & { id: string }) | undefined {
  return object?.id === undefined ? undefined : { ...object, id: object.id }
}

/** A delivered event: its subject, and its time in ms. */
export interface ReceivedEvent {
  id: string
  event: string
  at: number
}
