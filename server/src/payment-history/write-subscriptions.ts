import { isDeepStrictEqual } from 'node:util'
import type { Announce } from '../changes/index.ts'
import { newId } from '../kit/index.ts'
import { type GraceDays, listGraceDays } from '../products/index.ts'
import { type Storage, type Transaction, takeLockOnGrace } from '../storage/index.ts'
import {
  accessSubject,
  announceLinks,
  graceDays,
  hasGrace,
  markSubscription,
  type Subscription,
  subscriptionStore,
  validityOf,
} from '../subscriptions/index.ts'
import type { FoldedSubscription } from './fold/conclude.ts'
import { factsOf, keptAddress } from './fold/facts.ts'
import type { EventStream } from './streams/event-stream.ts'
import { mergeStore } from './streams/merge-store.ts'

export interface ApplyDeps {
  announce: Announce
  storage: Storage
  at: number
}

export async function writeAll(
  tx: Transaction,
  { stream, folded, known }: { stream: EventStream; folded: readonly FoldedSubscription[]; known: readonly Subscription[] },
  deps: ApplyDeps,
): Promise<Subscription> {
  const ofProduct = stream.productId !== undefined && folded.some(hasGrace) ? await readGrace(tx, stream.productId, deps.storage) : {}
  // An old event can show that there never was a second subscription. Its links go to the last one then.
  const surplus = known.length > folded.length ? await subscriptionStore(tx).removeFrom(stream.id, folded.length) : []
  for (const removed of surplus) {
    announceLinks(deps.announce, removed)
    await markSubscription(tx, removed, 'changed')
  }
  let last: Subscription | undefined
  for (const [number, facts] of folded.entries()) {
    const before = known[number]
    const linkedLike = before ? (number === folded.length - 1 ? surplus.at(-1) : undefined) : last
    last = await write(tx, { stream, number, facts, days: graceDays(facts.method, ofProduct), before, linkedLike }, deps)
  }
  if (!last) throw new Error('events that comes to no subscription')
  await mergeStore(tx).replace(
    surplus.map(({ id }) => id),
    last.id,
  )
  return last
}

/**
 * The days of grace, unchanged until this transaction has ended. A transaction that changes the days moves all subscriptions that are there
 * by then.
 */
export async function readGrace(tx: Transaction, productId: string, { address }: Pick<Storage, 'address'>): Promise<GraceDays> {
  await takeLockOnGrace(tx, productId, { does: 'count', address })
  return listGraceDays(tx, productId)
}

interface Write {
  stream: EventStream
  number: number
  facts: FoldedSubscription
  days: number
  before: Subscription | undefined
  /** A subscription of the same stream, whose links it takes over if it has none. */
  linkedLike: Subscription | undefined
}

async function write(tx: Transaction, { stream, number, facts, days, before, linkedLike }: Write, deps: ApplyDeps): Promise<Subscription> {
  const subscription: Subscription = {
    ...factsOf(facts, validityOf(facts, days)),
    ...linksOf(before, linkedLike),
    email: keptAddress(facts.email, before),
    isBuyerForgotten: before?.isBuyerForgotten ?? false,
    id: before?.id ?? newId(),
    streamId: stream.id,
    number,
    productId: stream.productId,
  }
  if (isDeepStrictEqual(before, subscription)) return subscription
  const store = subscriptionStore(tx)
  const { written, awaitsLink } = before ? await store.update(subscription) : await store.insert(subscription, deps.at)
  await markSubscription(tx, written, before ? 'changed' : 'made')
  announceLinks(deps.announce, written)
  if (before && before.userId !== written.userId) announceLinks(deps.announce, before)
  if (awaitsLink) announceAddress(deps.announce, written)
  return written
}

/** For those who asked with the buyer's address beside an id. */
function announceAddress(announce: Announce, { productId, email }: Subscription): void {
  if (productId !== undefined && email !== undefined) announce({ kind: 'access_changed', subject: accessSubject(productId, email) })
}

type Links = Pick<Subscription, 'userId' | 'productUser' | 'linkClosedAt'>

/** Its own links. If it has none, those of the other, unless the operator has closed it to accounts. */
function linksOf(own: Links | undefined, other: Links | undefined): Links {
  const isClosed = own?.linkClosedAt !== undefined
  return {
    userId: own?.userId ?? (isClosed ? undefined : other?.userId),
    productUser: own?.productUser ?? other?.productUser,
    linkClosedAt: own ? own.linkClosedAt : other?.linkClosedAt,
  }
}
