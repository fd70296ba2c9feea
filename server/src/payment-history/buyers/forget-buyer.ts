import { hmacSha256 } from '../../kit/index.ts'
import { type Queryable, type Storage, type Transaction, takeLockOnBuyer } from '../../storage/index.ts'
import { markSubscription, type StreamKey } from '../../subscriptions/index.ts'
import { type BoughtRow, type Buyer, forgetBuyerStore } from './forget-buyer-store.ts'

/** Ids of a forgotten buyer's own subscriptions, merged ones too, and of the notifications that brought the events. */
export interface Forgotten {
  subscriptionIds: string[]
  notificationIds: string[]
}

/**
 * Holds everything of a buyer until the transaction ends, in which the account will go: other transactions with events of the buyer wait.
 * The order is the account's row, the streams, the buyer's lock. A sign-in and an event lock in this order too, so no two wait for each
 * other.
 */
export async function holdBuyer(tx: Transaction, userId: string, { storage }: { storage: Storage }): Promise<Buyer> {
  const store = forgetBuyerStore(tx)
  const buyer = { userId, email: await store.holdVerifiedAddress(userId) }
  await store.holdStreams(buyer, [])
  if (buyer.email !== undefined) await takeLockOnBuyer(tx, buyer.email, storage)
  return buyer
}

/**
 * Removes the addresses from the purchases of a held buyer and from their events, in the caller's transaction. Ids, amounts, times and
 * plans stay, and so do a product's link to its own id of the user (a link to the account's id goes) and a keyed hash by which support can
 * still find the purchase. No address links it any more, and no later event brings an address back. `subscriptionIds` name other
 * subscriptions in which the address may stand. Answers the ids of what was the buyer's.
 */
export async function forgetBuyer(
  tx: Transaction,
  { buyer, subscriptionIds }: { buyer: Buyer; subscriptionIds: readonly string[] },
  { emailKey, at }: { emailKey: Uint8Array; at: number },
): Promise<Forgotten> {
  const store = forgetBuyerStore(tx)
  const forgotten: Forgotten = { subscriptionIds: [], notificationIds: [] }
  for (const stream of await store.holdStreams(buyer, subscriptionIds)) {
    await store.unlinkUserId(stream.id, buyer.userId)
    const bought = await store.listOfStream(stream.id)
    const own = bought.filter((subscription) => isOf(subscription, buyer))
    const newest = bought.at(-1)
    const isOver = newest !== undefined && !own.includes(newest) // the stream has gone to someone else
    for (const { id, email } of own) await store.forgetAddress(id, email && hashEmail(email, emailKey), at)
    const ownIds = own.map(({ id }) => id)
    forgotten.subscriptionIds.push(...ownIds, ...(await store.listMergedSubscriptions(ownIds)))
    for (const subscription of bought) await markSubscription(tx, subscription, 'changed')
    const named = isOver ? [] : [stream, ...(await store.listMergedStreams(stream.id))]
    for (const { id, ref } of named) await store.forgetStream(id, refWithout({ id, ref }, [...bought, buyer], emailKey), at)
    if (isOver && buyer.email === undefined) continue
    forgotten.notificationIds.push(...(await store.forgetInEvents(stream.id, isOver ? buyer.email : undefined)))
  }
  return forgotten
}

/** Whether the buyer of a stream is forgotten, so that nothing is kept of an address that events of it brings. */
export function isBuyerForgotten(db: Queryable, stream: StreamKey): Promise<boolean> {
  return forgetBuyerStore(db).isForgotten(stream)
}

/**
 * The hash that replaces a forgotten address. The same address has the same hash, and no address can be guessed from it without the key.
 */
export function hashEmail(email: string, emailKey: Uint8Array): string {
  return hmacSha256(emailKey, email).toString('hex')
}

function isOf({ userId, email }: BoughtRow, buyer: Buyer): boolean {
  return userId === buyer.userId || (email !== undefined && email === buyer.email)
}

/**
 * The name of a stream without its buyer's address: a hash replaces the address, and the stream's id is added. The address may buy the same
 * again, and be forgotten again.
 */
function refWithout(
  { id, ref }: { id: string; ref: string },
  named: ReadonlyArray<{ email: string | undefined }>,
  emailKey: Uint8Array,
): string {
  const address = named.map(({ email }) => email).find((email) => email !== undefined && ref.startsWith(`${email} `))
  return address === undefined ? ref : `${hashEmail(address, emailKey)}${ref.slice(address.length)} ${id}`
}
