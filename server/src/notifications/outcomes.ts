import type { RecordedEvent } from '../payment-history/index.ts'
import type { Transaction } from '../storage/index.ts'
import { attemptStore } from './attempts/attempt-store.ts'
import { scrubNotifications } from './buyers/forget-buyer.ts'
import { statusOf, type Unresolved } from './notification.ts'
import { recordUnresolved } from './record-unresolved.ts'
import { notificationStore } from './store.ts'

/**
 * Writes the outcome of each notification. `atOnce`: the one that was received a moment ago and never waited, with its payload if that is
 * not written yet. The others have waited for `ownId`, whose attempt the caller notes.
 */
export async function writeOutcomes(
  tx: Transaction,
  recorded: readonly RecordedEvent[],
  { atOnce, ownId = atOnce?.id, at }: { atOnce: AtOnce | undefined; ownId?: string; at: number },
): Promise<void> {
  for (const one of recorded) {
    await writeOutcome(tx, one, one.notificationId === atOnce?.id ? { payload: atOnce.payload, tookMs: atOnce.tookMs } : { at })
    if (one.notificationId !== ownId) await attemptStore(tx).note(one.notificationId, { kind: 'other', at, ...outcomeOf(one) })
    const why = 'unknown_plan' satisfies Unresolved
    if (one.isPlanMissing) await recordUnresolved(tx, one.notificationId, { why, productId: one.applied.productId, at })
    // The event of a forgotten buyer is recorded without the address; its notification keeps none either.
    if (one.isBuyerForgotten) await scrubNotifications(tx, [one.notificationId], at)
  }
}

interface AtOnce {
  id: string
  payload?: string | undefined
  /** How long it has taken so far. */
  tookMs?: number
}

function outcomeOf({ isPlanMissing }: RecordedEvent) {
  return isPlanMissing
    ? ({ outcome: 'unresolved', why: 'unknown_plan' satisfies Unresolved } as const)
    : ({ outcome: 'processed' } as const)
}

async function writeOutcome(
  tx: Transaction,
  { notificationId, applied, subscriptionId, isPlanMissing, mismatch }: RecordedEvent,
  { payload, tookMs, at }: { payload?: string | undefined; tookMs?: number | undefined; at?: number },
): Promise<void> {
  const store = notificationStore(tx)
  if (isPlanMissing) {
    const why = 'unknown_plan' satisfies Unresolved
    const normalized = { ...applied.normalized, isApplied: true }
    return store.process(notificationId, {
      status: statusOf(why),
      why,
      normalized,
      applied,
      subscriptionId,
      ...(payload !== undefined && { payload }),
      ...(tookMs !== undefined && { tookMs }),
    })
  }
  await store.process(notificationId, {
    status: 'processed',
    applied,
    subscriptionId,
    ...(mismatch && { mismatch }),
    ...(payload !== undefined && { payload }),
    ...(tookMs !== undefined && { tookMs }),
    ...(at !== undefined && { at }),
  })
}
