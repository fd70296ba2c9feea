import { versionOf } from '../kit/index.ts'

/**
 * The protocol of a provider. `openid`: OpenID Connect with discovery, as most do. `apple`: the same with a signed client secret and an
 * answer by POST. `facebook`: OpenID Connect whose description leaves the code flow out. `github`: OAuth 2.0 alone, with an API about the
 * user.
 */
export const PROVIDER_KINDS = ['openid', 'apple', 'facebook', 'github'] as const

export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** A provider that the operator connected. */
export interface IdentityProvider {
  /** The operator's id for it, part of addresses: `google`. */
  id: string
  /** As shown on the button. */
  name: string
  kind: ProviderKind
  issuer: string
  clientId: string
  /** The mail domains whose addresses this provider may vouch for; `*` for any. Empty by default: it vouches for none. */
  authoritativeFor: readonly string[]
  /** Its access tokens are accepted on `GET /api/me` when they are JWTs for this audience; `undefined`: never. */
  accessTokenAudience: string | undefined
  createdAt: number
  /** Ms; it differs after each change, even of the client secret alone. */
  updatedAt: number
}

/** A hash of a provider's present state: it shows whether an editor's copy is out of date. */
export function providerVersion(provider: IdentityProvider): string {
  return versionOf(provider)
}

/** Whether a provider's claim about an address counts. */
export function isAuthoritativeFor({ authoritativeFor }: Pick<IdentityProvider, 'authoritativeFor'>, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return authoritativeFor.some((entry) => entry === '*' || entry === domain)
}
