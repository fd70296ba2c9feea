import { type Transaction, takeLockOnBuyer } from '../storage/index.ts'
import { announceLinks } from './announce.ts'
import { type ApplyDeps, foldLine } from './apply.ts'
import type { PlanBy } from './joined-news-store.ts'
import { mergeStore } from './merge-store.ts'
import type { Line, Subscription } from './subscription.ts'
import { subscriptionStore } from './subscription-store.ts'

/**
 * Makes held lines a part of another held one, as all are of one payment: their news is told of that line now, and what is told of them later is told of it. It has to be
 * folded by `foldMerged` afterwards. Answers what takes its place: the links of their subscriptions. Where the buyer of one of the lines was forgotten, no address is
 * added to the whole; what another buyer has bought stays theirs.
 */
export async function mergeLines(
  tx: Transaction,
  into: Line,
  parts: readonly Line[],
  deps: ApplyDeps & { planBy: PlanBy },
): Promise<Merged> {
  const store = mergeStore(tx)
  for (const email of await store.listAddresses([into, ...parts].map(({ id }) => id))) await takeLockOnBuyer(tx, email, deps.storage)
  const forgotten = await store.listForgotten([into, ...parts].map(({ id }) => id))
  const subscriptions: Subscription[] = []
  const hashes: string[] = []
  for (const part of parts) {
    await store.moveEvents(part.id, into.id, deps.planBy)
    const { removed, emailHashes } = await store.removeSubscriptions(part.id)
    subscriptions.push(...removed)
    hashes.push(...emailHashes)
    await store.pointTo(part.id, into.id)
  }
  const isForgotten = [into, ...parts].some(({ isBuyerForgotten }) => isBuyerForgotten)
  if (isForgotten) await store.closeToAddresses(into.id, deps.at)
  return { line: { ...into, isBuyerForgotten: isForgotten }, subscriptions, emailHash: hashes[0], forgotten }
}

export interface Merged {
  line: Line
  /** Of the lines that are no more, with their links. */
  subscriptions: readonly Subscription[]
  emailHash: string | undefined
  /** Ids of subscriptions whose buyer was forgotten, of the line that stays as well. */
  forgotten: readonly string[]
}

/** Folds a line that others became a part of, and gives what it comes to their links, where it has none of its own. What the operator has decided of any of them stays. */
export async function foldMerged(
  tx: Transaction,
  { line, subscriptions, emailHash, forgotten }: Merged,
  deps: ApplyDeps,
): Promise<Subscription> {
  const folded = await foldLine(tx, line, { only: undefined }, deps)
  const store = mergeStore(tx)
  // That a buyer was forgotten decides nothing about what another has bought.
  const [own, ...others] = [folded, ...subscriptions].filter(({ id }) => !forgotten.includes(id))
  const joined = own ? others.reduce<Links>(joinLinks, own) : folded
  const links = joinProductUsers(joined, [folded, ...subscriptions])
  for (const removed of subscriptions) {
    announceLinks(deps.announce, removed)
    await store.renameInNotifications(removed.id, { to: folded.id, lineId: line.id })
  }
  await store.setLinks(folded.id, { ...links, emailHash })
  const written = await subscriptionStore(tx).findById(folded.id)
  if (!written) throw new Error('a subscription just written is not there')
  for (const linked of [folded, written]) announceLinks(deps.announce, linked)
  return written
}

type Links = Pick<Subscription, 'userId' | 'productUser' | 'claimClosedAt'>

function joinProductUsers(links: Links, all: readonly Links[]): Links {
  return { ...links, productUser: all.map(({ productUser }) => productUser).find((productUser) => productUser !== undefined) }
}

function joinLinks(own: Links, other: Links): Links {
  const productUser = own.productUser ?? other.productUser
  if (own.claimClosedAt !== undefined) return { userId: own.userId, claimClosedAt: own.claimClosedAt, productUser }
  if (other.claimClosedAt !== undefined) return { userId: other.userId, claimClosedAt: other.claimClosedAt, productUser }
  return { userId: own.userId ?? other.userId, claimClosedAt: undefined, productUser }
}
