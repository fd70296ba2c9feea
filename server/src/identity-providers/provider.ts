import { versionOf } from '../kit/index.ts'

/** An OpenID Connect provider that the operator connected. */
export interface IdentityProvider {
  /** The operator's name for it, part of addresses: `google`. */
  id: string
  /** As shown on the button. */
  name: string
  issuer: string
  clientId: string
  /** The mail domains whose addresses this provider may vouch for; `*` for any. Empty by default: nothing is believed. */
  authoritativeFor: readonly string[]
  /** Its access tokens are accepted on `GET /api/me` when they are JWTs for this audience; `undefined`: never. */
  accessTokenAudience: string | undefined
  createdAt: number
  /** Ms; another one after each change, be it of the client secret alone. */
  updatedAt: number
}

/** A name for a provider as it is now: another one as soon as anything of it changes. What an editor has seen is told by it. */
export function providerVersion(provider: IdentityProvider): string {
  return versionOf(provider)
}

/** What a provider said of a user, in an ID token that was checked. The key of a user is issuer and subject, never the address. */
export interface VerifiedIdentity {
  providerId: string
  issuer: string
  subject: string
  /** Normalised; `undefined` when the provider gave none. */
  email: string | undefined
  /** True only for a boolean `email_verified: true` from a provider that is authoritative for the address's domain. */
  emailVerified: boolean
  name: string | undefined
  pictureUrl: string | undefined
  /** The provider says that it asked for more than one factor: `amr` has `mfa` (RFC 8176 §2). */
  saysSecondFactor: boolean
}

/** Whether a provider's word about an address counts. */
export function isAuthoritativeFor({ authoritativeFor }: Pick<IdentityProvider, 'authoritativeFor'>, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return authoritativeFor.some((entry) => entry === '*' || entry === domain)
}

/**
 * Whether a value is a subject identifier: 255 characters at most (OpenID Connect Core §2), and none that databases drop or change, so that
 * two of them never become one.
 */
export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_SUBJECT && !/[\p{Cc}\p{Cs}]/u.test(value)
}

const MAX_SUBJECT = 255
