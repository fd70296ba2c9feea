import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import { type Now, normaliseEmail, type Sealer } from '../kit/index.ts'
import type { NormalizedEvent } from '../payment-history/index.ts'
import { productStore } from '../products/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import { askAgain, ignoreFailed } from './attempts/ask-gateway.ts'
import { type Attempt, attemptStore } from './attempts/attempt-store.ts'
import { stopwatch } from './attempts/attempts.ts'
import { type NotificationOutcome, statusOf, type Unresolved } from './notification.ts'
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
  /** The run that this is a part of. */
  runId?: string
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
    const elapsed = stopwatch()
    const note = (attempt: Pick<Attempt, 'outcome' | 'why'>) =>
      attemptStore(tx).note(id, { ...attempt, kind: 'resolution', at, ms: elapsed(), actor: nameOf(actor) })
    const pending = await holdPending(tx, id, { storage })
    if ('ignore' in resolution) {
      const isIgnored = await ignore(tx, id, pending, { reason: resolution.reason, at, approve })
      if (!isIgnored) return { refusal: 'not_pending' }
      await note({ outcome: 'ignored' })
      await recordAudit(tx, { actor, action: 'notification.ignore', target: id, reason: resolution.reason }, at)
      return { ignored: true }
    }
    if (!pending) return { refusal: 'not_pending' }
    const mismatch = pending.mismatch && { mismatch: pending.mismatch }
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
      await note({ outcome: 'unresolved', why: processed.unresolved })
      return { refusal: 'still_unresolved', why: processed.unresolved }
    }
    await note({ outcome: 'processed' })
    const after = { plan: planSlug ?? null, product: productSlug ?? null, address_given: email !== undefined }
    await recordAudit(tx, { actor, action: 'notification.resolve', target: id, after, ...(reason !== undefined && { reason }) }, at)
    return processed
  })
}

/** Ignores one that waits, or whose gateway was asked in vain. Answers whether it was such a one. */
async function ignore(
  tx: Transaction,
  id: string,
  pending: HeldNotification | undefined,
  { reason, at, approve }: { reason: string; at: number } & Pick<ResolveDeps, 'approve'>,
): Promise<boolean> {
  if (!pending) return ignoreFailed(tx, id, { reason, at })
  await approve?.(tx, { userIds: [], emails: addressesIn(pending.normalized) })
  await notificationStore(tx).process(id, { status: 'ignored', why: reason, at, ...keptOf(pending) })
  if (pending.normalized.stream.by !== 'gateway') await pendingStore(tx).endPending(id)
  return true
}

/** A gateway may send the same event in another notification. The kept event shows then that the operator ignores it. */
function keptOf({ normalized, subscriptionId, mismatch }: HeldNotification): Partial<NotificationOutcome> {
  return {
    ...(normalized.stream.by === 'gateway' && { normalized }),
    ...(subscriptionId !== undefined && { subscriptionId }),
    ...(mismatch && { mismatch }),
  }
}

/** `asked`: its gateway is being asked, and says later what comes of it. */
export type Reprocessed = { subscriptionId: string } | { asked: true } | ResolveRefusal

/**
 * Tries a notification again: a pending one, as after a plan was made, or one that was given up, whose gateway is asked again. Audited when
 * it comes to something.
 */
export function reprocessNotification(id: string, deps: ResolveDeps): Promise<Reprocessed> {
  return deps.changes.transaction((tx, announce) => reprocessInside(tx, announce, id, deps))
}

/** The same inside a transaction of the caller's. */
export async function reprocessInside(
  tx: Transaction,
  announce: Announce,
  id: string,
  { storage, sealer, now, actor, approve, runId }: Omit<ResolveDeps, 'changes'>,
): Promise<Reprocessed> {
  const at = now()
  const elapsed = stopwatch()
  const pending = await holdPending(tx, id, { storage })
  if (!pending) {
    const asked = await askAgain(tx, id, { actor: nameOf(actor), runId }, { sealer, at })
    if (asked === undefined) return { refusal: 'not_pending' }
    if (asked === 'asked') await recordAudit(tx, { actor, action: 'notification.reprocess', target: id, after: { asked: true } }, at)
    return { asked: true }
  }
  const { source, normalized } = pending
  const { recordingAnnounce, userIds } = listenTo(announce)
  const processed = await process(tx, { id, source, normalized, processedAt: at }, { announce: recordingAnnounce, storage, sealer, at })
  await approve?.(tx, { userIds: [...userIds], emails: addressesIn(normalized) })
  const attempt = { kind: 'retry', at, actor: nameOf(actor), runId } as const
  if ('unresolved' in processed) {
    const { unresolved: why } = processed
    await attemptStore(tx).note(id, { ...attempt, ms: elapsed(), outcome: statusOf(why), why })
    return { refusal: 'still_unresolved', why }
  }
  await attemptStore(tx).note(id, { ...attempt, ms: elapsed(), outcome: 'processed' })
  await recordAudit(tx, { actor, action: 'notification.reprocess', target: id }, at)
  return processed
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

function nameOf(actor: Actor): string {
  return typeof actor === 'string' ? actor : actor.name
}
