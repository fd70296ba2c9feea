import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import { accessSubject, announceLinks } from './announce.ts'
import { linkStore } from './links/link-store.ts'
import { markSubscription } from './reported/report-store.ts'
import type { StreamKey, Subscription } from './subscription.ts'
import { subscriptionStore } from './subscription-store.ts'

export interface ChangeSubscriptionDeps {
  storage: Storage
  changes: ChangeFeed
  now: Now
  /** The actor in the audit log. */
  actor: Actor
}

/**
 * `already_so`: it is in that state already. `superseded`: a later payment has opened the next subscription of its stream, and only that
 * one changes.
 */
export type SubscriptionRefusal = { refusal: 'not_found' | 'already_so' | 'superseded' | 'no_such_user' }

/** An action as the audit log names it, and why it is done. */
export interface Doing {
  action: string
  reason: string
}

/** A subscription before an action on it, with its stream, which is held. */
export interface Held {
  stream: StreamKey
  before: Subscription
  at: number
}

/** One transaction for an action on a subscription. */
export function onSubscription(
  id: string,
  doing: Doing,
  deps: ChangeSubscriptionDeps,
  work: (tx: Transaction, held: Held, announce: Announce) => Promise<SubscriptionRefusal | undefined>,
): Promise<Subscription | SubscriptionRefusal> {
  return deps.changes.transaction((tx, announce) => onStream(tx, id, doing, { ...deps, announce }, (held) => work(tx, held, announce)))
}

/** Runs an action with the stream held, writes its audit entry, and announces links that it changed. A refused action changes nothing. */
export async function onStream(
  tx: Transaction,
  id: string,
  { action, reason }: Doing,
  { now, actor, announce }: ChangeSubscriptionDeps & { announce: Announce },
  work: (held: Held) => Promise<SubscriptionRefusal | undefined>,
): Promise<Subscription | SubscriptionRefusal> {
  const at = now()
  const stream = await linkStore(tx).holdStreamOf(id)
  const before = stream && (await subscriptionStore(tx).findById(id))
  if (!before) return { refusal: 'not_found' }
  const refused = await work({ stream, before, at })
  if (refused) return refused
  const after = await subscriptionStore(tx).findById(id)
  if (!after) throw new Error('a subscription just changed is not there')
  await recordAudit(tx, { actor, action, target: id, before: trace(before), after: trace(after), reason }, at)
  await markSubscription(tx, after, 'changed')
  const isLinkedAnew = before.userId !== after.userId || before.productUser !== after.productUser
  if (isLinkedAnew) for (const links of [before, after]) announceLinks(announce, links)
  return after
}

/** The part of a subscription that the audit log keeps: never an address. A product may use one as its id of a user, so that is hashed. */
function trace({ state, userId, productId, productUser }: Subscription): Record<string, unknown> {
  const isLinked = productId !== undefined && productUser !== undefined
  return { state, user_id: userId ?? null, product_user_hash: isLinked ? accessSubject(productId, productUser) : null }
}
