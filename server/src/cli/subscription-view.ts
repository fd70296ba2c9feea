import type { House } from '../app.ts'
import { isoTime } from '../kit/index.ts'
import { productStore } from '../products/index.ts'
import { planStore, type Subscription, type SubscriptionHistory, standingOf } from '../subscriptions/index.ts'
import { fields, paragraphs, table } from './output.ts'

/** The slugs of plans and products, by their ids. */
export interface Names {
  plans: ReadonlyMap<string, string>
  products: ReadonlyMap<string, string>
}

/** All of them: an operator has a few of each. */
export async function readNames({ storage }: House): Promise<Names> {
  const plans = await planStore(storage.db).list()
  const products = await productStore(storage.db).listNames()
  return {
    plans: new Map(plans.map(({ id, slug }) => [id, slug])),
    products: new Map(products.map(({ id, slug }) => [id, slug])),
  }
}

export function subscriptionJson(subscription: Subscription, { plans, products }: Names, now: number) {
  const { planId, productId, periodEnd, graceFrom, accessUntil } = subscription
  return {
    id: subscription.id,
    state: subscription.state,
    ...standingOf(subscription, now),
    plan_slug: (planId === undefined ? undefined : plans.get(planId)) ?? null,
    product: (productId === undefined ? undefined : products.get(productId)) ?? null,
    product_id: productId ?? null,
    email: subscription.email ?? null,
    user_id: subscription.userId ?? null,
    product_user: subscription.productUser ?? null,
    claim_closed_at: isoTime(subscription.claimClosedAt),
    method: subscription.method ?? null,
    current_period_end: isoTime(periodEnd),
    grace_until: graceFrom === undefined ? null : isoTime(accessUntil),
    changed_at: isoTime(subscription.changedAt),
  }
}

export function historyJson({ subscription, line, ofLine, buyerForgottenAt, events }: SubscriptionHistory, names: Names, now: number) {
  return {
    ...subscriptionJson(subscription, names, now),
    source: line.source,
    ref: line.ref,
    number: subscription.number,
    is_newest: subscription.number === ofLine - 1,
    buyer_forgotten_at: isoTime(buyerForgottenAt),
    events: events.map((event) => ({
      at: isoTime(event.at),
      kind: event.kind,
      key: event.key,
      plan_slug: (event.planId === undefined ? undefined : names.plans.get(event.planId)) ?? null,
      payment_id: event.paymentId ?? null,
      amount: event.amount ?? null,
      method: event.method ?? null,
      period_end: isoTime(event.periodEnd),
      notification_id: event.notificationId ?? null,
    })),
  }
}

export function subscriptionTable(subscriptions: readonly Subscription[], { plans, products }: Names, now: number): string {
  if (subscriptions.length === 0) return 'No subscriptions.'
  return table(
    ['id', 'state', 'access', 'plan', 'product', 'buyer'],
    subscriptions.map((subscription) => [
      subscription.id,
      subscription.state,
      accessOf(subscription, now),
      plans.get(subscription.planId ?? '') ?? '',
      products.get(subscription.productId ?? '') ?? '',
      subscription.email ?? subscription.userId ?? '',
    ]),
  )
}

export function historyFields(history: SubscriptionHistory, names: Names, now: number): string {
  const { subscription, line, ofLine, buyerForgottenAt, events } = history
  const { graceFrom, accessUntil, claimClosedAt, number } = subscription
  const facts = fields([
    ['id', subscription.id],
    ['state', subscription.state],
    ['access', accessOf(subscription, now)],
    ['plan', names.plans.get(subscription.planId ?? '')],
    ['product', names.products.get(subscription.productId ?? '') ?? 'none: the operator’s own'],
    ['buyer', subscription.email ?? (buyerForgottenAt === undefined ? undefined : `forgotten ${isoTime(buyerForgottenAt)}`)],
    ['account', subscription.userId ?? (claimClosedAt === undefined ? 'none yet' : 'none, and no address claims it')],
    ['product’s user', subscription.productUser ?? 'none yet'],
    ['method', subscription.method],
    ['paid until', isoTime(subscription.periodEnd) ?? undefined],
    ['grace until', graceFrom === undefined ? undefined : (isoTime(accessUntil) ?? undefined)],
    ['told by', `${line.source}: ${line.ref}`],
    ['in its line', ofLine === 1 ? undefined : `${number + 1} of ${ofLine}`],
  ])
  const rows = events.map(({ at, kind, paymentId, amount, key }) => [
    isoTime(at) ?? '',
    kind,
    paymentId ?? '',
    amount === undefined ? '' : String(amount),
    key.startsWith('operator:') ? 'operator' : line.source,
  ])
  return paragraphs(facts, table(['at', 'what', 'payment', 'centavos', 'from'], rows))
}

/** One in a line, for a list of a person's. */
export function subscriptionLine(subscription: Subscription, { plans, products }: Names, now: number): string {
  const { id, planId, productId, state } = subscription
  const bought = [plans.get(planId ?? '') ?? 'unknown plan', products.get(productId ?? '')].filter((name) => name !== undefined)
  return `${id}  ${bought.join(' of ')}  ${state} (access: ${accessOf(subscription, now)})`
}

function accessOf(subscription: Subscription, now: number): string {
  const { active, reason } = standingOf(subscription, now)
  return `${active ? 'yes' : 'no'}, ${reason}`
}
