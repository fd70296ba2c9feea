import type { GuardedFetch } from '../guarded-fetch/index.ts'
import type { Now } from '../kit/index.ts'
import type { Gateway, GatewayCredentials } from '../products/index.ts'
import { adapters } from './adapters.ts'
import { createGatewayApi, explainGatewayApiFault, type GatewayApiFault } from './fetching/gateway-api.ts'

const TIMEOUT_MS = 10_000

/**
 * Makes one or a few cheap requests to a gateway with a product's credentials, for ten seconds in all. Answers the fault in plain words and
 * as a code, without a secret; `undefined` when there is none.
 */
export async function pingGateway(
  { gateway, credentials }: { gateway: Gateway; credentials: Pick<GatewayCredentials, 'accessToken' | 'apiUrl'> },
  { guardedFetch, now }: { guardedFetch: GuardedFetch; now: Now },
): Promise<(GatewayApiFault & { says: string }) | undefined> {
  const adapter = adapters[gateway]
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const inTime: GuardedFetch = (url, init) => guardedFetch(url, { ...init, signal })
  try {
    await adapter.ping(createGatewayApi({ guardedFetch: inTime, adapter, credentials, now }))
    return undefined
  } catch (fault) {
    return fault instanceof Error
      ? { ...explainGatewayApiFault(fault), says: fault.message }
      : { code: 'call_failed', values: {}, says: 'unknown fault' }
  }
}
