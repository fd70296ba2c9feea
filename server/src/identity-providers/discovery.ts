import type { Configuration } from 'openid-client'
import type { GuardedFetch } from '../guarded-fetch/index.ts'
import { HOUR_MS, type Now, type Sealer } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import type { IdentityProvider } from './provider.ts'
import { providerStore } from './store.ts'

const KEPT_MS = HOUR_MS
/** The timeout of a provider's answer, before the login page says that it does not answer. */
export const PROVIDER_TIMEOUT_SECONDS = 8

/** The descriptions of providers, remembered for an hour; a failure is not remembered. */
export interface Discovery {
  /** Rejects when the provider can't be reached or its description is wrong. The first call loads openid-client. */
  configure(provider: IdentityProvider): Promise<Configuration>
}

export function createDiscovery({
  storage,
  sealer,
  guardedFetch,
  timeoutSeconds,
  now,
}: {
  storage: Storage
  sealer: Sealer
  guardedFetch: GuardedFetch
  timeoutSeconds: number
  now: Now
}): Discovery {
  const known = new Map<string, { configuration: Promise<Configuration>; until: number }>()
  const discover = async (provider: IdentityProvider): Promise<Configuration> => {
    const client = await import('openid-client')
    const secret = await providerStore(storage.db).findSecret(provider.id, sealer)
    if (secret === undefined) throw new Error(`the client secret of ${provider.id} does not open`)
    const isPlain = provider.issuer.startsWith('http:')
    return client.discovery(new URL(provider.issuer), provider.clientId, undefined, client.ClientSecretPost(secret), {
      [client.customFetch]: (url, init) => guardedFetch(url, init as RequestInit),
      // The ID token's signature is checked too, though it comes over TLS. `guardedFetch` refuses http outside of development.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
      timeout: timeoutSeconds,
    })
  }
  return {
    configure(provider) {
      // A provider that was changed, or removed and added again, may have another secret.
      const key = `${provider.id} ${provider.createdAt} ${provider.updatedAt}`
      const remembered = known.get(key)
      if (remembered && remembered.until > now()) return remembered.configuration
      const configuration = discover(provider)
      known.set(key, { configuration, until: now() + KEPT_MS })
      configuration.catch(() => known.delete(key))
      return configuration
    },
  }
}
