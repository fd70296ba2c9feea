import { type Actor, recordAudit } from '../audit/index.ts'
import type { ChangeFeed } from '../changes/index.ts'
import { type Now, normaliseEmail, type Sealer } from '../kit/index.ts'
import { productStore } from '../products/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Told, Unresolved } from './notification.ts'
import { holdWaiting, settle } from './settle.ts'
import { notificationStore } from './store.ts'

export interface ResolveDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  /** Who the audit log names. */
  actor: Actor
}

/** What the operator knows about a notification that waits: the plan, the product, the buyer's address; or that nothing is to be done. */
export type Resolution =
  | { planSlug?: string; productSlug?: string; email?: string; reason: string | undefined }
  | { ignore: true; reason: string }

export type ResolveRefusal =
  | { refusal: 'not_waiting' | 'no_such_product' | 'email_malformed' }
  | { refusal: 'still_unresolved'; why: Unresolved }

/** Settles a waiting notification with what the operator knows, audited. Refused, it waits on as it was. */
export async function resolveNotification(
  id: string,
  resolution: Resolution,
  { storage, changes, sealer, now, actor }: ResolveDeps,
): Promise<{ subscriptionId: string } | { ignored: true } | ResolveRefusal> {
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const waiting = await holdWaiting(tx, id, { storage })
    if (!waiting) return { refusal: 'not_waiting' }
    if ('ignore' in resolution) {
      await notificationStore(tx).settle(id, { status: 'ignored', why: resolution.reason, at, ...keptOf(waiting.told) })
      await recordAudit(tx, { actor, action: 'notification.ignore', target: id, reason: resolution.reason }, at)
      return { ignored: true }
    }
    const { planSlug, productSlug, email, reason } = resolution
    if (email !== undefined && normaliseEmail(email) === undefined) return { refusal: 'email_malformed' }
    const product = productSlug === undefined ? undefined : await productStore(tx).findBySlug(productSlug)
    if (productSlug !== undefined && !product) return { refusal: 'no_such_product' }
    const amended = amend(waiting.told, { planSlug, productId: product?.id, email })
    const settled = await settle(tx, { id, source: waiting.source, told: amended, settledAt: at }, { announce, storage, sealer, at })
    if ('unresolved' in settled) {
      await notificationStore(tx).settle(id, {
        status: waiting.status,
        told: waiting.told,
        ...(waiting.why !== undefined && { why: waiting.why }),
      })
      return { refusal: 'still_unresolved', why: settled.unresolved }
    }
    const after = { plan: planSlug ?? null, product: productSlug ?? null, address_given: email !== undefined }
    await recordAudit(tx, { actor, action: 'notification.resolve', target: id, after, ...(reason !== undefined && { reason }) }, at)
    return settled
  })
}

/** What a gateway tells it can tell again by another notification: then it is known that the operator ignores it. */
function keptOf(told: Told): { told?: Told } {
  return told.line.by === 'gateway' ? { told } : {}
}

/** Tries a waiting notification again, as after a plan was made. Audited when it comes to something. */
export async function reprocessNotification(
  id: string,
  { storage, changes, sealer, now, actor }: ResolveDeps,
): Promise<{ subscriptionId: string } | ResolveRefusal> {
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const waiting = await holdWaiting(tx, id, { storage })
    if (!waiting) return { refusal: 'not_waiting' }
    const { source, told } = waiting
    const settled = await settle(tx, { id, source, told, settledAt: at }, { announce, storage, sealer, at })
    if ('unresolved' in settled) return { refusal: 'still_unresolved', why: settled.unresolved }
    await recordAudit(tx, { actor, action: 'notification.reprocess', target: id }, at)
    return settled
  })
}

function amend(
  told: Told,
  { planSlug, productId, email }: { planSlug: string | undefined; productId: string | undefined; email: string | undefined },
): Told {
  const named = productId ?? told.plan.productId
  return { ...told, plan: amendPlan(told.plan, planSlug, named), email: email ?? told.email }
}

/** What a gateway sold it sold for its own product, whatever else is said. */
function amendPlan(plan: Told['plan'], slug: string | undefined, productId: string | undefined): Told['plan'] {
  if (slug !== undefined) return { by: 'slug', slug, productId: plan.by === 'gateway' ? plan.productId : productId }
  return plan.by === 'gateway' ? plan : { ...plan, productId }
}
