import { recordAudit } from '../../audit/index.ts'
import { DAY_MS, keyHint, type Now, sha256Hex } from '../../kit/index.ts'
import { limitStore } from '../../rate-limits/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { ProductDirectory } from '../directory.ts'

/**
 * Leaves an audit entry for a live secret key that came in an address: histories, logs and dashboards now have it, and the product must
 * rotate it. One entry a day for each key, so that nobody can fill the log. `place` completes "in the address of …". An invalid key leaves
 * nothing.
 */
export async function reportLeakedKey(
  key: string,
  { place, ip }: { place: string; ip: string },
  { products, storage, now }: { products: Pick<ProductDirectory, 'findByApiKey'>; storage: Storage; now: Now },
): Promise<void> {
  const product = await products.findByApiKey(key)
  if (!product) return
  const at = now()
  const limit = { key: `key_leaked ${sha256Hex(key)}`, most: 1, windowMs: DAY_MS }
  const entry = {
    action: 'product.key_leaked',
    target: product.id,
    after: { key: keyHint(key) },
    reason: `in the address of ${place}: rotate it`,
  }
  await storage.transaction(async (tx) => {
    if ((await limitStore(tx).count(limit, at)).within) await recordAudit(tx, { actor: 'system', ...entry, ip }, at)
  })
}
