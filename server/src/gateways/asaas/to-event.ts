import type { PaymentKind } from '../../payment-history/index.ts'
import type { Method } from '../../subscriptions/index.ts'
import { centavosOfReais } from '../adapter-kit/money.ts'
import type { GatewayEvent } from '../gateway.ts'
import { endOfBrazilDay, parseBrazilTime, startOfBrazilDay, toBrazilDay } from './brazil-time.ts'
import { isPaid, type Lookups } from './lookups.ts'
import type { AsaasSubscription, Charge } from './payload.ts'

/** A delivered event: its subject, and its time in ms. */
export interface ReceivedEvent {
  id: string
  event: string
  at: number
}

/** Asaas states no time: a time later than every clock, which is replaced by the time of receipt (`believedTime` of subscriptions). */
export const WHEN_RECEIVED = Number.MAX_SAFE_INTEGER

/**
 * Everything in Asaas is a charge, even a transfer into the merchant's account. Relevant are those of a subscription or payment link, and
 * those whose reference can be a plan's slug.
 */
export function isOurs(charge: Charge): boolean {
  return isOffer(charge) || slugsIn(charge.externalReference).length > 0
}

function isOffer({ subscription, paymentLink }: Charge): boolean {
  return subscription !== undefined || paymentLink !== undefined
}

/** The event of a charge's state. `undefined` for unknown states. */
export function kindOf(charge: Charge): PaymentKind | undefined {
  if (isPaid(charge)) return charge.chargeback?.status === 'REVERSED' ? 'dispute_won' : 'paid'
  const kind = kinds.get(charge.status ?? '')
  return charge.deleted === true && (kind === 'payment_pending' || kind === 'payment_failed') ? 'payment_expired' : kind
}

const kinds: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['PENDING', 'payment_pending'],
  ['AUTHORIZED', 'payment_pending'],
  ['AWAITING_RISK_ANALYSIS', 'payment_pending'],
  ['OVERDUE', 'payment_failed'],
  ['DUNNING_REQUESTED', 'payment_failed'],
  ['REFUNDED', 'refunded'],
  ['CHARGEBACK_REQUESTED', 'disputed'],
  ['CHARGEBACK_DISPUTE', 'disputed'],
  ['AWAITING_CHARGEBACK_REVERSAL', 'dispute_won'],
])

/** The events of a charge by itself. `received`: the delivered event, if any. */
export function toGatewayEvent(charge: Charge, kind: PaymentKind, received: ReceivedEvent | undefined): GatewayEvent {
  const own = ownIdOf(charge, received)
  const paymentId = isOfWhole(charge, kind, own) ? (charge.installment ?? own) : own
  const begin = kind === 'payment_failed' || kind === 'payment_expired' ? beginOf(charge) : undefined
  return {
    key: [own, kind, ...again(charge, kind, received)].join(' '),
    kind,
    // The installments of one purchase belong together: none of them is a purchase of its own.
    subscriptionId: charge.subscription ?? charge.installment,
    paymentId,
    paymentAliases: paymentId === own ? [] : [own],
    buyer: undefined,
    amount: kind === 'partially_refunded' ? refundedOf(charge) : centavosOfReais(charge.value),
    method: methods.get(charge.billingType ?? ''),
    occurredAt: timeOf(charge, kind, received?.at),
    ...(begin !== undefined && { periodStart: begin }),
    periodEnd: undefined,
    plan: {
      slugs: slugsIn(charge.externalReference),
      refs: distinct(charge.paymentLink, charge.subscription),
      isOffer: isOffer(charge) && !isPlanNamed(charge),
    },
  }
}

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['CREDIT_CARD', 'card'],
  ['DEBIT_CARD', 'card'],
  ['BOLETO', 'boleto'],
  ['PIX', 'pix'],
])

/** The same with the data of the API: the buyer, the paid period, and the reference of the charge's subscription. */
export async function fetchEventOf(
  charge: Charge,
  kind: PaymentKind,
  received: ReceivedEvent | undefined,
  lookups: Lookups,
): Promise<GatewayEvent> {
  const gatewayEvent = toGatewayEvent(charge, kind, received)
  const subscription = await lookups.subscription(charge.subscription)
  return {
    ...gatewayEvent,
    buyer: await lookups.email(charge.customer),
    ...(kind === 'paid' &&
      charge.installment !== undefined &&
      gatewayEvent.paymentId === charge.installment && { amount: await lookups.total(charge.installment) }),
    ...(kind === 'paid' && (await lookups.period(charge))),
    plan: {
      ...gatewayEvent.plan,
      slugs: slugsIn(charge.externalReference, subscription?.externalReference),
      refs: distinct(charge.paymentLink, subscription?.paymentLink, charge.subscription),
      isOffer: gatewayEvent.plan.isOffer && !isPlanNamed(subscription),
    },
  }
}

/** A subscription that will not be renewed, or will be after all. That can happen any number of times, so its key is the event's. */
export function toSubscriptionEvent(subscription: AsaasSubscription, kind: 'canceled' | 'resumed', received: ReceivedEvent): GatewayEvent {
  const { id, externalReference, paymentLink } = subscription
  return {
    key: `${id} ${kind} ${received.id}`,
    kind,
    subscriptionId: id,
    paymentId: undefined,
    paymentAliases: [],
    buyer: undefined,
    amount: undefined,
    method: undefined,
    occurredAt: received.at,
    periodEnd: undefined,
    plan: { slugs: slugsIn(externalReference), refs: distinct(paymentLink, id), isOffer: !isPlanNamed(subscription) },
  }
}

/**
 * The installments of a purchase are one payment: the first one pays for all, and a refund is of the whole. Each unpaid installment is a
 * failure of its own.
 */
function isOfWhole({ id, subscription, installment }: Charge, kind: PaymentKind, own: string): boolean {
  const isUnpaid = kind === 'payment_pending' || kind === 'payment_failed' || kind === 'payment_expired'
  return installment !== undefined && subscription === undefined && own === id && !isUnpaid
}

function beginOf({ subscription, dueDate }: Charge): number | undefined {
  return subscription === undefined ? undefined : startOfBrazilDay(dueDate)
}

/** Receipt in cash can be undone, and the same charge be paid in another way. Here they are two payments. */
function ownIdOf(charge: Charge, received: ReceivedEvent | undefined): string {
  return isOfCash(charge) || received?.event === 'PAYMENT_RECEIVED_IN_CASH_UNDONE' ? `${charge.id}:cash` : charge.id
}

function isOfCash({ status, billingType }: Charge): boolean {
  return status === 'RECEIVED_IN_CASH' || billingType === 'RECEIVED_IN_CASH'
}

/**
 * Distinguishes events of one kind about one payment: overdue on another day, another partial refund, removed and restored, received in
 * cash and undone again.
 */
function again(charge: Charge, kind: PaymentKind, received: ReceivedEvent | undefined): string[] {
  if (kind === 'payment_undone' || (kind === 'paid' && isOfCash(charge))) return [received?.id ?? charge.paymentDate ?? '']
  if (kind === 'payment_failed') return [charge.dueDate ?? '']
  if (kind === 'partially_refunded') return [String(refundedOf(charge) ?? received?.id)]
  return received && (kind === 'payment_expired' || received.event === 'PAYMENT_RESTORED') ? [received.id] : []
}

function timeOf(charge: Charge, kind: PaymentKind, happenedAt: number | undefined): number {
  if (kind === 'paid') return timePaid(charge, happenedAt)
  if (happenedAt !== undefined) return happenedAt
  if (kind === 'payment_pending') return startOfBrazilDay(charge.dateCreated) ?? WHEN_RECEIVED
  if (kind === 'payment_failed') return endOfBrazilDay(charge.dueDate) ?? WHEN_RECEIVED
  const refunds = kind === 'refunded' || kind === 'partially_refunded' ? charge.refunds : []
  return refunds.reduce((latest, { dateCreated }) => Math.max(latest, parseBrazilTime(dateCreated) ?? 0), 0) || WHEN_RECEIVED
}

/**
 * A card is RECEIVED 32 days after it was CONFIRMED: events between the two come after the payment, in whichever order they arrive. For
 * cash the merchant can state any day in the past, so there the event's own time counts.
 */
function timePaid(charge: Charge, happenedAt: number | undefined): number {
  const isCash = charge.status === 'RECEIVED_IN_CASH'
  const day = isCash ? undefined : (charge.confirmedDate ?? charge.clientPaymentDate ?? charge.paymentDate)
  const isOfThatDay = happenedAt !== undefined && day === toBrazilDay(happenedAt)
  return (isOfThatDay ? happenedAt : startOfBrazilDay(day)) ?? happenedAt ?? WHEN_RECEIVED
}

/** The refunded amount so far, in centavos; `undefined` if Asaas does not state it. */
export function refundedOf({ refunds }: Charge): number | undefined {
  const amounts = refunds.filter(({ status }) => status === 'DONE').map(({ value }) => centavosOfReais(value) ?? 0)
  return amounts.length === 0 ? undefined : amounts.reduce((a, b) => a + b, 0)
}

/** A reference may be the merchant's own number. A reference that says it is a slug names that plan, and no other of this product's. */
function isPlanNamed(reference: { externalReference?: string | undefined } | undefined): boolean {
  return reference?.externalReference?.startsWith('slug:') === true
}

/** An external reference can be a plan's slug, alone or as `slug:easy-pro`. */
function slugsIn(...references: (string | undefined)[]): string[] {
  return distinct(...references.map((reference) => /^(?:slug:)?([a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)$/.exec(reference ?? '')?.[1]))
}

function distinct(...texts: (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => text ?? []))]
}
