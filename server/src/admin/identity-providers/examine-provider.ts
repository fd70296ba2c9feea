import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import { createDiscovery, type IdentityProvider, type ProviderFinding, testProvider } from '../../identity-providers/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'

/** The address of browsers' return: the redirect URI to register at a provider. */
export function callbackUrlOf({ baseUrl }: { baseUrl: string }): string {
  return `${baseUrl}/auth/callback`
}

/** Asks a provider anew, without its remembered description. */
export function examineProvider(
  provider: IdentityProvider,
  deps: { guardedFetch: GuardedFetch; storage: Storage; sealer: Sealer; timeoutSeconds: number; now: Now; baseUrl: string },
): Promise<ProviderFinding[]> {
  return testProvider(provider, { ...deps, discovery: createDiscovery(deps), callbackUrl: callbackUrlOf(deps) })
}
