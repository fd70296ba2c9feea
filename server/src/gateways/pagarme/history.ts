import { DAY_MS } from '../../kit/index.ts'
import type { PaymentKind } from '../../payment-history/index.ts'
import { centavos } from '../adapter-kit/money.ts'
import { paginationGuard } from '../adapter-kit/pagination-guard.ts'
import type { GatewayApi } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { type Charge, parseCharge, parseId, parsePage, parseSubscription, timeOf } from './payload.ts'
import { toCancellationEvent, toGatewayEvent, withPeriod } from './to-event.ts'

/** Boletos are paid long after they were made. */
const OLDEST_UNPAID_MS = 60 * DAY_MS
const PAGE = 30

/**
 * Charges and canceled subscriptions that changed since. The API can't list by change: recently made charges, and all refunded or contested
 * ones of any age, are read, and unchanged ones are left out.
 */
export async function* list(since: number, api: GatewayApi): AsyncIterable<GatewayEvent> {
  const seen = new Set<string>()
  const recent = { created_since: new Date(since - OLDEST_UNPAID_MS).toISOString() }
  for (const filter of [recent, { status: 'canceled' }, { status: 'chargedback' }]) {
    for await (const one of listAll('/charges', filter, api)) {
      const about = parseCharge(one)
      if (about?.id === undefined || seen.has(about.id) || isOld(about, since)) continue
      seen.add(about.id)
      yield* historyOf(about, since, api)
    }
  }
  for await (const one of listAll('/subscriptions', { status: 'canceled' }, api)) {
    const about = parseSubscription(one)
    if (about?.status !== 'canceled' || isOld(about, since)) continue
    const event = toCancellationEvent(about, timeOf(about.updated_at) ?? since)
    if (event !== 'ignored') yield event
  }
}

function isOld({ updated_at, canceled_at }: { updated_at?: string | undefined; canceled_at?: string | undefined }, since: number): boolean {
  return (timeOf(updated_at) ?? timeOf(canceled_at) ?? since) < since
}

/**
 * A refunded charge was paid before, and the payment goes first. A canceled one that does not say whether it was ever paid is given back
 * if it was, and else was never paid.
 */
async function* historyOf(about: Charge, since: number, api: GatewayApi): AsyncIterable<GatewayEvent> {
  const happenedAt = timeOf(about.updated_at) ?? since
  const isUncertain = about.status === 'canceled' && !isKnownPaid(about)
  for (const kind of isUncertain ? UNCERTAIN : kindsOf(about)) {
    const event = toGatewayEvent(about, kind, { hook: 'listed', happenedAt })
    if (event === 'ignored') continue
    const whole = await withPeriod(event, about, api)
    yield isUncertain && kind === 'refunded' ? { ...whole, onlyIfPaid: true } : whole
  }
}

const UNCERTAIN: readonly PaymentKind[] = ['payment_expired', 'refunded']

/** Of a refunded charge Pagar.me may leave both out. */
function isKnownPaid({ paid_at, paid_amount }: Charge): boolean {
  return paid_at !== undefined || (centavos(paid_amount) ?? 0) > 0
}

const kinds: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['pending', 'payment_pending'],
  ['paid', 'paid'],
  ['overpaid', 'paid'],
  ['failed', 'payment_failed'],
  ['canceled', 'refunded'],
  ['chargedback', 'disputed'],
])

function kindsOf({ status, paid_at, canceled_amount }: Charge): readonly PaymentKind[] {
  const kind = kinds.get(status ?? '')
  if (!kind) return []
  if (kind === 'paid') return (centavos(canceled_amount) ?? 0) > 0 ? ['paid', 'partially_refunded'] : ['paid']
  return paid_at !== undefined && (kind === 'refunded' || kind === 'disputed') ? ['paid', kind] : [kind]
}

async function* listAll(path: string, filter: Record<string, string>, api: GatewayApi): AsyncIterable<unknown> {
  const watch = paginationGuard()
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ ...filter, page: String(page), size: String(PAGE) })
    const all = parsePage(await api.get(`${path}?${query}`))
    yield* all
    if (all.length < PAGE) return
    watch(all.map(parseId).join())
  }
}
