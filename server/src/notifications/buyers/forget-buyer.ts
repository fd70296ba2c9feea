import { type Forgotten, forgetBuyer, holdBuyer, type NormalizedEvent } from '../../payment-history/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { BUYER_FORGOTTEN, isOwnReason } from '../notification.ts'
import { notificationStore } from '../store.ts'
import { forgetBuyerStore } from './forget-buyer-store.ts'
import { scrubPayload, scrubQuery } from './scrub-payload.ts'

/**
 * Forgets a buyer in their purchases and in all notifications about them, inside the transaction that removes their account, and before the
 * account goes. An address counts as theirs only if the account has verified it. Answers the ids of what was theirs, and of all
 * notifications that were scrubbed.
 */
export async function forgetPurchases(
  tx: Transaction,
  userId: string,
  { storage, emailKey, at }: { storage: Storage; emailKey: Uint8Array; at: number },
): Promise<Forgotten> {
  const buyer = await holdBuyer(tx, userId, { storage })
  const about = buyer.email === undefined ? [] : await forgetBuyerStore(tx).listAbout(buyer.email)
  const subscriptionIds = about.flatMap(({ subscriptionId }) => (subscriptionId === undefined ? [] : [subscriptionId]))
  const forgotten = await forgetBuyer(tx, { buyer, subscriptionIds }, { emailKey, at })
  const notificationIds = [...new Set([...about.map(({ id }) => id), ...forgotten.notificationIds])]
  await scrubNotifications(tx, notificationIds, at)
  return { ...forgotten, notificationIds }
}

/**
 * Takes everything personal out of notifications. They stay as a record, and their digests still recognise a second sending. A pending one
 * that can only be processed by its buyer's address is given up.
 */
export async function scrubNotifications(tx: Transaction, ids: readonly string[], at: number): Promise<void> {
  const store = forgetBuyerStore(tx)
  for (const id of new Set(ids)) {
    const found = await store.read(id)
    if (!found) continue
    const scrubbed = {
      why: found.why !== undefined && isOwnReason(found.why, found.status) ? found.why : undefined,
      payload: scrubPayload(found.payload),
      query: found.query && scrubQuery(found.query),
      normalized: found.normalized && withoutBuyer(found.normalized),
      applied: found.applied.map((one) => ({ ...one, normalized: withoutBuyer(one.normalized), isScrubbed: true as const })),
    }
    await store.scrub(id, scrubbed, found)
    if (found.normalized && isOfBuyer(found.normalized))
      await notificationStore(tx).process(id, { status: 'ignored', why: BUYER_FORGOTTEN, at })
  }
}

function isOfBuyer({ stream }: NormalizedEvent): boolean {
  return stream.by === 'buyer' || (stream.by === 'gateway' && stream.own?.stream.by === 'buyer')
}

function withoutBuyer({ stream, plan, event }: NormalizedEvent): NormalizedEvent {
  return { stream, plan, event }
}
