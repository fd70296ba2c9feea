import { type Actor, recordAudit } from '../audit/index.ts'
import type { ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import { listGraceDays, productStore, setGraceDays } from '../products/index.ts'
import { type Storage, takeLockOnGrace } from '../storage/index.ts'
import type { Method } from './payment-event.ts'
import { GRACE_DAYS } from './standing.ts'
import { subscriptionStore } from './subscription-store.ts'

/** Sets a product's days of grace for some methods of payment. Subscriptions in force follow at once, on every node. */
export async function setGrace(
  slug: string,
  graceDays: ReadonlyArray<{ method: Method; days: number }>,
  { storage, changes, now, actor }: { storage: Storage; changes: ChangeFeed; now: Now; actor: Actor },
): Promise<{ set: true } | { refusal: 'not_found' }> {
  return changes.transaction(async (tx, announce) => {
    const product = await productStore(tx).findBySlug(slug)
    if (!product) return { refusal: 'not_found' }
    await takeLockOnGrace(tx, product.id, { does: 'change', address: storage.address })
    const before = await listGraceDays(tx, product.id)
    await setGraceDays(tx, product.id, Object.fromEntries(graceDays.map(({ method, days }) => [method, days])))
    const after = await listGraceDays(tx, product.id)
    await subscriptionStore(tx).moveAccess(product.id, { ...GRACE_DAYS, ...after })
    await recordAudit(tx, { actor, action: 'product.set_grace', target: product.id, before, after }, now())
    announce({ kind: 'product_changed', subject: product.id })
    return { set: true }
  })
}
