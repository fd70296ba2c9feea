import type { Actor } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { notificationStore } from '../../notifications/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { type Subscription, subscriptionStore } from '../../subscriptions/index.ts'
import type { PastEvent, Recorded } from './past-event.ts'

export interface ImportPurchasesDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  actor: Actor
  /** Called after each transaction with the number of events that are done. */
  onDone: (events: number) => void
}

export interface Written {
  recorded: Recorded[]
  subscriptions: Subscription[]
}

export async function recordAll(
  tx: Transaction,
  announce: Announce,
  portion: readonly PastEvent[],
  { storage, sealer, now }: ImportPurchasesDeps,
): Promise<Written> {
  const first: Recorded[] = []
  for (const event of portion) first.push(await event.record(tx, { announce, storage, sealer, at: now() }))
  const recorded: Recorded[] = []
  for (const one of first) recorded.push(one.outcome === 'pending' ? await lookAgain(tx, one) : one)
  const touched = new Set(recorded.flatMap((one) => (one.outcome === 'applied' ? [one.subscriptionId] : [])))
  const subscriptions: Subscription[] = []
  for (const id of touched) {
    // It may have become a part of another one meanwhile.
    const found = await subscriptionStore(tx).findById(id)
    if (found) subscriptions.push(found)
  }
  return { recorded, subscriptions }
}

/** A refund may come before its payment, which has processed it since. */
async function lookAgain(tx: Transaction, pending: Recorded & { outcome: 'pending' }): Promise<Recorded> {
  const { status, subscriptionId } = (await notificationStore(tx).findById(pending.id)) ?? {}
  return status === 'processed' && subscriptionId !== undefined ? { outcome: 'applied', subscriptionId } : pending
}
