import { constantTimeEqual } from '../../kit/index.ts'
import type { PaymentKind } from '../../payment-history/index.ts'
import type {
  Delivery,
  GatewayAdapter,
  GatewayApi,
  GatewayCredentials,
  GatewayEvent,
  StoredDelivery,
  VerificationResult,
} from '../gateway.ts'
import { parseBrazilTime, toBrazilDay } from './brazil-time.ts'
import { createLookups, fetchForCharge, type Lookups, listCharges } from './lookups.ts'
import { type AsaasEvent, type Charge, parseEvent, parseWebhooks } from './payload.ts'
import {
  fetchEventOf,
  isOurs,
  kindOf,
  type ReceivedEvent,
  refundedOf,
  toGatewayEvent,
  toSubscriptionEvent,
  WHEN_RECEIVED,
} from './to-event.ts'

/** Asaas (docs.asaas.com, API v3). Only a fixed token verifies a delivery, so the API must confirm every event that gives access. */
export const asaas: GatewayAdapter = {
  api: { url: 'https://api.asaas.com/v3', headers: (accessToken) => ({ access_token: accessToken }) },
  verify,
  identify({ body }) {
    const event = parseEvent(body)
    return event && { id: event.id, event: event.event, subject: event.payment?.id ?? event.subscription?.id, isTest: false }
  },
  parse,
  fetch,
  list,
  async ping(api) {
    await api.get('/customers?limit=1')
  },
  endpoints: {
    get wanted() {
      return [...asked.keys(), ...believed.keys(), ...cancellations]
    },
    async list(api) {
      return parseWebhooks(await api.get('/webhooks'))
    },
  },
}

/** The merchant chooses the token; Asaas sends it back in a header. An empty one proves nothing. */
function verify({ header }: Delivery, { webhookSecret }: GatewayCredentials): VerificationResult {
  const token = header('asaas-access-token') ?? ''
  if (token === '') return 'missing'
  return webhookSecret !== '' && constantTimeEqual(token, webhookSecret) ? 'verified' : 'invalid'
}

/** Events that give access or make a subscription known, with the state that the API should confirm. */
const asked: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['PAYMENT_CREATED', 'payment_pending'],
  ['PAYMENT_RESTORED', 'payment_pending'],
  ['PAYMENT_CONFIRMED', 'paid'],
  ['PAYMENT_RECEIVED', 'paid'],
  ['PAYMENT_DUNNING_RECEIVED', 'paid'],
  // The refund of a boleto was denied: the money stays.
  ['PAYMENT_REFUND_DENIED', 'paid'],
  // Another due date or value.
  ['PAYMENT_UPDATED', 'payment_pending'],
  // "Dispute won, waiting for transfer from the acquirer" (docs.asaas.com/docs/payment-events)
  ['PAYMENT_AWAITING_CHARGEBACK_REVERSAL', 'dispute_won'],
  ['SUBSCRIPTION_UPDATED', 'resumed'],
])

/** Events that take access away are believed, whatever reference the charge has by now: they have no effect unless the payment is known. */
const believed: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['PAYMENT_OVERDUE', 'payment_failed'],
  ['PAYMENT_REPROVED_BY_RISK_ANALYSIS', 'payment_failed'],
  ['PAYMENT_CREDIT_CARD_CAPTURE_REFUSED', 'payment_failed'],
  ['PAYMENT_DELETED', 'payment_expired'],
  ['PAYMENT_REFUNDED', 'refunded'],
  ['PAYMENT_PARTIALLY_REFUNDED', 'partially_refunded'],
  ['PAYMENT_RECEIVED_IN_CASH_UNDONE', 'payment_undone'],
  ['PAYMENT_CHARGEBACK_REQUESTED', 'disputed'],
  ['PAYMENT_CHARGEBACK_DISPUTE', 'disputed'],
])

/** Both stop further charges without a refund: the paid period stays. */
const cancellations: ReadonlySet<string> = new Set(['SUBSCRIPTION_DELETED', 'SUBSCRIPTION_INACTIVATED'])

function parse(stored: StoredDelivery): GatewayEvent | 'fetch' | 'ignored' {
  const event = parseEvent(stored.body)
  if (!event) return 'ignored'
  const { payment, subscription } = event
  if (subscription && cancellations.has(event.event)) return toSubscriptionEvent(subscription, 'canceled', receivedIn(event, stored))
  if (subscription && event.event === 'SUBSCRIPTION_UPDATED') return 'fetch'
  const kind = believed.get(event.event)
  if (payment && kind) return toGatewayEvent(payment, kind, receivedIn(event, stored))
  return payment && isAsked(event.event, payment) ? 'fetch' : 'ignored'
}

function isAsked(event: string, payment: Charge): boolean {
  const kind = asked.get(event)
  return kind !== undefined && (isOurs(payment) || isReversal(kind)) && !isPaidAtOnce(event, payment)
}

/** About a payment that was made; no effect unless that payment is known. */
function isReversal(kind: PaymentKind): boolean {
  return kind === 'refunded' || kind === 'partially_refunded' || kind === 'disputed' || kind === 'dispute_won'
}

/** A new charge to a card is confirmed or refused at once, by events of its own. */
function isPaidAtOnce(event: string, { billingType }: Charge): boolean {
  return event === 'PAYMENT_CREATED' && (billingType === 'CREDIT_CARD' || billingType === 'DEBIT_CARD')
}

function receivedIn({ id, event, dateCreated }: AsaasEvent, { receivedAt }: StoredDelivery): ReceivedEvent {
  return { id, event, at: parseBrazilTime(dateCreated) ?? receivedAt }
}

/** The state in the API decides, whatever the event said: a charge refunded meanwhile is refunded, and an unpaid one grants nothing. */
async function fetch(stored: StoredDelivery, api: GatewayApi): Promise<GatewayEvent | 'ignored'> {
  const normalized = parse(stored)
  const event = parseEvent(stored.body)
  if (normalized !== 'fetch') return normalized
  const lookups = createLookups(api)
  if (event?.payment) return fetchCharge(event.payment.id, receivedIn(event, stored), { api, lookups })
  return event?.subscription ? fetchSubscription(event.subscription.id, receivedIn(event, stored), lookups) : 'ignored'
}

async function fetchCharge(
  id: string,
  received: ReceivedEvent,
  { api, lookups }: { api: GatewayApi; lookups: Lookups },
): Promise<GatewayEvent | 'ignored'> {
  const charge = await fetchForCharge(api, id)
  const [gatewayEvent, ...alsoHappened] = charge ? await fetchHistoryOf(charge, received, lookups) : []
  if (!gatewayEvent || !charge) return 'ignored'
  alsoHappened.push(...(await fetchPaidBefore(charge, lookups)))
  return alsoHappened.length === 0 ? gatewayEvent : { ...gatewayEvent, alsoHappened }
}

/** The event of a charge's state, then the earlier events that the charge implies. `received`: the delivered event, if any. */
async function fetchHistoryOf(charge: Charge, received: ReceivedEvent | undefined, lookups: Lookups): Promise<GatewayEvent[]> {
  const kind = kindOf(charge)
  if (!kind) return []
  const sameKind = received && kind === asked.get(received.event) ? received : undefined
  if (!isOurs(charge)) return isReversal(kind) ? [toGatewayEvent(charge, kind, sameKind)] : []
  const history = [await fetchEventOf(charge, kind, sameKind, lookups)]
  for (const other of kindsOf(charge).filter((one) => one !== kind)) {
    const also = await fetchEventOf(charge, other, undefined, lookups)
    // Without a date it could be ordered after the event that undoes it.
    if (also.occurredAt !== WHEN_RECEIVED) history.push(also)
  }
  return history
}

/** An unpaid charge shows how long the one before it pays: its due date can be moved. */
async function fetchPaidBefore(charge: Charge, lookups: Lookups): Promise<GatewayEvent[]> {
  const before = isOurs(charge) && kindOf(charge) === 'payment_pending' ? await lookups.paidBefore(charge) : undefined
  const gatewayEvent = before && (await fetchEventOf(before, 'paid', undefined, lookups))
  return gatewayEvent && gatewayEvent.occurredAt !== WHEN_RECEIVED ? [gatewayEvent] : []
}

async function fetchSubscription(id: string, received: ReceivedEvent, lookups: Lookups): Promise<GatewayEvent | 'ignored'> {
  const subscription = await lookups.subscription(id)
  if (!subscription) return 'ignored'
  const isOver = subscription.deleted === true || subscription.status === 'INACTIVE' || subscription.status === 'EXPIRED'
  if (!isOver && subscription.status !== 'ACTIVE') return 'ignored'
  const gatewayEvent = toSubscriptionEvent(subscription, isOver ? 'canceled' : 'resumed', received)
  return { ...gatewayEvent, buyer: await lookups.email(subscription.customer) }
}

/**
 * Charges can't be listed by their last change. These filters together find every change since a day, and some older ones: a confirmed card
 * has no payment date until its money comes, a month later, and refunds and disputes can concern charges of any age.
 */
async function* list(since: number, api: GatewayApi): AsyncIterable<GatewayEvent> {
  const day = toBrazilDay(since)
  const byTime = ['dateCreated[ge]', 'paymentDate[ge]', 'dueDate[ge]'].map((name) => ({ [name]: day }))
  const states = ['CONFIRMED', 'RECEIVED_IN_CASH', 'REFUNDED', 'CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL']
  const lookups = createLookups(api)
  const seen = new Set<string>()
  for (const filter of [...byTime, ...states.map((status) => ({ status }))]) {
    for await (const charge of listCharges(api, filter)) {
      if (seen.has(charge.id)) continue
      seen.add(charge.id)
      yield* await fetchHistoryOf(charge, undefined, lookups)
      yield* await fetchPaidBefore(charge, lookups)
    }
  }
}

/**
 * A refunded charge was paid before. The payment goes first: events pending for it take effect with it, and nobody gets access in between.
 */
function kindsOf(charge: Charge): PaymentKind[] {
  const kind = kindOf(charge)
  if (!kind) return []
  if (kind === 'refunded' || kind === 'disputed' || kind === 'dispute_won') return [kind, 'paid']
  return kind === 'paid' && refundedOf(charge) !== undefined ? ['paid', 'partially_refunded'] : [kind]
}
