import {
  type ApplyDeps,
  aliasSource,
  isBuyerForgotten,
  type NormalizedEvent,
  type Pending,
  recordEvents,
  resolveEvent,
} from '../payment-history/index.ts'
import type { Transaction } from '../storage/index.ts'
import { attemptStore } from './attempts/attempt-store.ts'
import { stopwatch } from './attempts/attempts.ts'
import { scrubNotifications } from './buyers/forget-buyer.ts'
import { forgetUnkept } from './buyers/forget-unkept.ts'
import { statusOf, type Unresolved } from './notification.ts'
import { writeOutcomes } from './outcomes.ts'
import { findSingleDuplicate, learnMore } from './pending/duplicates.ts'
import { lockNames } from './pending/hold-pending.ts'
import { pendingFor } from './pending/pending-for.ts'
import { pendingStore } from './pending/pending-store.ts'
import { processPendingFor } from './pending/process-pending.ts'
import { leaveRest, type RestDeps } from './pending/process-pending-job.ts'
import { recordUnresolved } from './record-unresolved.ts'
import { notificationStore } from './store.ts'

export type ProcessDeps = ApplyDeps & RestDeps

/** A notification to be processed: its normalized event, and when it is processed, where that is not at once (ms). */
export interface Processing {
  id: string
  source: string
  normalized: NormalizedEvent
  processedAt?: number
  /** The payload of one that was added without it. */
  payload?: string
}

/**
 * Applies the event of a notification inside the transaction that received it, or leaves the notification pending with the reason. An event
 * whose plan alone is unknown is applied and left pending. Answers the subscription, or the reason. A repeated event is not added again.
 * Notifications that waited for this one are processed with it; a job does the rest of a long list. A receipt that leaves something to do
 * is noted as an attempt; of a later one the caller notes it.
 */
export async function process(
  tx: Transaction,
  given: Processing,
  deps: ProcessDeps,
): Promise<{ subscriptionId: string } | { unresolved: Unresolved }> {
  const elapsed = stopwatch()
  const processed = await processOne(tx, given, { ...deps, elapsed })
  if (given.processedAt === undefined && 'unresolved' in processed) {
    const { unresolved: why } = processed
    await attemptStore(tx).note(given.id, { kind: 'receipt', at: deps.at, ms: elapsed(), outcome: statusOf(why), why })
  }
  return processed
}

async function processOne(
  tx: Transaction,
  given: Processing,
  deps: ProcessDeps & { elapsed: () => number },
): Promise<{ subscriptionId: string } | { unresolved: Unresolved }> {
  const { id, normalized, processedAt, payload } = given
  const source = aliasSource(given.source, normalized)
  const processing = { ...given, source }
  await lockNames(tx, normalized, deps)
  const found = await resolveEvent(tx, source, normalized)
  if ('unresolved' in found) return { unresolved: await leavePending(tx, processing, found, deps.at) }
  const recorded = await recordEvents(
    tx,
    async (add) => {
      await add({ notificationId: id, source, normalized }, found)
      // A notification that is processed at once has never waited.
      if (processedAt !== undefined && !found.isPlanMissing) await pendingStore(tx).endPending(id)
      for (const subject of pendingFor(source, normalized)) {
        if (found.isPlanMissing) await pendingStore(tx).wait(id, { ...subject, key: normalized.event.key })
        const rest = await processPendingFor(tx, add, subject)
        if (rest) await leaveRest(tx, rest, deps)
      }
    },
    deps,
  )
  const atOnce = processedAt === undefined ? { id, payload, tookMs: deps.elapsed() } : undefined
  await writeOutcomes(tx, recorded, { atOnce, ownId: id, at: deps.at })
  const own = recorded.find(({ notificationId }) => notificationId === id)
  if (!own) throw new Error('a notification just recorded has no subscription')
  return own.isPlanMissing ? { unresolved: 'unknown_plan' } : { subscriptionId: own.subscriptionId }
}

/**
 * Leaves the notification pending under the names of its payment. If another one waits with the same event, this one is a duplicate: the
 * operator has one thing to resolve.
 */
async function leavePending(
  tx: Transaction,
  { id, source, normalized, payload }: Processing,
  { unresolved: why, mismatch }: Pending,
  at: number,
): Promise<Unresolved> {
  const { stream } = normalized
  const kept = payload === undefined ? {} : { payload }
  const notifications = notificationStore(tx)
  const duplicateId = stream.by === 'gateway' ? await findSingleDuplicate(tx, source, { ...normalized, stream }) : undefined
  if (stream.by === 'gateway' && duplicateId !== undefined && duplicateId < id) {
    await learnMore(tx, duplicateId, { ...normalized, stream })
    await notifications.process(id, { status: statusOf('duplicate'), why: 'duplicate' satisfies Unresolved, at, ...kept })
    await pendingStore(tx).endPending(id)
    await forgetUnkept(tx, id, normalized.email)
    return 'duplicate'
  }
  await notifications.process(id, { status: statusOf(why), why, normalized, ...kept, ...(mismatch && { mismatch }) })
  for (const subject of pendingFor(source, normalized)) await pendingStore(tx).wait(id, { ...subject, key: normalized.event.key })
  if (statusOf(why) === 'unresolved') await recordUnresolved(tx, id, { why, productId: normalized.plan.productId, at })
  if (stream.by === 'own' && (await isBuyerForgotten(tx, { source, ref: stream.ref }))) await scrubNotifications(tx, [id], at)
  return why
}
