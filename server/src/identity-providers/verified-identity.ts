/** A provider's claims about a user, in a verified ID token. The key of an identity is issuer and subject, never the address. */
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

const MAX_SUBJECT = 255

/**
 * Whether a value is a subject identifier: 255 characters at most (OpenID Connect Core §2), and none that a database drops or changes, so
 * that two subjects never become one.
 */
export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_SUBJECT && !/[\p{Cc}\p{Cs}]/u.test(value)
}
