import { BoundedMap } from '../../kit/index.ts'
import { paginationGuard } from '../adapter-kit/pagination-guard.ts'
import type { GatewayApi, OnPart } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { findBilledAt } from './bill.ts'
import { historyOfPayment, subscriptionOf } from './events/to-payment-event.ts'
import { historyOfPreapproval } from './events/to-subscription-event.ts'
import { idAt, listAt, textAt, timeAt, valueAt } from './fields.ts'
import { findSubscription } from './find-subscription.ts'

const PAGE = 50

/**
 * Payments by the time of their last change, of the last twelve months at most, the limit of their search. A payment that changes meanwhile
 * moves to the end, and page numbers would skip the one that takes its place; so each page begins at the time of the last one.
 */
export async function* listPayments(since: number, api: GatewayApi, onPart?: OnPart): AsyncIterable<GatewayEvent> {
  const remembering = rememberSubscriptions(api)
  const order = 'sort=date_last_updated&criteria=asc&range=date_last_updated&end_date=NOW'
  let from = since
  let offset = 0
  let before: ReadonlySet<unknown> = new Set()
  let [read, all]: [number, number | undefined] = [0, undefined]
  const watch = paginationGuard()
  for (;;) {
    const begin = encodeURIComponent(new Date(from).toISOString())
    const answer = await api.get(`/v1/payments/search?${order}&begin_date=${begin}&limit=${PAGE}&offset=${offset}`)
    const page = listAt(answer, 'results')
    const fresh = page.filter((payment) => !before.has(idAt(payment, 'id')))
    all ??= totalOf(answer)
    for (const payment of fresh) {
      onPart?.(all && Math.min(1, ++read / all))
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
export async function* listPreapprovals(since: number, api: GatewayApi): AsyncIterable<GatewayEvent> {
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
  const total = totalOf(answer)
  return total !== undefined && read >= total
}

function totalOf(answer: unknown): number | undefined {
  const total = valueAt(answer, 'paging', 'total')
  return typeof total === 'number' ? total : undefined
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
