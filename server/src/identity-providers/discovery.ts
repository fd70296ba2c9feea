import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import type { GuardedFetch } from '../guarded-fetch/index.ts'
import { HOUR_MS, type Now, type Sealer } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { signAppleSecret } from './apple-secret.ts'
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

interface Outside {
  guardedFetch: GuardedFetch
  timeoutSeconds: number
}

/** Discovery of the connected providers, with their stored client secrets. */
export function createDiscovery({ storage, sealer, now, ...outside }: Outside & { storage: Storage; sealer: Sealer; now: Now }): Discovery {
  const known = new Map<string, { configuration: Promise<Configuration>; until: number }>()
  const discover = async (provider: IdentityProvider): Promise<Configuration> => {
    const secret = await providerStore(storage.db).findSecret(provider.id, sealer)
    if (secret === undefined) throw new Error(`the client secret of ${provider.id} does not open`)
    return discoverWith(secret, provider, outside)
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

/** Discovery with a client secret that is stored nowhere yet, for a test before it is. It remembers nothing. */
export function createDraftDiscovery(clientSecret: string, outside: Outside): Discovery {
  return { configure: (provider) => discoverWith(clientSecret, provider, outside) }
}

async function discoverWith(secret: string, provider: IdentityProvider, { guardedFetch, timeoutSeconds }: Outside): Promise<Configuration> {
  const client = await import('openid-client')
  const { kind, issuer, clientId } = provider
  const authentication = client.ClientSecretPost(kind === 'apple' ? await signAppleSecret(secret, provider) : secret)
  const customFetch: CustomFetch = (url, init) => guardedFetch(url, init as RequestInit)
  // `guardedFetch` refuses http outside of development.
  const allowed = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  // The ID token's signature is checked too, though it comes over TLS.
  const execute = [client.enableNonRepudiationChecks, ...allowed]
  const described = (metadata: ServerMetadata) => {
    const made = new client.Configuration(metadata, clientId, undefined, authentication)
    made[client.customFetch] = customFetch
    made.timeout = timeoutSeconds
    for (const method of kind === 'github' ? allowed : execute) method(made)
    return made
  }
  if (kind === 'github') return described(githubMetadata(issuer))
  const options = { [client.customFetch]: customFetch, execute, timeout: timeoutSeconds }
  const found = await client.discovery(new URL(issuer), clientId, undefined, authentication, options)
  return kind === 'facebook' ? described(withCodeFlow(found.serverMetadata(), issuer)) : found
}

/** GitHub describes itself nowhere. Its answers may name the path as issuer (RFC 9207). */
function githubMetadata(issuer: string): ServerMetadata {
  const base = `${issuer.replace(/\/$/, '')}/login/oauth`
  return { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/access_token` }
}

/** Facebook's description names no token endpoint, though its documents have a code flow with ID tokens. */
function withCodeFlow(metadata: ServerMetadata, issuer: string): ServerMetadata {
  const { token_endpoint = new URL('/oauth/access_token', issuer.replace('://www.', '://graph.')).href } = metadata
  const types = metadata.response_types_supported ?? []
  return { ...metadata, token_endpoint, response_types_supported: [...new Set([...types, 'code'])] }
}
