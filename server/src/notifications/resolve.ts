import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import { type Now, normaliseEmail, type Sealer } from '../kit/index.ts'
import type { NormalizedEvent } from '../payment-history/index.ts'
import { productStore } from '../products/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { NotificationOutcome, Unresolved } from './notification.ts'
import { holdPending } from './pending/hold-pending.ts'
import { pendingStore } from './pending/pending-store.ts'
import { process } from './process.ts'
import { type HeldNotification, notificationStore } from './store.ts'

export interface ResolveDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  /** The actor in the audit log. */
  actor: Actor
  /** Called before the change, with the users and addresses concerned. An error that it throws rolls everything back. */
  approve?: ((tx: Transaction, about: About) => Promise<void>) | undefined
}

/** The accounts whose purchases are touched, before or after, and the buyers' addresses, whether or not anybody has them. */
export interface About {
  userIds: readonly string[]
  emails: readonly string[]
}

/** The operator's knowledge about a pending notification: the plan, the product, the buyer's address; or that nothing is to be done. */
export type Resolution =
  | { planSlug?: string; productSlug?: string; email?: string; reason: string | undefined }
  | { ignore: true; reason: string }

export type ResolveRefusal =
  | { refusal: 'not_pending' | 'no_such_product' | 'email_malformed' }
  | { refusal: 'still_unresolved'; why: Unresolved }

/** Processes a pending notification with what the operator knows, audited. Refused, it waits on as it was. */
export async function resolveNotification(
  id: string,
  resolution: Resolution,
  { storage, changes, sealer, now, actor, approve }: ResolveDeps,
): Promise<{ subscriptionId: string } | { ignored: true } | ResolveRefusal> {
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const pending = await holdPending(tx, id, { storage })
    if (!pending) return { refusal: 'not_pending' }
    const mismatch = pending.mismatch && { mismatch: pending.mismatch }
    if ('ignore' in resolution) {
      await approve?.(tx, { userIds: [], emails: addressesIn(pending.normalized) })
      await notificationStore(tx).process(id, { status: 'ignored', why: resolution.reason, at, ...keptOf(pending) })
      if (pending.normalized.stream.by !== 'gateway') await pendingStore(tx).endPending(id)
      await recordAudit(tx, { actor, action: 'notification.ignore', target: id, reason: resolution.reason }, at)
      return { ignored: true }
    }
    const { planSlug, productSlug, email, reason } = resolution
    if (email !== undefined && normaliseEmail(email) === undefined) return { refusal: 'email_malformed' }
    const product = productSlug === undefined ? undefined : await productStore(tx).findBySlug(productSlug)
    if (productSlug !== undefined && !product) return { refusal: 'no_such_product' }
    const amended = amend(pending.normalized, { planSlug, productId: product?.id, email })
    const { recordingAnnounce, userIds } = listenTo(announce)
    const processing = { id, source: pending.source, normalized: amended, processedAt: at }
    await notificationStore(tx).noteBuyer(id, { email })
    const processed = await process(tx, processing, { announce: recordingAnnounce, storage, sealer, at })
    await approve?.(tx, { userIds: [...userIds], emails: [...addressesIn(pending.normalized), ...addressesIn(amended)] })
    if ('unresolved' in processed) {
      await notificationStore(tx).process(id, {
        status: pending.status,
        normalized: pending.normalized,
        ...(pending.subscriptionId !== undefined && { subscriptionId: pending.subscriptionId }),
        ...(pending.why !== undefined && { why: pending.why }),
        ...mismatch,
      })
      return { refusal: 'still_unresolved', why: processed.unresolved }
    }
    const after = { plan: planSlug ?? null, product: productSlug ?? null, address_given: email !== undefined }
    await recordAudit(tx, { actor, action: 'notification.resolve', target: id, after, ...(reason !== undefined && { reason }) }, at)
    return processed
  })
}

/** A gateway may send the same event in another notification. The kept event shows then that the operator ignores it. */
function keptOf({ normalized, subscriptionId, mismatch }: HeldNotification): Partial<NotificationOutcome> {
  return {
    ...(normalized.stream.by === 'gateway' && { normalized }),
    ...(subscriptionId !== undefined && { subscriptionId }),
    ...(mismatch && { mismatch }),
  }
}

/** Tries a pending notification again, as after a plan was made. Audited when it comes to something. */
export async function reprocessNotification(
  id: string,
  { storage, changes, sealer, now, actor, approve }: ResolveDeps,
): Promise<{ subscriptionId: string } | ResolveRefusal> {
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const pending = await holdPending(tx, id, { storage })
    if (!pending) return { refusal: 'not_pending' }
    const { source, normalized } = pending
    const { recordingAnnounce, userIds } = listenTo(announce)
    const processed = await process(tx, { id, source, normalized, processedAt: at }, { announce: recordingAnnounce, storage, sealer, at })
    await approve?.(tx, { userIds: [...userIds], emails: addressesIn(normalized) })
    if ('unresolved' in processed) return { refusal: 'still_unresolved', why: processed.unresolved }
    await recordAudit(tx, { actor, action: 'notification.reprocess', target: id }, at)
    return processed
  })
}

/**
 * Collects the users who gain or lose a purchase: each is announced to all nodes. They may be other users than the one with the address.
 */
function listenTo(announce: Announce): { recordingAnnounce: Announce; userIds: Set<string> } {
  const userIds = new Set<string>()
  const recordingAnnounce: Announce = (change) => {
    if (change.kind === 'user_changed') userIds.add(change.subject)
    announce(change)
  }
  return { recordingAnnounce, userIds }
}

function addressesIn({ email }: NormalizedEvent): string[] {
  const normal = email === undefined ? undefined : normaliseEmail(email)
  return normal === undefined ? [] : [normal]
}

function amend(
  normalized: NormalizedEvent,
  { planSlug, productId, email }: { planSlug: string | undefined; productId: string | undefined; email: string | undefined },
): NormalizedEvent {
  const named = productId ?? normalized.plan.productId
  const { stream } = normalized
  const ofProduct = stream.by === 'gateway' && stream.own && productId !== undefined ? { stream: { ...stream, productId } } : {}
  return { ...normalized, ...ofProduct, plan: amendPlan(normalized.plan, planSlug, named), email: email ?? normalized.email }
}

/** A gateway sells for its own product only, whatever product the operator names. */
function amendPlan(plan: NormalizedEvent['plan'], slug: string | undefined, productId: string | undefined): NormalizedEvent['plan'] {
  if (slug !== undefined) return { by: 'slug', slug, productId: plan.by === 'gateway' ? plan.productId : productId, byOperator: true }
  return plan.by === 'gateway' ? plan : { ...plan, productId }
}
