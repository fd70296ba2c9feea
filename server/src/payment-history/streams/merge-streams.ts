import { type Transaction, takeLockOnBuyer } from '../../storage/index.ts'
import { announceLinks, markSubscription, type Subscription, subscriptionStore } from '../../subscriptions/index.ts'
import { foldStream } from '../apply.ts'
import type { PlanBy } from '../events/merge-events-store.ts'
import type { ApplyDeps } from '../write-subscriptions.ts'
import type { EventStream } from './event-stream.ts'
import { mergeStore } from './merge-store.ts'
import { movedEventStore } from './moved-event-store.ts'

/**
 * Makes held streams a part of another held one: all are of one payment. Their events move to it, and later events go to it. The caller has
 * to fold it with `foldMerged`. Answers the links of the removed subscriptions. If the buyer of one of the streams is forgotten, the whole
 * takes no address any more; another buyer's purchases stay theirs. `same`: payments that a common event shows to be one; the payment of
 * the present event keeps its id.
 */
export async function mergeStreams(
  tx: Transaction,
  into: EventStream,
  parts: readonly EventStream[],
  { paymentId, ...deps }: ApplyDeps & { planBy: PlanBy; paymentId: string | undefined },
): Promise<{ merged: Merged; same: SamePayment[] }> {
  const store = mergeStore(tx)
  const streamIds = [into, ...parts].map(({ id }) => id)
  for (const email of await movedEventStore(tx).listAddresses(streamIds)) await takeLockOnBuyer(tx, email, deps.storage)
  const forgotten = await store.listForgotten(streamIds)
  const subscriptions: Subscription[] = []
  const hashes: string[] = []
  const same: SamePayment[] = []
  for (const part of parts) {
    same.push(...(await unitePayments(tx, { into, part, streamIds, paymentId })))
    await movedEventStore(tx).moveEvents(part.id, into.id, deps.planBy)
    const { removed, emailHashes } = await store.removeSubscriptions(part.id)
    subscriptions.push(...removed)
    hashes.push(...emailHashes)
    await store.pointTo(part.id, into.id)
  }
  const isForgotten = [into, ...parts].some(({ isBuyerForgotten }) => isBuyerForgotten)
  if (isForgotten) await store.closeToAddresses(into.id, deps.at)
  return { merged: { stream: { ...into, isBuyerForgotten: isForgotten }, subscriptions, emailHash: hashes[0], forgotten }, same }
}

/** The id of a payment, and a former id of it. */
export interface SamePayment {
  paymentId: string
  formerId: string
}

/** Finds payments that are one because both streams have the same event of them. */
async function unitePayments(
  tx: Transaction,
  {
    into,
    part,
    streamIds,
    paymentId,
  }: { into: EventStream; part: EventStream; streamIds: readonly string[]; paymentId: string | undefined },
): Promise<SamePayment[]> {
  const store = movedEventStore(tx)
  const same: SamePayment[] = []
  for (;;) {
    const pair = await store.findSamePayment(into.id, part.id)
    if (!pair) return same
    const [kept, former] = pair[1] === paymentId ? [pair[1], pair[0]] : pair
    await store.renamePayments(streamIds, [former], kept)
    same.push({ paymentId: kept, formerId: former })
  }
}

export interface Merged {
  stream: EventStream
  /** The subscriptions of the merged streams, with their links. */
  subscriptions: readonly Subscription[]
  emailHash: string | undefined
  /** The ids of subscriptions whose buyer was forgotten, of the remaining stream as well. */
  forgotten: readonly string[]
}

/**
 * Folds a stream that others became a part of, and gives its subscription their links, if it has none of its own. The operator's decisions
 * about any of them stay.
 */
export async function foldMerged(
  tx: Transaction,
  { stream, subscriptions, emailHash, forgotten }: Merged,
  deps: ApplyDeps,
): Promise<Subscription> {
  const joins = subscriptions.some(({ id }) => !forgotten.includes(id))
  const folded = await foldStream(tx, stream, { only: undefined, joins }, deps)
  const store = mergeStore(tx)
  // A forgotten buyer decides nothing about another buyer's purchases.
  const [own, ...others] = [folded, ...subscriptions].filter(({ id }) => !forgotten.includes(id))
  const joined = own ? others.reduce<Links>(joinLinks, own) : folded
  const links = joinProductUsers(joined, [folded, ...subscriptions])
  for (const removed of subscriptions) {
    announceLinks(deps.announce, removed)
    await markSubscription(tx, removed, 'changed')
  }
  await store.replace(
    subscriptions.map(({ id }) => id),
    folded.id,
  )
  await store.setLinks(folded.id, { ...links, emailHash })
  const written = await subscriptionStore(tx).findById(folded.id)
  if (!written) throw new Error('a subscription just written is not there')
  await markSubscription(tx, written, 'changed')
  for (const linked of [folded, written]) announceLinks(deps.announce, linked)
  return written
}

type Links = Pick<Subscription, 'userId' | 'productUser' | 'linkClosedAt'>

function joinProductUsers(links: Links, all: readonly Links[]): Links {
  return { ...links, productUser: all.map(({ productUser }) => productUser).find((productUser) => productUser !== undefined) }
}

function joinLinks(own: Links, other: Links): Links {
  const productUser = own.productUser ?? other.productUser
  if (own.linkClosedAt !== undefined) return { userId: own.userId, linkClosedAt: own.linkClosedAt, productUser }
  if (other.linkClosedAt !== undefined) return { userId: other.userId, linkClosedAt: other.linkClosedAt, productUser }
  return { userId: own.userId ?? other.userId, linkClosedAt: undefined, productUser }
}
