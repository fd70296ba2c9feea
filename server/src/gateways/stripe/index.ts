import { FatalJobFault } from '../../outbox/index.ts'
import { paginationGuard } from '../adapter-kit/pagination-guard.ts'
import type { GatewayAdapter, GatewayApi, OnPart } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { isCapture } from './checkout.ts'
import { parseEvent, type StripeEvent } from './event.ts'
import { fetchFromStripe } from './fetch.ts'
import { listStripeHistory } from './history.ts'
import { idAt, isSetAt, listAt, textAt } from './object.ts'
import { INVOICE_PAYMENT, LISTED_TYPES, lacksOf, parseStripeEvent, subjectOf, WANTED_TYPES } from './parse.ts'
import { verifyStripe } from './signature.ts'

/**
 * The API version of our requests, whatever version the merchant's account has: fetched objects have one form. Events have that of their
 * endpoint.
 */
const VERSION = '2026-10-28.endive'

/** An event can have 20 KB, and an answer at most 1 MiB. */
const PAGE = 40

/** The rights that an access token needs. A restricted key can lack any of them, which would otherwise show only with the first buyer. */
const NEEDED = ['events', 'customers', 'invoices', 'subscriptions', 'checkout/sessions', 'charges', 'invoice_payments']

/** Stripe: snapshot events, whose payload is the event. Only a few missing data are fetched from the API. */
export const stripe: GatewayAdapter = {
  api: {
    url: 'https://api.stripe.com',
    headers: (accessToken) => ({ authorization: `Bearer ${accessToken}`, 'stripe-version': VERSION }),
  },
  verify({ raw, header }, credentials, now) {
    return verifyStripe(header('stripe-signature'), raw, { credentials, now })
  },
  identify(stored) {
    const event = parseEvent(stored)
    return event && { id: event.id, event: event.type, subject: subjectOf(event), isTest: event.isTest }
  },
  parse(stored) {
    const event = parseEvent(stored)
    return event ? parse(event) : 'ignored'
  },
  async fetch(stored, api) {
    const event = parseEvent(stored)
    return event ? fetchFromStripe(event, api) : 'ignored'
  },
  list,
  history,
  async ping(api) {
    for (const things of NEEDED) await api.get(`/v1/${things}?limit=1`)
  },
  endpoints: {
    wanted: WANTED_TYPES,
    async list(api) {
      return listAt(await api.get('/v1/webhook_endpoints?limit=100')).map((endpoint) => ({
        url: textAt(endpoint, 'url') ?? '',
        isOn: textAt(endpoint, 'status') !== 'disabled',
        events: listAt(endpoint, 'enabled_events').filter((event) => typeof event === 'string'),
      }))
    },
  },
}

function parse(event: StripeEvent): GatewayEvent | 'fetch' | 'ignored' {
  if (event.isOfOtherAccount) return 'ignored'
  if (event.type === INVOICE_PAYMENT || isCapture(event)) return 'fetch'
  const gatewayEvent = parseStripeEvent(event)
  if (gatewayEvent === 'ignored') return 'ignored'
  return Object.values(lacksOf(event, gatewayEvent)).includes(true) ? 'fetch' : gatewayEvent
}

/**
 * The events themselves, of every type handled here, whatever the merchant has registered: payments, refunds and cancellations, with the
 * keys of their deliveries. 30 days back at most, the limit of Stripe's list. Those of a sandbox are left out. Stripe lists the newest
 * first, and the end of a subscription means nothing before its beginning, so all are collected and applied in reverse order, each once.
 */
async function* list(since: number, api: GatewayApi, onPart?: OnPart): AsyncGenerator<GatewayEvent> {
  const gathered = new Map<string, { at: number; one: GatewayEvent | StripeEvent }>()
  for await (const body of listEvents(since, api)) {
    const event = parseEvent({ body, receivedAt: since })
    const normalized = !event || event.isTest ? 'ignored' : parse(event)
    if (!event || normalized === 'ignored') continue
    gathered.set(event.id, { at: event.at, one: normalized === 'fetch' || normalized.mayHaveOtherNames ? event : normalized })
  }
  const inOrder = [...gathered.values()].reverse().sort((a, b) => a.at - b.at)
  for (const [n, { one }] of inOrder.entries()) {
    onPart?.((n + 1) / inOrder.length)
    const gatewayEvent = 'key' in one ? one : await fetchListed(one, api)
    if (gatewayEvent !== 'ignored') yield gatewayEvent
  }
}

/** Each object costs a request where it lacks something, as a session lacks what it sells. */
async function* history(api: GatewayApi): AsyncGenerator<GatewayEvent> {
  for (const event of await listStripeHistory(api)) {
    if (event.isTest) continue
    const normalized = parse(event)
    if (normalized === 'ignored') continue
    const isWhole = normalized !== 'fetch' && !normalized.mayHaveOtherNames
    const gatewayEvent = isWhole ? normalized : await fetchListed(event, api)
    if (gatewayEvent !== 'ignored') yield gatewayEvent
  }
}

/** The most types that Stripe allows in one request. */
const MAX_TYPES = 20

async function* listEvents(since: number, api: GatewayApi): AsyncGenerator<unknown> {
  for (let first = 0; first < LISTED_TYPES.length; first += MAX_TYPES) {
    const query = new URLSearchParams({ limit: String(PAGE), 'created[gte]': String(Math.floor(since / 1000)) })
    for (const type of LISTED_TYPES.slice(first, first + MAX_TYPES)) query.append('types[]', type)
    yield* listAllEvents(query, api)
  }
}

async function* listAllEvents(query: URLSearchParams, api: GatewayApi): AsyncGenerator<unknown> {
  const watch = paginationGuard()
  for (;;) {
    const page = await api.get(`/v1/events?${query}`)
    const bodies = listAt(page)
    yield* bodies
    const last = idAt(bodies.at(-1), 'id')
    if (!isSetAt(page, 'has_more') || last === undefined) return
    watch(last)
    query.set('starting_after', last)
  }
}

/** An object unknown to Stripe must not keep the others from being listed. */
async function fetchListed(event: StripeEvent, api: GatewayApi): Promise<GatewayEvent | 'ignored'> {
  return fetchFromStripe(event, api).catch((fault: unknown) => {
    if (fault instanceof FatalJobFault) return 'ignored'
    throw fault
  })
}
