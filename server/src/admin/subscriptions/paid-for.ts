import { agreedAmount, decisiveEvent, foreignText, listHistories, type SubscriptionHistory } from '../../payment-history/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { entitlementOf, type Subscription } from '../../subscriptions/index.ts'

type Payment = SubscriptionHistory['events'][number] | undefined

/** The payments on which the access of these subscriptions rests, or rested, by their ids. `now` in ms. One statement. */
export async function findPayments(
  db: Queryable,
  subscriptions: readonly Subscription[],
  now: number,
): Promise<ReadonlyMap<string, Payment>> {
  const histories = await listHistories(db, [...new Set(subscriptions.map(({ streamId }) => streamId))])
  return new Map(subscriptions.map((one) => [one.id, paymentOf(one, histories.get(one.streamId) ?? [], now)]))
}

/** The same of one, among the events of its stream. */
export function paymentOf(subscription: Subscription, events: SubscriptionHistory['events'], now: number): Payment {
  const { reason } = entitlementOf(subscription, now)
  return decisiveEvent(events, { reason, until: subscription.changedAt }).payment
}

/** `amount` in centavos, or `foreign_amount` in another currency, as `USD 4900`; both null where nobody says how much. */
export function amountJson(payment: Payment) {
  return { amount: (payment && agreedAmount(payment)) ?? null, foreign_amount: foreignText(payment) }
}
