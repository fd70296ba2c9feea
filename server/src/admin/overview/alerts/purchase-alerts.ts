import { DAY_MS } from '../../../kit/index.ts'
import { type Alert, type AlertDeps, listPath } from './alert.ts'
import { alertStore } from './alert-store.ts'

/** A checkout that reports twice does so with every purchase: old ones show nothing new. */
const RECENT_MS = 30 * DAY_MS

/** One purchase stored as two, since the own checkout does not name the gateway's payment (docs/decisions/0102). */
export async function duplicatePurchases({ storage, now }: AlertDeps): Promise<Alert[]> {
  const found = await alertStore(storage.db).listDuplicatePurchases(now - RECENT_MS)
  return found.map(({ productId, ...about }) => ({
    ...about,
    kind: 'duplicate_purchases',
    severity: 'warning',
    path: listPath('subscriptions', { product_id: productId }),
  }))
}
