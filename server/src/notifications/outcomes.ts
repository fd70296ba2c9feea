import type { RecordedEvent } from '../payment-history/index.ts'
import type { Transaction } from '../storage/index.ts'
import { scrubNotifications } from './buyers/forget-buyer.ts'
import { statusOf, type Unresolved } from './notification.ts'
import { recordUnresolved } from './record-unresolved.ts'
import { notificationStore } from './store.ts'

/**
 * Writes the outcome of each notification. `atOnce`: the one that was received a moment ago and never waited, with its payload if that is
 * not written yet.
 */
export async function writeOutcomes(
  tx: Transaction,
  recorded: readonly RecordedEvent[],
  { atOnce, at }: { atOnce: { id: string; payload?: string | undefined } | undefined; at: number },
): Promise<void> {
  for (const one of recorded) {
    await writeOutcome(tx, one, one.notificationId === atOnce?.id ? { payload: atOnce.payload } : { at })
    const why = 'unknown_plan' satisfies Unresolved
    if (one.isPlanMissing) await recordUnresolved(tx, one.notificationId, { why, productId: one.applied.productId, at })
    // The event of a forgotten buyer is recorded without the address; its notification keeps none either.
    if (one.isBuyerForgotten) await scrubNotifications(tx, [one.notificationId], at)
  }
}

async function writeOutcome(
  tx: Transaction,
  { notificationId, applied, subscriptionId, isPlanMissing, mismatch }: RecordedEvent,
  { payload, at }: { payload?: string | undefined; at?: number },
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
    })
  }
  await store.process(notificationId, {
    status: 'processed',
    applied,
    subscriptionId,
    ...(mismatch && { mismatch }),
    ...(payload !== undefined && { payload }),
    ...(at !== undefined && { at }),
  })
}
