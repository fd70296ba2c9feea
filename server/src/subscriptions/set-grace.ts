import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import { listGraceDays, type Product, productStore, setGraceDays } from '../products/index.ts'
import { type Storage, type Transaction, takeLockOnGrace } from '../storage/index.ts'
import { GRACE_DAYS } from './access/entitlement.ts'
import type { Method } from './method.ts'
import { beginRecount } from './recount.ts'
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
    await applyGrace(tx, product, graceDays, { announce, at: now(), actor })
    return { set: true }
  })
}

/** The same within a transaction that changes more, and has taken the lock on the product's grace. */
export async function applyGrace(
  tx: Transaction,
  { id }: Pick<Product, 'id'>,
  graceDays: ReadonlyArray<{ method: Method; days: number }>,
  { announce, at, actor }: { announce: Announce; at: number; actor: Actor },
): Promise<void> {
  const before = await listGraceDays(tx, id)
  await setGraceDays(tx, id, Object.fromEntries(graceDays.map(({ method, days }) => [method, days])))
  const after = await listGraceDays(tx, id)
  await subscriptionStore(tx).moveAccess(id, { ...GRACE_DAYS, ...after })
  await beginRecount(tx)
  await recordAudit(tx, { actor, action: 'product.set_grace', target: id, before, after }, at)
  announce({ kind: 'product_changed', subject: id, access: { productId: id } })
}
