import { normaliseEmail } from '../../kit/index.ts'
import { hashEmail } from '../../payment-history/index.ts'
import {
  type Active,
  type Changed,
  countForReader,
  dayIn,
  type Monthly,
  plusDays,
  REAIS,
  readZone,
  startOfDay,
} from '../../reports/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { ListFilters, Listing } from '../api/list.ts'
import type { Refused } from '../api/refusals.ts'
import { amountJson, findPayments } from './paid-for.ts'
import { refusePlan } from './refuse-plan.ts'
import { readNames, subscriptionJson } from './subscription-json.ts'
import { isOfOne, type Listed, listSubscriptions, type SubscriptionListFilter } from './subscription-list-store.ts'
import type { subscriptionListQuery } from './subscription-schemas.ts'

type Query = ListFilters<typeof subscriptionListQuery>

interface Amount {
  paid: ReturnType<typeof amountJson>
}

/** Subscriptions, by the names that plans and products have now. */
export async function subscriptionListing(
  query: Query,
  { storage, masterKeys, now }: Pick<AdminDeps, 'storage' | 'masterKeys' | 'now'>,
): Promise<Listing<Listed & Amount, 'created_at'> | Refused> {
  const address = query.email === undefined ? undefined : normaliseEmail(query.email)
  if (query.email !== undefined && address === undefined) return { refusal: 'malformed', fields: { email: 'email_malformed' } }
  const { user_id: userId, product_id: productId, plan_id: planId, state, guest, since, until } = query
  const email = address === undefined ? undefined : { address, hash: hashEmail(address, masterKeys.emailIndex) }
  const refused = refuseFigure(query) ?? (await refusePlan(planId, storage))
  if (refused) return refused
  const at = now()
  const isOfReports = query.changed !== undefined || query.active_on !== undefined
  const { isCounting } = isOfReports ? await countForReader({ storage, now }) : {}
  const changed = await changedOf(query, { storage, now })
  if (changed && 'refusal' in changed) return changed
  const active = await activeOn(query.active_on, storage)
  const filter = { userId, email, productId, planId, state, guest, since, until, changed, active, monthly: monthlyOf(query, active) }
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
    json: ({ subscription, paid, monthly }) => ({ ...subscriptionJson(subscription, names, at), ...paid, ...monthlyJson(monthly, query) }),
  }
}

function orderOf(filter: SubscriptionListFilter): 'change' | 'access' | 'price' | undefined {
  if (filter.changed) return 'change'
  if (isOfOne(filter)) return undefined
  if (filter.monthly) return 'price'
  return filter.active && 'access'
}

/** The filter of those that are active at the end of a day, in the zone of the reports. */
async function activeOn(day: string | undefined, { db }: AdminDeps['storage']): Promise<Active | undefined> {
  return day === undefined ? undefined : { dayEnd: startOfDay(plusDays(day, 1), await readZone(db)) }
}

/** A figure is of the end of a day, and a currency is that of a figure. */
function refuseFigure({ active_on: day, figure, currency }: Query): Refused | undefined {
  if (figure !== undefined && day === undefined) return { refusal: 'malformed', fields: { active_on: 'missing' } }
  return currency !== undefined && figure === undefined ? { refusal: 'malformed', fields: { figure: 'missing' } } : undefined
}

function monthlyOf({ figure, currency = REAIS }: Query, active: Active | undefined): Monthly | undefined {
  return figure === undefined ? undefined : active && { ...active, currency }
}

function monthlyJson(monthly: number | null, { currency = REAIS }: Query) {
  return { monthly_amount: monthly, monthly_currency: monthly === null ? null : currency }
}

/** The days of a figure's list, in the zone of the reports. */
async function changedOf(
  { changed: name, changed_since: since = 0, changed_until: until = Number.POSITIVE_INFINITY }: Query,
  deps: Pick<AdminDeps, 'storage' | 'now'>,
): Promise<Changed | Refused | undefined> {
  const isOfDays = since > 0 || until < Number.POSITIVE_INFINITY
  if (name === undefined) return isOfDays ? { refusal: 'malformed', fields: { changed: 'missing' } } : undefined
  const zone = await readZone(deps.storage.db)
  const dayOf = dayIn(zone)
  // An end that is to come is counted already, and no figure has it yet.
  return { name, zone, from: dayOf(since), to: dayOf(Math.min(until - 1, deps.now())) }
}
