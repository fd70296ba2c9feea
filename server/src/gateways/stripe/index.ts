import { FatalJobFault } from '../../outbox/index.ts'
import type { GatewayAdapter, GatewayNews, Vendor } from '../gateway.ts'
import { watchPages } from '../watch-pages.ts'
import { askStripe } from './ask.ts'
import { parseEvent, type StripeEvent } from './event.ts'
import { idAt, isSetAt, listAt } from './object.ts'
import { proveStripe } from './signature.ts'
import { INVOICE_PAYMENT, LISTED_TYPES, lacksOf, subjectOf, tellEvent } from './tell.ts'

/** What the API answers in, whatever version the owner's account has: what is asked for has one form. Events keep that of their endpoint. */
const VERSION = '2026-10-28.endive'

/** Events can have 20 KB, and no answer more than 1 MiB. */
const PAGE = 40

/** What an access token must be allowed to read. A restricted key can lack any of them, which would show only with the first buyer. */
const NEEDED = ['events', 'customers', 'invoices', 'subscriptions', 'checkout/sessions', 'charges']

/** Stripe: snapshot events, whose payload is the news. The API is asked for the little that they leave out. */
export const stripe: GatewayAdapter = {
  api: {
    url: 'https://api.stripe.com',
    headers: (accessToken) => ({ authorization: `Bearer ${accessToken}`, 'stripe-version': VERSION }),
  },
  prove({ raw, header }, credentials, now) {
    return proveStripe(header('stripe-signature'), raw, { credentials, now })
  },
  read(kept) {
    const event = parseEvent(kept)
    return event && { id: event.id, event: event.type, subject: subjectOf(event), isTest: event.isTest }
  },
  tell(kept) {
    const event = parseEvent(kept)
    return event ? tell(event) : 'ignored'
  },
  async ask(kept, vendor) {
    const event = parseEvent(kept)
    return event ? askStripe(event, vendor) : 'ignored'
  },
  list,
  async probe(vendor) {
    for (const things of NEEDED) await vendor.get(`/v1/${things}?limit=1`)
  },
}

function tell(event: StripeEvent): GatewayNews | 'ask' | 'ignored' {
  if (event.isOfOtherAccount) return 'ignored'
  if (event.type === INVOICE_PAYMENT) return 'ask'
  const news = tellEvent(event)
  if (news === 'ignored') return 'ignored'
  return Object.values(lacksOf(event, news)).includes(true) ? 'ask' : news
}

/**
 * The events themselves, of every type that is told of here, whatever the owner has registered: payments, refunds and cancellations alike, with the keys that
 * their deliveries have. 30 days back at most: Stripe lists no others. Those of a sandbox are left out. Stripe lists the newest first, and what ends a subscription
 * means nothing before what began it, so what they tell is gathered and told the other way round.
 */
async function* list(since: number, vendor: Vendor): AsyncGenerator<GatewayNews> {
  const gathered: Array<GatewayNews | StripeEvent> = []
  for await (const body of listEvents(since, vendor)) {
    const event = parseEvent({ body, receivedAt: since })
    const told = !event || event.isTest ? 'ignored' : tell(event)
    if (told === 'ask' && event) gathered.push(event)
    else if (typeof told === 'object') gathered.push(told)
  }
  for (const one of gathered.reverse()) {
    const news = 'key' in one ? one : await askListed(one, vendor)
    if (news !== 'ignored') yield news
  }
}

async function* listEvents(since: number, vendor: Vendor): AsyncGenerator<unknown> {
  const query = new URLSearchParams({ limit: String(PAGE), 'created[gte]': String(Math.floor(since / 1000)) })
  for (const type of LISTED_TYPES) query.append('types[]', type)
  const watch = watchPages()
  for (;;) {
    const page = await vendor.get(`/v1/events?${query}`)
    const bodies = listAt(page)
    yield* bodies
    const last = idAt(bodies.at(-1), 'id')
    if (!isSetAt(page, 'has_more') || last === undefined) return
    watch(last)
    query.set('starting_after', last)
  }
}

/** What Stripe no longer knows must not keep the rest from being listed. */
async function askListed(event: StripeEvent, vendor: Vendor): Promise<GatewayNews | 'ignored'> {
  return askStripe(event, vendor).catch((fault: unknown) => {
    if (fault instanceof FatalJobFault) return 'ignored'
    throw fault
  })
}
