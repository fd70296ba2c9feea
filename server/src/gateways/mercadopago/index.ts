import type { Delivery, DeliverySummary, GatewayAdapter, StoredDelivery } from '../gateway.ts'
import { isObject, textAt } from './fields.ts'
import { listPayments, listPreapprovals } from './list.ts'
import { signedText, verifyMercadoPago } from './signature.ts'
import { questionIn, subjectOf, TOPICS, topicOf } from './topics.ts'

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
  async *list(since, api, onPart) {
    yield* listPayments(since, api, onPart)
    onPart?.(undefined)
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
