import { recordAudit, SYSTEM } from '../audit/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Outcome } from './deliveries/outcome-store.ts'
import { afterFailure } from './deliveries/retries.ts'
import { asksForPause, hasArrived } from './deliveries/send.ts'
import { disableWithEvent } from './endpoints/disable-endpoint.ts'
import { healthStore } from './health-store.ts'
import { type MailDeps, mailOwners } from './mail-owners.ts'

const GONE = 410

/**
 * The meaning of attempts for their endpoint, in the transaction that writes them down: a success ends a failure, 410 disables, and so do
 * five days of failure of which the owners have known for a day. They are notified by mail of both.
 */
export async function judgeEndpoint(
  tx: Transaction,
  { id, outcomes, at }: { id: string; outcomes: readonly Outcome[]; at: number },
  deps: MailDeps,
): Promise<void> {
  const health = healthStore(tx)
  const pauses = outcomes.flatMap(({ attempt }) => (asksForPause(attempt) ? [at + (attempt.retryAfterMs ?? 0)] : []))
  const isGone = outcomes.some(({ attempt }) => attempt.status === GONE)
  // Written first: what has arrived beside it, in the same moment, ends a failure, but no pause.
  if (pauses.length > 0) await health.pause(id, Math.max(...pauses))
  if (!isGone && outcomes.some(({ attempt }) => hasArrived(attempt))) return health.clearFailure(id)
  const failing = await health.noteFailure(id, at)
  if (!failing) return
  const next = isGone ? 'disable' : afterFailure(failing, at)
  if (next === 'goes_on') return
  if (next === 'warn') {
    await health.noteWarning(id, at)
    await recordAudit(tx, { actor: SYSTEM, action: 'endpoint.failing', target: id, after: { since: failing.failingSince } }, at)
    return mailOwners(tx, { id, what: 'failing', since: failing.failingSince, attempt: outcomes.at(-1)?.attempt }, deps, at)
  }
  const reason = isGone ? 'gone' : 'failing'
  await disableWithEvent(tx, id, { reason, at, actor: SYSTEM })
  const what = isGone ? 'disabled_gone' : 'disabled_failing'
  await mailOwners(tx, { id, what, since: failing.failingSince, attempt: outcomes.at(-1)?.attempt }, deps, at)
}
