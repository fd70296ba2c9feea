import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import { isUuid, type Now, newId, normaliseEmail } from '../kit/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import { accessSubject, announceLinks } from './announce.ts'
import { applyEvent } from './history/apply.ts'
import { eventStore } from './history/event-store.ts'
import { foldEvents } from './history/fold.ts'
import type { PaymentEvent } from './history/payment-event.ts'
import { keyOfAction } from './history/without-duplicates.ts'
import { linkStore } from './links/link-store.ts'
import type { StreamKey, Subscription } from './subscription.ts'
import { subscriptionStore } from './subscription-store.ts'

export interface ChangeSubscriptionDeps {
  storage: Storage
  changes: ChangeFeed
  now: Now
  /** Who the audit log names. */
  actor: Actor
}

/**
 * `already_so`: it is what it should become. `superseded`: a later payment has opened the next subscription of its stream, and only that
 * one moves.
 */
export type SubscriptionRefusal = { refusal: 'not_found' | 'already_so' | 'superseded' | 'no_such_user' }

/** Ends a subscription from this moment, whatever has been paid; a later payment begins it again. */
export function endSubscription(id: string, reason: string, deps: ChangeSubscriptionDeps): Promise<Subscription | SubscriptionRefusal> {
  return recordIt(id, { kind: 'ended', action: 'subscription.end', reason }, deps)
}

/** Records that the payment of the current period was given back, in full: access is over, and a later payment opens a new subscription. */
export function refundSubscription(id: string, reason: string, deps: ChangeSubscriptionDeps): Promise<Subscription | SubscriptionRefusal> {
  return recordIt(id, { kind: 'refunded', action: 'subscription.refund', reason }, deps)
}

/** Which link: to the account, or to what the product calls the person. */
export type SubscriptionLink = 'account' | 'product_user'

/** Takes away one link or both. No address claims it any more by itself; a check by the product may link its user anew. */
export function unlinkSubscription(
  id: string,
  { links, reason }: { links: readonly SubscriptionLink[]; reason: string },
  deps: ChangeSubscriptionDeps,
): Promise<Subscription | SubscriptionRefusal> {
  return onSubscription(id, { action: 'subscription.unlink', reason }, deps, async (tx, { before, at }) => {
    const isAccount = links.includes('account') && before.userId !== undefined
    const isProductUser = links.includes('product_user') && before.productUser !== undefined
    if (!isAccount && !isProductUser) return { refusal: 'already_so' }
    if (isAccount) await linkStore(tx).unlinkUser(id, at)
    if (isProductUser) await linkStore(tx).unlinkProductUser(id)
    return undefined
  })
}

/** Links a subscription to another account, by its id or address. */
export async function moveSubscription(
  id: string,
  { to, reason }: { to: string; reason: string },
  deps: ChangeSubscriptionDeps,
): Promise<Subscription | SubscriptionRefusal> {
  const who = isUuid(to) ? { id: to } : { email: normaliseEmail(to) ?? '' }
  return deps.changes.transaction(async (tx, announce) => {
    const user = await linkStore(tx).holdUser(who) // before the stream, as whoever removes the account does
    if (!user) return { refusal: 'no_such_user' }
    return onStream(tx, id, { action: 'subscription.move', reason }, { ...deps, announce }, async ({ before, at }) => {
      if (user.id === before.userId) return { refusal: 'already_so' }
      // Should this link go one day, an address may claim it again by itself only if it is the buyer's own that has it now.
      await linkStore(tx).linkUser(id, user.id, user.email === before.email ? undefined : at)
      return undefined
    })
  })
}

interface Doing {
  action: string
  reason: string
}

/** Adds the operator's own event to the subscription's stream. */
function recordIt(
  id: string,
  { kind, ...doing }: Doing & { kind: 'ended' | 'refunded' },
  deps: ChangeSubscriptionDeps,
): Promise<Subscription | SubscriptionRefusal> {
  return onSubscription(id, doing, deps, async (tx, { stream, before, at }, announce) => {
    const newest = (await subscriptionStore(tx).listOfStream(before.streamId)).at(-1)
    if (newest?.id !== id) return { refusal: 'superseded' }
    if (isAlready(before, kind, at)) return { refusal: 'already_so' }
    // After all that is known: a sender's clock may be ahead of ours.
    const events = actionOn(await eventStore(tx).list(before.streamId), kind, Math.max(at, before.changedAt))
    for (const event of events)
      await applyEvent(
        tx,
        { stream, productId: before.productId, event, notificationId: undefined },
        { announce, storage: deps.storage, at },
      )
    return undefined
  })
}

/**
 * Events of the operator's action. It names the payments that are there: what is bought after it counts, though the sender's clock may be
 * behind ours. A refund is of the current payment, of each that would go on in its place, and of all that is dated no later than they: an
 * older purchase that arrives late grants nothing.
 */
function actionOn(known: readonly PaymentEvent[], kind: 'ended' | 'refunded', at: number): PaymentEvent[] {
  const actions: PaymentEvent[] = []
  const id = newId()
  const add = (more: Pick<PaymentEvent, 'at' | 'paymentId'>) =>
    actions.push({ ...NOTHING_MORE, key: keyOfAction(id, actions.length), kind, ...more })
  for (;;) {
    const { state, paymentId } = foldEvents([...known, ...actions]).at(-1) ?? {}
    if (state === 'refunded') break
    add({ at, paymentId })
    if (kind === 'ended' || paymentId === undefined) return actions
  }
  const paid = known.filter((event) => event.kind === 'paid').map((event) => event.at)
  if (paid.length > 0) add({ at: Math.max(...paid), paymentId: undefined })
  return actions
}

const NOTHING_MORE = {
  planId: undefined,
  email: undefined,
  amount: undefined,
  method: undefined,
  periodStart: undefined,
  periodEnd: undefined,
} as const satisfies Omit<PaymentEvent, 'key' | 'kind' | 'at' | 'paymentId'>

function isAlready({ state, accessUntil }: Subscription, kind: 'ended' | 'refunded', now: number): boolean {
  if (state === 'refunded') return true
  return kind === 'ended' && (state === 'expired' || (state === 'canceled' && accessUntil <= now))
}

interface Held {
  stream: StreamKey
  before: Subscription
  at: number
}

/** One transaction for an action on a subscription. */
function onSubscription(
  id: string,
  doing: Doing,
  deps: ChangeSubscriptionDeps,
  work: (tx: Transaction, held: Held, announce: Announce) => Promise<SubscriptionRefusal | undefined>,
): Promise<Subscription | SubscriptionRefusal> {
  return deps.changes.transaction((tx, announce) => onStream(tx, id, doing, { ...deps, announce }, (held) => work(tx, held, announce)))
}

/** The action with its stream held, its audit entry and the event to every node; what was refused is no action. */
async function onStream(
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
  const isLinkedAnew = before.userId !== after.userId || before.productUser !== after.productUser
  if (isLinkedAnew) for (const links of [before, after]) announceLinks(announce, links)
  return after
}

/** What the audit log keeps of a subscription: never an address, and a product may use one as its id of a person. */
function trace({ state, userId, productId, productUser }: Subscription): Record<string, unknown> {
  const isLinked = productId !== undefined && productUser !== undefined
  return { state, user_id: userId ?? null, product_user_hash: isLinked ? accessSubject(productId, productUser) : null }
}
