import { normaliseEmail } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { type ApplyDeps, applyNews, type FoundPlan, findPlan, isBuyerForgotten } from '../subscriptions/index.ts'
import { scrubNotifications } from './forget-buyer.ts'
import type { Told, Unresolved } from './notification.ts'
import { notificationStore } from './store.ts'

/**
 * Applies what a notification tells, or leaves it waiting with the reason, inside the transaction that received it. Answers the subscription, or why it waits.
 * Bears repetition: an event that is there already is not added again.
 */
export async function settle(
  tx: Transaction,
  { id, source, told }: { id: string; source: string; told: Told },
  deps: ApplyDeps & { settledAt?: number },
): Promise<{ subscriptionId: string } | { unresolved: Unresolved }> {
  const { settledAt } = deps
  const found = await resolve(tx, told)
  if ('unresolved' in found) {
    await notificationStore(tx).settle(id, { status: 'unresolved', why: found.unresolved, told })
    if (told.line.by === 'own' && (await isBuyerForgotten(tx, { source, ref: told.line.ref }))) await scrubNotifications(tx, [id], deps.at)
    return found
  }
  const { email, plan, ref } = found
  const event = { ...told.event, paymentId: told.event.paymentId, planId: plan.planId, email }
  const news = { line: { source, ref }, productId: plan.productId, event: complete(event), notificationId: id }
  const subscription = await applyNews(tx, news, deps)
  await notificationStore(tx).settle(id, {
    status: 'processed',
    subscriptionId: subscription.id,
    ...(settledAt !== undefined && { at: settledAt }),
  })
  // News of a forgotten buyer is applied without the address; what brought it keeps none either.
  const isAddressGone = email !== undefined && subscription.email === undefined
  if (isAddressGone && (await isBuyerForgotten(tx, { source, ref }))) await scrubNotifications(tx, [id], deps.at)
  return { subscriptionId: subscription.id }
}

type Resolved = { email: string | undefined; plan: FoundPlan; ref: string }

async function resolve(tx: Transaction, { line, plan, email: sent }: Told): Promise<Resolved | { unresolved: Unresolved }> {
  const email = sent === undefined ? undefined : normaliseEmail(sent)
  if (sent !== undefined && email === undefined) return { unresolved: 'unusable_address' }
  const found = await findPlan(tx, plan)
  if (typeof found === 'string') return { unresolved: found }
  if (line.by === 'own') return { email, plan: found, ref: line.ref }
  if (email === undefined) return { unresolved: 'unusable_address' }
  return { email, plan: found, ref: `${email} ${line.productId} ${line.planSlug}` }
}

/** Every property by name, since what was left out of JSON is not there at all. */
function complete(event: Told['event'] & { planId: string; email: string | undefined }) {
  const { key, kind, at, planId, email, paymentId, amount, method, periodEnd } = event
  return { key, kind, at, planId, email, paymentId, amount, method, periodEnd }
}
