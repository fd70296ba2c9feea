import type { House } from '../app.ts'
import type { Config } from '../config.ts'
import { createOutgoing } from '../http/index.ts'
import { createDiscovery, type IdentityProvider, type ProviderFinding, testProvider } from '../identity-providers/index.ts'

/** Where providers send browsers back to: what is registered there as redirect URI. */
export function callbackUrlOf({ baseUrl }: Config): string {
  return `${baseUrl}/auth/callback`
}

/** Asks a provider as the service would, with its rules of what may be called. */
export function examineProvider(
  provider: IdentityProvider,
  { config, storage, sealer, patienceSeconds, now }: Pick<House, 'config' | 'storage' | 'sealer' | 'patienceSeconds' | 'now'>,
): Promise<ProviderFinding[]> {
  const outgoing = createOutgoing({ allowPrivate: config.allowPrivate, isDevelopment: config.isDevelopment })
  const discovery = createDiscovery({ storage, sealer, outgoing, patienceSeconds, now })
  return testProvider(provider, { discovery, outgoing, callbackUrl: callbackUrlOf(config), patienceSeconds })
}
