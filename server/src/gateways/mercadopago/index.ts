import { BoundedMap } from '../../kit/index.ts'
import { FatalJobFault } from '../../outbox/index.ts'
import { fetchById } from '../adapter-kit/fetch-by-id.ts'
import { paginationGuard } from '../adapter-kit/pagination-guard.ts'
import type { Delivery, DeliverySummary, GatewayAdapter, GatewayApi, GatewayEvent, StoredDelivery } from '../gateway.ts'
import { findBilledAt } from './bill.ts'
import { idAt, isObject, listAt, parseId, textAt, timeAt, valueAt } from './fields.ts'
import { signedId, signedText, verifyMercadoPago } from './signature.ts'
import { historyOfOrder, historyOfPayment, historyOfPreapproval, subscriptionOf, toInvoiceEvent } from './to-event.ts'

/**
 * Mercado Pago. A delivery signs nothing but an object's id, so all data is fetched, and the API's state counts. Sources:
 * mercadopago/openapi (2026-06-24) and the developer pages on notifications, order status and chargebacks.
 */
export const mercadopago: GatewayAdapter = {
  api: {
    url: 'https://api.mercadopago.com',
    headers: (accessToken) => ({ authorization: `Bearer ${accessToken}` }),
  },
  verify: (delivery, credentials) => verifyMercadoPago(delivery, credentials),
  identify,
  parse: (stored) => (questionIn(stored) ? 'fetch' : 'ignored'),
  async fetch(stored, api) {
    const question = questionIn(stored)
    return question ? question.answer(question.id, { api, otherwiseAt: stored.receivedAt }) : 'ignored'
  },
  async *list(since, api) {
    yield* listPayments(since, api)
    yield* listPreapprovals(since, api)
  },
  async ping(api) {
    await api.get('/v1/payment_methods')
  },
}

/**
 * Deliveries are duplicates if their signed data is equal. The body is not signed, nor the `id` of the notification, so a captured delivery
 * could be sent again under ever new ids. The topic is not signed either and decides which request is made, so it is part of the digest:
 * one of those below, or none. Thus a captured delivery causes each request about its id once, and never replaces another delivery. A later
 * attempt of theirs with a new time is fetched again, which changes nothing. `live_mode` is no mark of a test: it is true of sandbox buyers
 * as well.
 */
function identify(stored: StoredDelivery, { header }: Pick<Delivery, 'header'> = { header: () => undefined }): DeliverySummary | undefined {
  const { body } = stored
  if (!isObject(body)) return undefined
  const topic = topicOf(stored) ?? ''
  return {
    id: `${signedText({ ...stored, header })} ${TOPICS.has(topic) ? topic : ''}`,
    event: textAt(body, 'action') ?? (topic || 'unknown'),
    subject: subjectOf(stored),
    isTest: false,
  }
}

function topicOf({ body, query }: StoredDelivery): string | undefined {
  return textAt(body, 'type') ?? query.get('type') ?? undefined
}

function subjectOf(stored: StoredDelivery): string | undefined {
  const id = signedId(stored)
  return id === 'malformed' ? undefined : id.signed
}

interface Asking {
  api: GatewayApi
  /** The time of receipt, in ms, for objects that state none. */
  otherwiseAt: number
}

type Answer = (id: string, asking: Asking) => Promise<GatewayEvent | 'ignored'>

/**
 * The relevant topics. Left out: plans, merchant orders (their payments say the same), and `stop_delivery_op_wh`, a fraud warning: the
 * merchant's decision shows in the payment.
 */
const TOPICS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['payment', fetchPayment],
  ['order', fetchOrder],
  ['subscription_preapproval', fetchPreapproval],
  ['subscription_authorized_payment', fetchInvoice],
  ['topic_chargebacks_wh', fetchChargeback],
  ['chargebacks', fetchChargeback],
  ['topic_claims_integration_wh', fetchClaim],
])

function questionIn(stored: StoredDelivery): { id: string; answer: Answer } | undefined {
  const id = subjectOf(stored)
  const answer = TOPICS.get(topicOf(stored) ?? '')
  return id !== undefined && answer ? { id, answer } : undefined
}

async function fetchPayment(id: string, { api, otherwiseAt }: Asking, charge?: unknown): Promise<GatewayEvent | 'ignored'> {
  const payment = await fetchById(api, `/v1/payments/${id}`, id)
  const preapproval = await findSubscription(subscriptionOf(payment) ?? idAt(charge, 'preapproval_id'), api)
  const billedAt = await findBilledAt(payment, { preapproval, charge }, api)
  return withHistory(historyOfPayment(payment, { preapproval, billedAt, otherwiseAt }))
}

/** The last event is the reported one; the earlier ones may never have arrived. */
function withHistory(history: readonly GatewayEvent[]): GatewayEvent | 'ignored' {
  const [now, ...before] = history.toReversed()
  if (!now) return 'ignored'
  return before.length === 0 ? now : { ...now, alsoHappened: before }
}

async function fetchOrder(id: string, { api, otherwiseAt }: Asking): Promise<GatewayEvent | 'ignored'> {
  return withHistory(historyOfOrder(await fetchById(api, `/v1/orders/${id}`, id), { otherwiseAt }))
}

async function fetchPreapproval(id: string, { api, otherwiseAt }: Asking): Promise<GatewayEvent | 'ignored'> {
  return withHistory(historyOfPreapproval(await fetchById(api, `/preapproval/${id}`, id), { otherwiseAt }))
}

/** A charge of a subscription. Once it has a payment, the payment reports it, so that the notifications of both are one event. */
async function fetchInvoice(id: string, asking: Asking): Promise<GatewayEvent | 'ignored'> {
  const invoice = await fetchById(asking.api, `/authorized_payments/${id}`, id)
  const paymentId = idAt(invoice, 'payment', 'id')
  if (paymentId !== undefined) return fetchPayment(paymentId, asking, invoice)
  const preapproval = await findSubscription(idAt(invoice, 'preapproval_id'), asking.api)
  return toInvoiceEvent(invoice, { preapproval, otherwiseAt: asking.otherwiseAt })
}

/** The outcome of a chargeback shows in the state of its payment. */
async function fetchChargeback(id: string, asking: Asking): Promise<GatewayEvent | 'ignored'> {
  const [payment] = listAt(await fetchById(asking.api, `/v1/chargebacks/${id}`, id), 'payments')
  const paymentId = parseId(textAt({ payment }, 'payment')) ?? idAt(payment, 'id')
  return paymentId === undefined ? 'ignored' : fetchPayment(paymentId, asking)
}

/**
 * A mediation that the merchant wins leaves its payment approved, without a trace: only the claim shows that there was one, and that it is
 * over.
 */
async function fetchClaim(id: string, asking: Asking): Promise<GatewayEvent | 'ignored'> {
  const claim = await fetchById(asking.api, `/post-purchase/v1/claims/${id}`, id)
  const paymentId = textAt(claim, 'resource') === 'payment' ? idAt(claim, 'resource_id') : undefined
  if (paymentId === undefined) return 'ignored'
  const gatewayEvent = await fetchPayment(paymentId, asking)
  const isOver = ['closed', 'cancelled'].includes(textAt(claim, 'status') ?? '')
  if (gatewayEvent === 'ignored' || gatewayEvent.kind !== 'paid' || !isOver) return gatewayEvent
  const endedAt = timeAt(claim, 'last_updated')
  const occurredAt = endedAt ?? asking.otherwiseAt
  return {
    ...gatewayEvent,
    key: `claim ${id} dispute_won ${endedAt ?? ''}`,
    kind: 'dispute_won',
    occurredAt,
    periodEnd: undefined,
    alsoHappened: [gatewayEvent],
  }
}

/**
 * Adds the subscription's data to an event of a payment. Its id may come from metadata that the merchant fills: if it can't be found, the
 * payment still counts.
 */
async function findSubscription(id: string | undefined, api: GatewayApi): Promise<unknown> {
  if (id === undefined) return undefined
  return fetchById(api, `/preapproval/${id}`, id).catch((fault: unknown) => {
    if (fault instanceof FatalJobFault) return undefined
    throw fault
  })
}

const PAGE = 50

/**
 * Payments by the time of their last change, of the last twelve months at most, the limit of their search. A payment that changes meanwhile
 * moves to the end, and page numbers would skip the one that takes its place; so each page begins at the time of the last one.
 */
async function* listPayments(since: number, api: GatewayApi): AsyncIterable<GatewayEvent> {
  const remembering = rememberSubscriptions(api)
  const order = 'sort=date_last_updated&criteria=asc&range=date_last_updated&end_date=NOW'
  let from = since
  let offset = 0
  let before: ReadonlySet<unknown> = new Set()
  const watch = paginationGuard()
  for (;;) {
    const begin = encodeURIComponent(new Date(from).toISOString())
    const answer = await api.get(`/v1/payments/search?${order}&begin_date=${begin}&limit=${PAGE}&offset=${offset}`)
    const page = listAt(answer, 'results')
    const fresh = page.filter((payment) => !before.has(idAt(payment, 'id')))
    for (const payment of fresh) {
      const preapproval = await findSubscription(subscriptionOf(payment), remembering)
      const billedAt = await findBilledAt(payment, { preapproval, charge: undefined }, api)
      yield* historyOfPayment(payment, { preapproval, billedAt, otherwiseAt: since })
    }
    if (page.length === 0 || isLastPage(answer, offset + page.length)) return
    watch(page.map((payment) => `${idAt(payment, 'id')} ${textAt(payment, 'date_last_updated')}`).join())
    const last = timeAt(page.at(-1), 'date_last_updated') ?? from
    offset = last > from ? page.filter((payment) => timeAt(payment, 'date_last_updated') === last).length : offset + page.length
    from = Math.max(from, last)
    before = new Set(page.map((payment) => idAt(payment, 'id')))
  }
}

/** Their search of subscriptions has no time filter and no documented sort key: all are read. */
async function* listPreapprovals(since: number, api: GatewayApi): AsyncIterable<GatewayEvent> {
  let offset = 0
  let before: ReadonlySet<unknown> = new Set()
  const watch = paginationGuard()
  for (;;) {
    const answer = await api.get(`/preapproval/search?limit=${PAGE}&offset=${offset}`)
    const page = listAt(answer, 'results')
    const fresh = page.filter((preapproval) => !before.has(idAt(preapproval, 'id')))
    for (const preapproval of fresh) {
      const history = historyOfPreapproval(preapproval, { otherwiseAt: since })
      if (history.some(({ occurredAt }) => occurredAt >= since)) yield* history
    }
    offset += page.length
    if (page.length === 0 || isLastPage(answer, offset)) return
    watch(page.map((preapproval) => idAt(preapproval, 'id')).join())
    before = new Set(page.map((preapproval) => idAt(preapproval, 'id')))
  }
}

/** A page may hold fewer than requested, so only their total marks the end; without a total, an empty page does. */
function isLastPage(answer: unknown, read: number): boolean {
  const total = valueAt(answer, 'paging', 'total')
  return typeof total === 'number' && read >= total
}

function rememberSubscriptions(api: GatewayApi): GatewayApi {
  const answers = new BoundedMap<string, unknown>(1_000)
  return {
    async get(path) {
      const answer = answers.get(path) ?? (await api.get(path))
      answers.set(path, answer)
      return answer
    },
  }
}
