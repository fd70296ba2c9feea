import { type Transaction, takeLockOnPayment } from '../storage/index.ts'
import { type ApplyDeps, applyNews, isBuyerForgotten } from '../subscriptions/index.ts'
import { scrubNotifications } from './forget-buyer.ts'
import type { Told, Unresolved } from './notification.ts'
import { paymentStore } from './payment-store.ts'
import { type GatewayLine, namesOf, type Resolved, resolveTold, subjectsOf } from './resolve-told.ts'
import { notificationStore } from './store.ts'

interface Settling {
  id: string
  source: string
  told: Told
}

type SettleDeps = ApplyDeps & { settledAt?: number }

/**
 * Applies what a notification tells, or leaves it waiting with the reason, inside the transaction that received it. Answers the subscription, or why it waits.
 * Bears repetition: an event that is there already is not added again.
 */
export async function settle(
  tx: Transaction,
  settling: Settling,
  deps: SettleDeps,
): Promise<{ subscriptionId: string } | { unresolved: Unresolved }> {
  const { line } = settling.told
  // A payment and its refund that come at once see each other: else the refund could wait for what is already there. In one order, so that no two wait for each other.
  const names = line.by === 'gateway' ? subjectsOf(line).sort() : []
  for (const name of names) await takeLockOnPayment(tx, name, deps.storage)
  return settleAlone(tx, settling, deps)
}

async function settleAlone(
  tx: Transaction,
  { id, source, told }: Settling,
  deps: SettleDeps,
): Promise<{ subscriptionId: string } | { unresolved: Unresolved }> {
  const { settledAt } = deps
  const found = await resolveTold(tx, source, told)
  if ('unresolved' in found) {
    await leaveWaiting(tx, { id, source, told }, found.unresolved, deps.at)
    return found
  }
  const { email, plan, ref } = found
  const news = { line: { source, ref }, productId: plan.productId, event: complete(told.event, found), notificationId: id }
  const subscription = await applyNews(tx, news, deps)
  await notificationStore(tx).settle(id, {
    status: 'processed',
    subscriptionId: subscription.id,
    ...(settledAt !== undefined && { at: settledAt }),
  })
  // News of a forgotten buyer is applied without the address; what brought it keeps none either.
  const isAddressGone = email !== undefined && subscription.email === undefined
  if (isAddressGone && (await isBuyerForgotten(tx, { source, ref }))) await scrubNotifications(tx, [id], deps.at)
  if (told.line.by === 'gateway') await settleWaitingFor(tx, { source, line: told.line, found }, deps)
  return { subscriptionId: subscription.id }
}

async function leaveWaiting(tx: Transaction, { id, source, told }: Settling, why: Unresolved, at: number): Promise<void> {
  const { line } = told
  await notificationStore(tx).settle(id, { status: 'unresolved', why, told })
  const [subject] = line.by === 'gateway' && why === 'unknown_payment' ? subjectsOf(line) : []
  if (subject !== undefined) await paymentStore(tx).waitUnder(id, subject)
  if (line.by === 'own' && (await isBuyerForgotten(tx, { source, ref: line.ref }))) await scrubNotifications(tx, [id], at)
}

/** What a gateway has told too early of this subscription or payment, and now can be told of. */
async function settleWaitingFor(
  tx: Transaction,
  { source, line, found: { ref, paymentId } }: { source: string; line: GatewayLine; found: Resolved },
  deps: ApplyDeps,
): Promise<void> {
  if (paymentId !== undefined) await paymentStore(tx).remember(source, line.productId, namesOf(line), { paymentId, lineRef: ref })
  for (const waiting of await notificationStore(tx).holdWaitingFor(source, line.productId, subjectsOf(line))) {
    await settleAlone(tx, { ...waiting, source }, { ...deps, settledAt: deps.at })
  }
}

/** Every property by name, since what was left out of JSON is not there at all. */
function complete(event: Told['event'], { email, plan, paymentId }: Resolved) {
  const { key, kind, at, amount, method, periodEnd } = event
  return { key, kind, at, planId: plan.planId, email, paymentId, amount, method, periodEnd }
}
