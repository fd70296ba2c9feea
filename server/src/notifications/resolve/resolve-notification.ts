import { recordAudit } from '../../audit/index.ts'
import { normaliseEmail } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import { type Attempt, attemptStore } from '../attempts/attempt-store.ts'
import { stopwatch } from '../attempts/attempts.ts'
import { forgetUnkept } from '../buyers/forget-unkept.ts'
import { asItWas } from '../pending/held-store.ts'
import { holdPending } from '../pending/hold-pending.ts'
import { process } from '../process.ts'
import { notificationStore } from '../store.ts'
import { amend } from './amend.ts'
import { addressesIn, listenTo } from './concerned.ts'
import { ignore } from './ignore.ts'
import { nameOf, type ResolveDeps, type ResolveRefusal } from './resolve-deps.ts'

/** The operator's knowledge about a pending notification: the plan, the product, the buyer's address; or that nothing is to be done. */
export type Resolution =
  | { planSlug?: string; productSlug?: string; email?: string; reason: string | undefined }
  | { ignore: true; reason: string }

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
      await notificationStore(tx).process(id, asItWas(pending))
      await forgetUnkept(tx, id, email)
      await note({ outcome: 'unresolved', why: processed.unresolved })
      return { refusal: 'still_unresolved', why: processed.unresolved }
    }
    await note({ outcome: 'processed' })
    const after = { plan: planSlug ?? null, product: productSlug ?? null, address_given: email !== undefined }
    await recordAudit(tx, { actor, action: 'notification.resolve', target: id, after, ...(reason !== undefined && { reason }) }, at)
    return processed
  })
}
