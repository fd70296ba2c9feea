import { isoTime } from '../../kit/index.ts'
import { countForReader, dayIn, listMoney, plusDays, readZone, startOfDay } from '../../reports/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { ListFilters, Listing } from '../api/list.ts'
import type { Refused } from '../api/refusals.ts'
import { refusePlan } from '../subscriptions/refuse-plan.ts'
import { readNames } from '../subscriptions/subscription-json.ts'
import type { transactionListQuery } from './transaction-schemas.ts'

type Query = ListFilters<typeof transactionListQuery>
type Transaction = Awaited<ReturnType<typeof listMoney>>[number]

/** Money that was paid and given back, as the figures of the reports count it: up to the end of today. */
export async function transactionListing(
  { sort, currency, figure, plan_id: planId, product_id: productId, since, until = Number.POSITIVE_INFINITY }: Query,
  deps: Pick<AdminDeps, 'storage' | 'now'>,
): Promise<Listing<Transaction, 'at'> | Refused> {
  const { storage, now } = deps
  const refused = await refusePlan(planId, storage)
  if (refused) return refused
  const { isCounting } = await countForReader(deps)
  const zone = await readZone(storage.db)
  const tomorrow = startOfDay(plusDays(dayIn(zone)(now()), 1), zone)
  const end = isEndOfDay(until, zone) ? until + 1 : until
  const filter = { currency, figure, planId, productId, since, until: Math.min(end, tomorrow) }
  const { plans, products } = await readNames({ storage })
  return {
    order: sort,
    isCounting,
    read: (page) => listMoney(storage.db, filter, page),
    placeOf: ({ id, at }) => ({ id, value: at }),
    json: ({ plan_id: planId, product_id: productId, at, ...transaction }) => ({
      ...{ ...transaction, at: isoTime(at), product_id: productId },
      plan_slug: plans.get(planId ?? '') ?? null,
      product: products.get(productId ?? '') ?? null,
    }),
  }
}

/** The last millisecond of a day, as an end of it is often written: what happened in it belongs to that day. */
function isEndOfDay(at: number, zone: string): boolean {
  return Number.isFinite(at) && startOfDay(dayIn(zone)(at + 1), zone) === at + 1
}
