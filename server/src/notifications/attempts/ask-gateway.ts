import type { Sealer } from '../../kit/index.ts'
import { addJob, reviveJob, takeIdleJob } from '../../outbox/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { type Attempt, attemptStore } from './attempt-store.ts'
import { failedStore } from './failed-store.ts'

interface AskDeps {
  sealer: Sealer
  at: number
}

/** The outbox lane of requests to a gateway for a product. */
export function laneOf(gateway: string, productId: string) {
  return `${gateway}/${productId}` as const
}

/** Leaves a job that asks the gateway about a notification. */
export async function leaveToFetch(
  tx: Transaction,
  { id, source, productId }: { id: string; source: string; productId: string },
  { sealer, at }: AskDeps,
): Promise<void> {
  await addJob(tx, { kind: 'fetch_payment', payload: { notificationId: id }, lane: laneOf(source, productId) }, { sealer, at })
}

/**
 * Has the gateway asked again about a notification that was given up: its own job, or a new one where that is not known. Of any number of
 * calls one does; the others answer `true` as well, since it is being asked. `undefined`: there is nothing to ask.
 */
export async function askAgain(
  tx: Transaction,
  id: string,
  attempt: Pick<Attempt, 'actor' | 'runId'>,
  deps: AskDeps,
): Promise<'asked' | 'already' | undefined> {
  const { at } = deps
  const asked = await failedStore(tx).reopen(id)
  if (asked === undefined) return undefined
  if (asked === 'already') return 'already'
  await attemptStore(tx).note(id, { ...attempt, kind: 'retry', at, outcome: 'asked' })
  const job = await attemptStore(tx).findJob(id)
  const isRevived = job !== undefined && (await reviveJob(tx, job, at)) !== undefined
  if (!isRevived) await leaveToFetch(tx, { id, ...asked }, deps)
  return 'asked'
}

/** Says of a notification that was given up that nothing is to be done; its dead job goes. Answers whether it was one. */
export async function ignoreFailed(tx: Transaction, id: string, { reason, at }: { reason: string; at: number }): Promise<boolean> {
  if (!(await failedStore(tx).ignore(id, { why: reason, at }))) return false
  const job = await attemptStore(tx).findJob(id)
  if (job !== undefined) await takeIdleJob(tx, job, at)
  return true
}
