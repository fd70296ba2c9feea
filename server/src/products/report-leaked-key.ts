import { recordAudit } from '../audit/index.ts'
import { keyHint, type Now } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import type { ProductDirectory } from './directory.ts'

/**
 * Leaves an audit entry for a live secret key that came in an address: it has been in histories, logs and dashboards, and whoever runs the product must rotate it.
 * `place` completes "in the address of …". Any other key leaves nothing.
 */
export async function reportLeakedKey(
  key: string,
  { place, ip }: { place: string; ip: string },
  { products, storage, now }: { products: Pick<ProductDirectory, 'findByApiKey'>; storage: Storage; now: Now },
): Promise<void> {
  const product = await products.findByApiKey(key)
  if (!product) return
  const entry = {
    action: 'product.key_leaked',
    target: product.id,
    after: { key: keyHint(key) },
    reason: `in the address of ${place}: rotate it`,
  }
  await recordAudit(storage.db, { actor: 'system', ...entry, ip }, now())
}
