import { DAY_MS } from '../../../kit/index.ts'
import type { GatewayState } from '../../products/gateway-state.ts'
import { type Alert, type AlertDeps, listPath } from './alert.ts'
import { alertStore } from './alert-store.ts'

/** A checkout that reports twice does so with every purchase: old ones show nothing new. */
const RECENT_MS = 30 * DAY_MS

/** One purchase stored as two, since the own checkout does not name the gateway's payment (docs/decisions/0102). By slug. */
export async function duplicatePurchases(gateways: readonly GatewayState[], { storage, now }: AlertDeps): Promise<Alert[]> {
  const slugs = new Map(gateways.flatMap(({ credentials, productId, product }) => (credentials ? [[productId, product] as const] : [])))
  // Where no gateway reports any, all purchases of a month would be looked up for nothing.
  if (slugs.size === 0) return []
  const found = await alertStore(storage.db).listDuplicatePurchases([...slugs.keys()], now - RECENT_MS)
  const alerts = found.map(({ productId, gateway, count }) => ({
    kind: 'duplicate_purchases' as const,
    severity: 'warning' as const,
    ...{ product: slugs.get(productId) ?? '', gateway, count },
    path: listPath('subscriptions', { product_id: productId }),
  }))
  const nameOf = ({ product, gateway }: (typeof alerts)[number]) => `${product} ${gateway}`
  return alerts.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}
