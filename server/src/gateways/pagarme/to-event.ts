import type { PaymentKind } from '../../payment-history/index.ts'
import type { Method } from '../../subscriptions/index.ts'
import { centavos } from '../adapter-kit/money.ts'
import type { GatewayApi, StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { type Charge, parseCharge, parseEnvelope, parseInvoice, parseSubscription, type Subscription, timeOf } from './payload.ts'

const kinds: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['charge.pending', 'payment_pending'],
  ['charge.paid', 'paid'],
  ['charge.overpaid', 'paid'],
  ['charge.payment_failed', 'payment_failed'],
  ['charge.refunded', 'refunded'],
  ['charge.partial_canceled', 'partially_refunded'],
  // No event of Pagar.me says that a chargeback was won: `disputed` stays until the next payment, or until the operator resolves it.
  ['charge.chargedback', 'disputed'],
])

/** The event of a delivery by itself, without the paid period; `fetch` where a period must be fetched. */
export function parse(stored: StoredDelivery): GatewayEvent | 'fetch' | 'ignored' {
  const event = toPaymentEvent(stored)
  return event !== 'ignored' && event.kind === 'paid' && event.subscriptionId !== undefined ? 'fetch' : event
}

/** The same with the period. Buyer and payment are signed, and not fetched again. */
export async function fetch(stored: StoredDelivery, api: GatewayApi): Promise<GatewayEvent | 'ignored'> {
  const event = toPaymentEvent(stored)
  const about = parseCharge(parseEnvelope(stored.body)?.data)
  return event === 'ignored' || !about ? event : withPeriod(event, about, api)
}

/** A charge does not state its period; its invoice does (pagarme-nodejs-sdk, GetInvoiceResponse.cycle). */
export async function withPeriod(event: GatewayEvent, { invoice }: Charge, api: GatewayApi): Promise<GatewayEvent> {
  if (event.kind !== 'paid' || event.subscriptionId === undefined || invoice?.id === undefined) return event
  const { subscription, cycle } = parseInvoice(await api.get(`/invoices/${invoice.id}`)) ?? {}
  const isOther = subscription !== undefined && subscription !== event.subscriptionId
  const periodStart = timeOf(cycle?.start_at)
  return isOther ? event : { ...event, ...(periodStart !== undefined && { periodStart }), periodEnd: timeOf(cycle?.end_at) }
}

function toPaymentEvent({ body, receivedAt }: StoredDelivery): GatewayEvent | 'ignored' {
  const { id: hook, type, created_at, data } = parseEnvelope(body) ?? {}
  const happenedAt = timeOf(created_at) ?? receivedAt
  if (hook === undefined) return 'ignored'
  if (type === 'subscription.canceled') return toCancellationEvent(parseSubscription(data), happenedAt)
  const kind = kinds.get(type ?? '')
  const about = parseCharge(data)
  return kind && about ? toGatewayEvent(about, kind, { hook, happenedAt }) : 'ignored'
}

/** `hook` distinguishes failures that name no transaction. */
export function toGatewayEvent(
  about: Charge,
  kind: PaymentKind,
  { hook, happenedAt }: { hook: string; happenedAt: number },
): GatewayEvent | 'ignored' {
  const { id: paymentId, invoice, order, customer } = about
  const subscriptionId = invoice?.subscription
  const slugs = slugsIn(about.metadata, order?.metadata, invoice?.metadata)
  const isOffer = subscriptionId !== undefined
  if (paymentId === undefined || (!isOffer && slugs.length === 0)) return 'ignored'
  const isGivenBack = kind === 'partially_refunded' || kind === 'refunded'
  return {
    key: `${paymentId} ${kind}${whichOf(about, kind, hook)}`,
    kind,
    subscriptionId,
    paymentId,
    paymentAliases: [],
    buyer: customer?.email,
    amount: centavos(isGivenBack ? about.canceled_amount : (about.paid_amount ?? about.amount)),
    method: methods.get(about.payment_method ?? ''),
    occurredAt: (kind === 'paid' ? timeOf(about.paid_at) : undefined) ?? happenedAt,
    periodEnd: undefined,
    plan: { slugs, refs: isOffer ? [subscriptionId] : [], isOffer: isOffer && slugs.length === 0 },
  }
}

/** A charge can fail several times, and be refunded in parts. */
function whichOf({ last_transaction, canceled_amount }: Charge, kind: PaymentKind, hook: string): string {
  if (kind === 'payment_failed') return ` ${last_transaction?.id ?? hook}`
  return kind === 'partially_refunded' ? ` ${centavos(canceled_amount) ?? hook}` : ''
}

/** A canceled subscription charges no more, and never resumes: the paid period stays to its end. */
export function toCancellationEvent(about: Subscription | undefined, happenedAt: number): GatewayEvent | 'ignored' {
  if (about?.id === undefined) return 'ignored'
  const none = { paymentId: undefined, paymentAliases: [], amount: undefined, method: undefined, periodEnd: undefined }
  return {
    ...none,
    key: `${about.id} canceled`,
    kind: 'canceled',
    subscriptionId: about.id,
    buyer: about.customer?.email,
    occurredAt: timeOf(about.canceled_at) ?? happenedAt,
    plan: { slugs: slugsIn(about.metadata), refs: [about.id], isOffer: true },
  }
}

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['credit_card', 'card'],
  ['debit_card', 'card'],
  ['boleto', 'boleto'],
  ['pix', 'pix'],
])

/** A plan's slug in the metadata of the sold item. */
function slugsIn(...all: ({ plan_slug?: string | undefined } | undefined)[]): string[] {
  return [...new Set(all.flatMap((one) => one?.plan_slug ?? []))].filter((slug) => /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(slug))
}
