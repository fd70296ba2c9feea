import type { findPayments, Names } from '../../admin/index.ts'
import { agreedAmount, type PaymentEvent, type SubscriptionHistory } from '../../payment-history/index.ts'
import { entitlementOf, type Subscription } from '../../subscriptions/index.ts'
import { fields, paragraphs, type Text, table } from '../command/layout.ts'
import type { LocalTime } from '../command/local-time.ts'
import { money, reais } from '../command/money.ts'

interface TableDeps {
  names: Names
  /** By the subscriptions' ids. */
  payments: Awaited<ReturnType<typeof findPayments>>
  now: number
}

export function subscriptionTable(subscriptions: readonly Subscription[], { names, payments, now }: TableDeps): Text {
  const { plans, products } = names
  if (subscriptions.length === 0) return 'No subscriptions.'
  return table(
    ['id', 'state', 'access', 'plan', 'product', 'amount', 'buyer'],
    subscriptions.map((subscription) => [
      subscription.id,
      subscription.state,
      accessOf(subscription, now),
      plans.get(subscription.planId ?? '') ?? '',
      products.get(subscription.productId ?? '') ?? '',
      amountText(payments.get(subscription.id)),
      subscription.email ?? subscription.userId ?? '',
    ]),
  )
}

export function historyFields(history: SubscriptionHistory, names: Names, { now, localTime }: { now: number; localTime: LocalTime }): Text {
  const { subscription, stream, ofStream, buyerForgottenAt, events } = history
  const { graceFrom, accessUntil, linkClosedAt, number } = subscription
  const facts = fields([
    ['id', subscription.id],
    ['state', subscription.state],
    ['access', accessOf(subscription, now)],
    ['plan', names.plans.get(subscription.planId ?? '')],
    ['product', names.products.get(subscription.productId ?? '') ?? 'none: the operator’s own'],
    ['buyer', subscription.email ?? (buyerForgottenAt === undefined ? undefined : `forgotten ${localTime(buyerForgottenAt)}`)],
    ['account', subscription.userId ?? (linkClosedAt === undefined ? 'none yet' : 'none, and no address claims it')],
    ['product’s user', subscription.productUser ?? 'none yet'],
    ['method', subscription.method],
    ['paid until', localTime(subscription.periodEnd)],
    ['grace until', graceFrom === undefined ? undefined : localTime(accessUntil)],
    ['source', `${stream.source}: ${stream.ref}`],
    ['in its stream', ofStream === 1 ? undefined : `${number + 1} of ${ofStream}`],
  ])
  const rows = events.map(({ at, kind, paymentId, amount, foreign, key }) => [
    localTime(at),
    kind,
    paymentId ?? '',
    amountText({ amount, foreign }),
    key.startsWith('operator:') ? 'operator' : stream.source,
  ])
  return paragraphs(facts, table(['at', 'what', 'payment', 'amount', 'from'], rows))
}

function amountText(payment: Pick<PaymentEvent, 'amount' | 'purchaseAmount' | 'foreign'> | undefined): string {
  if (payment?.foreign) return money(payment.foreign.amount, payment.foreign.currency)
  const amount = payment && agreedAmount(payment)
  return amount === undefined ? '' : reais(amount)
}

/** One subscription in a line, for a user's list. */
export function subscriptionLine(subscription: Subscription, { plans, products }: Names, now: number): string {
  const { id, planId, productId, state } = subscription
  const bought = [plans.get(planId ?? '') ?? 'unknown plan', products.get(productId ?? '')].filter((name) => name !== undefined)
  return `${id}  ${bought.join(' of ')}  ${state} (access: ${accessOf(subscription, now)})`
}

export function accessOf(subscription: Subscription, now: number): string {
  const { active, reason } = entitlementOf(subscription, now)
  return `${active ? 'yes' : 'no'}, ${reason}`
}
