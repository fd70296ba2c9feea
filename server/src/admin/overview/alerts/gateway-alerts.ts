import { DAY_MS } from '../../../kit/index.ts'
import type { GatewayState } from '../../products/gateway-state.ts'
import type { Alert, AlertDeps } from './alert.ts'

/** A shop may sell nothing for some days; a week without any delivery is worth a look. */
const SILENT_MS = 7 * DAY_MS

/** Failed verifications without a verified delivery since (docs/decisions/0052), or deliveries that have stopped. */
export function gatewayOf({ product, productId, gateway, credentials, health }: GatewayState, { now }: AlertDeps): Alert[] {
  if (!health || credentials === undefined) return []
  const about = { product, gateway, path: `/products/${productId}/show` }
  const { failingSince, verificationFailures, lastDeliveryAt } = health
  if (failingSince !== undefined)
    return [{ ...about, kind: 'verification_failures', severity: 'bad', count: verificationFailures, since: failingSince }]
  const isSilent = lastDeliveryAt !== undefined && lastDeliveryAt < now - SILENT_MS
  return isSilent ? [{ ...about, kind: 'gateway_silent', severity: 'warning', count: 1, since: lastDeliveryAt }] : []
}
