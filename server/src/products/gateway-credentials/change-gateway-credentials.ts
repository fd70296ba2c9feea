import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Gateway } from '../payment-methods.ts'
import type { Product } from '../product.ts'
import type { GatewayCredentials, GatewayCredentialsInfo } from './gateway-credentials.ts'
import { gatewayCredentialsStore } from './gateway-credentials-store.ts'

interface Deps {
  changes: ChangeFeed
  now: Now
  actor: Actor
}

/** Replaces a product's credentials for one gateway. The audit log keeps everything but the secrets. */
export async function setGatewayCredentials(
  product: Pick<Product, 'id'>,
  { gateway, credentials }: { gateway: Gateway; credentials: GatewayCredentials },
  { changes, sealer, now, actor }: Deps & { sealer: Sealer },
): Promise<void> {
  const at = now()
  await changes.transaction(async (tx, announce) => {
    const stored = gatewayCredentialsStore(tx)
    const before = (await stored.list(product.id)).find((one) => one.gateway === gateway)
    await stored.put(product.id, gateway, credentials, { sealer, at })
    const entry = { actor, action: 'product.set_gateway_credentials', target: product.id, after: auditEntry({ gateway, ...credentials }) }
    await recordAudit(tx, { ...entry, ...(before && { before: auditEntry(before) }) }, at)
    announce({ kind: 'product_changed', subject: product.id })
  })
}

/** Removes them: deliveries of that gateway are refused from then on, and its API is not asked any more. */
export async function removeGatewayCredentials(
  product: Pick<Product, 'id'>,
  gateway: Gateway,
  { changes, now, actor }: Deps,
): Promise<'removed' | 'not_found'> {
  return changes.transaction(async (tx, announce) => {
    const stored = gatewayCredentialsStore(tx)
    const before = (await stored.list(product.id)).find((one) => one.gateway === gateway)
    if (!before || !(await stored.remove(product.id, gateway))) return 'not_found'
    const entry = { actor, action: 'product.remove_gateway_credentials', target: product.id, before: auditEntry(before) }
    await recordAudit(tx, entry, now())
    announce({ kind: 'product_changed', subject: product.id })
    return 'removed'
  })
}

/** The audit log gets only these three. */
function auditEntry({ gateway, apiUrl, isTest }: Pick<GatewayCredentialsInfo, 'gateway' | 'apiUrl' | 'isTest'>): Record<string, unknown> {
  return { gateway, isTest, ...(apiUrl !== undefined && { apiUrl }) }
}
