import type { Announce } from '../../changes/index.ts'
import { type Storage, type Transaction, takeLockOnBuyer } from '../../storage/index.ts'
import { markSubscription } from '../reported/report-store.ts'
import { subscriptionStore } from '../subscription-store.ts'

/**
 * Links the guest purchases of a user's address to the user, inside the caller's transaction, if the address is verified; answers how many.
 * Call it where an address becomes a user's own, and where a user signs in. Of a purchase that arrives at the same moment, one of the two
 * transactions makes the link.
 */
export async function linkPurchases(
  tx: Transaction,
  userId: string,
  { announce, storage }: { announce: Announce; storage: Storage },
): Promise<number> {
  const subscriptions = subscriptionStore(tx)
  const email = await subscriptions.verifiedAddress(userId)
  if (email === undefined) return 0
  await takeLockOnBuyer(tx, email, storage)
  const linked = await subscriptions.link(userId, email)
  if (linked.length > 0) announce({ kind: 'user_changed', subject: userId })
  for (const subscription of linked) await markSubscription(tx, subscription, 'changed')
  return linked.length
}
