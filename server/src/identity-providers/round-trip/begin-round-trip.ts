import type { z } from 'zod'
import { MINUTE_MS, mintSecret, sha256Base64Url } from '../../kit/index.ts'
import type { IdentityProvider, ProviderKind } from '../provider.ts'
import { providerStore } from '../store.ts'
import { type attempt, place, type RoundTripDeps } from './attempt.ts'

/** The life of a flow. */
const ATTEMPT_MS = 30 * MINUTE_MS

/**
 * The address of the browser's redirect: code flow with PKCE S256, state and nonce. The attempt is stored under its state's hash, to be
 * taken once. `anew`: the provider must authenticate the user again (`max_age`, OpenID Connect Core §3.1.2.1). `prompt=login` says the
 * same, but some providers refuse it, while each ignores a parameter that it does not know.
 */
export async function beginRoundTrip(
  provider: IdentityProvider,
  { flow, anew }: { flow: string; anew: boolean },
  { storage, discovery, sealer, callbackUrl, now }: RoundTripDeps,
): Promise<URL> {
  const configuration = await discovery.configure(provider)
  const client = await import('openid-client')
  const state = mintSecret()
  const stateHash = sha256Base64Url(state)
  const verifier = client.randomPKCECodeVerifier()
  const nonce = client.randomNonce()
  const since = anew ? { since: Math.floor(Date.now() / 1000) } : {}
  const sealed = sealer.seal(JSON.stringify({ flow, verifier, nonce, ...since } satisfies z.input<typeof attempt>), place(stateHash))
  await providerStore(storage.db).insertAttempt({ stateHash, providerId: provider.id, sealed, expiresAt: now() + ATTEMPT_MS })
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl,
    response_type: 'code',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(anew && { max_age: '0' }),
    ...asked[provider.kind],
  })
}

/** Apple answers by POST where it is asked for a name or an address, and knows no other way then. */
const asked = {
  openid: { scope: 'openid email profile' },
  apple: { scope: 'openid email name', response_mode: 'form_post' },
  facebook: { scope: 'openid email public_profile' },
  github: { scope: 'read:user user:email' },
} as const satisfies Record<ProviderKind, Record<string, string>>
