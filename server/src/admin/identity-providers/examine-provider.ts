import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import {
  createDiscovery,
  createDraftDiscovery,
  type IdentityProvider,
  type ProviderFinding,
  testProvider,
} from '../../identity-providers/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'

/** The address of browsers' return: the redirect URI to register at a provider. */
export function callbackUrlOf({ baseUrl }: { baseUrl: string }): string {
  return `${baseUrl}/auth/callback`
}

/** Asks a provider anew, without its remembered description. `clientSecret`: this one is tried in place of the stored secret. */
export function examineProvider(
  provider: IdentityProvider,
  {
    clientSecret,
    ...deps
  }: {
    guardedFetch: GuardedFetch
    storage: Storage
    sealer: Sealer
    timeoutSeconds: number
    now: Now
    baseUrl: string
    clientSecret?: string | undefined
  },
): Promise<ProviderFinding[]> {
  const discovery = clientSecret === undefined ? createDiscovery(deps) : createDraftDiscovery(clientSecret, deps)
  return testProvider(provider, { ...deps, discovery, callbackUrl: callbackUrlOf(deps) })
}
