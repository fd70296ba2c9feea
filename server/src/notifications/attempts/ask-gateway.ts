import { z } from 'zod'
import type { Sealer } from '../../kit/index.ts'
import { addJob, findJob, type OnGivenUp, takeIdleJob } from '../../outbox/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { recordUnresolved } from '../record-unresolved.ts'
import { notificationStore } from '../store.ts'
import { type Attempt, attemptStore } from './attempt-store.ts'
import { failedStore } from './failed-store.ts'

interface AskDeps {
  sealer: Sealer
  at: number
}

/** The payload of a job that asks a gateway. */
export const askedAbout = z.object({ notificationId: z.string() })

/** The outbox lane of requests to a gateway for a product. */
export function laneOf(gateway: string, productId: string) {
  return `${gateway}/${productId}` as const
}

/** Leaves a job that asks the gateway about a notification. It has the notification's id, so there is one at most. */
export async function leaveToFetch(
  tx: Transaction,
  { id, source, productId }: { id: string; source: string; productId: string },
  { sealer, at }: AskDeps,
): Promise<void> {
  await addJob(tx, { id, kind: 'fetch_payment', payload: { notificationId: id }, lane: laneOf(source, productId) }, { sealer, at })
}

/**
 * Has the gateway asked at once about a notification that was given up, or that is to be asked about later. Of any number of calls one
 * does; the others answer `already`, since it is being asked. `undefined`: there is nothing to ask.
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
  const { wasFailed, ...whom } = asked
  if (!wasFailed && (await isBeingAsked(tx, id))) return 'already'
  await attemptStore(tx).note(id, { ...attempt, kind: 'retry', at, outcome: 'asked' })
  await takeFormerJob(tx, id, at)
  await leaveToFetch(tx, { id, ...whom }, deps)
  return 'asked'
}

/** Whether its job is about to begin, or under way: one that has failed waits before it is tried again. */
async function isBeingAsked(tx: Transaction, id: string): Promise<boolean> {
  const job = (await findJob(tx, id)) ?? (await findFormerJob(tx, id))
  return job !== undefined && job.deadAt === undefined && (job.attempts === 0 || job.leasedUntil !== undefined)
}

/** A job that an earlier version has left under an id of its own. */
async function findFormerJob(tx: Transaction, id: string) {
  const jobId = await attemptStore(tx).findJob(id)
  return jobId === undefined || jobId === id ? undefined : findJob(tx, jobId)
}

async function takeFormerJob(tx: Transaction, id: string, at: number): Promise<void> {
  const job = await findFormerJob(tx, id)
  if (job) await takeIdleJob(tx, job.id, at)
}

/** Ignores a notification whose gateway is to be asked, or was asked in vain, and removes its job. Answers whether it was such a one. */
export async function ignoreAsked(tx: Transaction, id: string, { reason, at }: { reason: string; at: number }): Promise<boolean> {
  if (!(await failedStore(tx).ignore(id, { why: reason, at }))) return false
  await takeIdleJob(tx, id, at)
  await takeFormerJob(tx, id, at)
  return true
}

/**
 * Notes that a notification has failed: its gateway is not asked any more. The operator hears of it, and can try again. Answers whether the
 * gateway was to be asked.
 */
export async function giveUpAsking(
  tx: Transaction,
  id: string,
  attempt: Pick<Attempt, 'kind' | 'at' | 'ms' | 'actor' | 'jobId'> & { why: string },
): Promise<boolean> {
  const { why, at } = attempt
  const notifications = notificationStore(tx)
  if (!(await failedStore(tx).holdAwaiting(id))) return false
  await notifications.process(id, { status: 'failed', why, at: at + (attempt.ms ?? 0) })
  await attemptStore(tx).note(id, { ...attempt, outcome: 'failed' })
  await recordUnresolved(tx, id, { why: 'failed', productId: undefined, at })
  return true
}

/** Longer answers of an API say no more. */
const MAX_WHY = 300

/** Runs beside the dead letter of a job that asked: its notification has failed. */
export const askingGivenUp: OnGivenUp = async (tx, { id: jobId, payload, why, begunAt, ms }) => {
  const id = askedAbout.safeParse(payload).data?.notificationId ?? jobId
  await giveUpAsking(tx, id, { kind: 'fetch', at: begunAt, ms, jobId, why: why.slice(0, MAX_WHY) })
}
