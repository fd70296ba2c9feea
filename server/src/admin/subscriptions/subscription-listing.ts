import { normaliseEmail } from '../../kit/index.ts'
import { hashEmail } from '../../payment-history/index.ts'
import { type Active, type Changed, countForReader, dayIn, plusDays, readZone, startOfDay } from '../../reports/index.ts'
import { planStore } from '../../subscriptions/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { ListFilters, Listing } from '../api/list.ts'
import type { Refused } from '../api/refusals.ts'
import { amountJson, findPayments } from './paid-for.ts'
import { readNames, subscriptionJson } from './subscription-json.ts'
import { isOfOne, type Listed, listSubscriptions, type SubscriptionListFilter } from './subscription-list-store.ts'
import type { subscriptionListQuery } from './subscription-schemas.ts'

interface Amount {
  paid: ReturnType<typeof amountJson>
}

/** Subscriptions, by the names that plans and products have now. */
export async function subscriptionListing(
  query: ListFilters<typeof subscriptionListQuery>,
  { storage, masterKeys, now }: Pick<AdminDeps, 'storage' | 'masterKeys' | 'now'>,
): Promise<Listing<Listed & Amount, 'created_at'> | Refused> {
  const address = query.email === undefined ? undefined : normaliseEmail(query.email)
  if (query.email !== undefined && address === undefined) return { refusal: 'malformed', fields: { email: 'email_malformed' } }
  const { user_id: userId, product_id: productId, plan_id: planId, state, guest, since, until } = query
  const email = address === undefined ? undefined : { address, hash: hashEmail(address, masterKeys.emailIndex) }
  if (planId !== undefined && !(await planStore(storage.db).findById(planId)))
    return { refusal: 'malformed', fields: { plan_id: 'no_such_plan' } }
  const at = now()
  const isOfReports = query.changed !== undefined || query.active_on !== undefined
  const { isCounting } = isOfReports ? await countForReader({ storage, now }) : {}
  const changed = await changedOf(query, { storage, now })
  if (changed && 'refusal' in changed) return changed
  const active = await activeOn(query.active_on, storage)
  const filter = { userId, email, productId, planId, state, guest, since, until, changed, active }
  const names = await readNames({ storage })
  return {
    order: query.sort,
    by: orderOf(filter),
    isCounting,
    read: async (page) => {
      const listed = await listSubscriptions(storage.db, filter, page)
      const subscriptions = listed.map(({ subscription }) => subscription)
      const payments = await findPayments(storage.db, subscriptions, at)
      return listed.map((one) => ({ ...one, paid: amountJson(payments.get(one.subscription.id)) }))
    },
    placeOf: ({ subscription: { id }, place }) => ({ id, value: place }),
    json: ({ subscription, paid }) => ({ ...subscriptionJson(subscription, names, at), ...paid }),
  }
}

function orderOf(filter: SubscriptionListFilter): 'change' | 'access' | undefined {
  if (filter.changed) return 'change'
  return filter.active && !isOfOne(filter) ? 'access' : undefined
}

/** The filter of those that are active at the end of a day, in the zone of the reports. */
async function activeOn(day: string | undefined, { db }: AdminDeps['storage']): Promise<Active | undefined> {
  return day === undefined ? undefined : { dayEnd: startOfDay(plusDays(day, 1), await readZone(db)) }
}

/** The days of a figure's list, in the zone of the reports. */
async function changedOf(
  { changed: name, changed_since: since = 0, changed_until: until = Number.POSITIVE_INFINITY }: ListFilters<typeof subscriptionListQuery>,
  deps: Pick<AdminDeps, 'storage' | 'now'>,
): Promise<Changed | Refused | undefined> {
  const isOfDays = since > 0 || until < Number.POSITIVE_INFINITY
  if (name === undefined) return isOfDays ? { refusal: 'malformed', fields: { changed: 'missing' } } : undefined
  const zone = await readZone(deps.storage.db)
  const dayOf = dayIn(zone)
  // An end that is to come is counted already, and no figure has it yet.
  return { name, zone, from: dayOf(since), to: dayOf(Math.min(until - 1, deps.now())) }
}
