/**
 * A user, as apps know them. `email`, `name`, `isProducer` and `planSlug` are as Portaria confirmed them last, mostly within a minute. The
 * other fields come from the session's token, which can be 30 days old.
 */
export interface User {
  /** A UUID that never changes: store your own records by this, never by the address. */
  id: string
  /** `null` for a product without the scope `read:email`. */
  email: string | null
  name: string
  /** Of the token. A picture that was replaced since then answers 404; `me` answers today's. */
  avatarUrl: string | null
  isProducer: boolean
  /** Of the token. */
  companyName: string | null
  /** Of the token. */
  rankName: string | null
  /** The plan in force now; `null` without one. */
  planSlug: string | null
  /**
   * `null` for the user themself. Otherwise it is the account of an administrator who impersonates the user for support, for 15 minutes at
   * most (`act` of RFC 8693 §4.1). Let them look, and refuse actions that are the user's alone, as paying, deleting or changing contact
   * data.
   */
  actorId: string | null
}

/**
 * Why nobody is signed in. `no_session`: the browser has none · `invalid`: none that Portaria made for this app · `expired` ·
 * `not_yet_valid`: from the future, so this server's clock is behind · `ended`: signed out, or ended by Portaria · `unconfirmed`: Portaria
 * could not be asked, and has not confirmed it lately · `conflicting_sessions`: the browser has several valid ones, as a sibling subdomain
 * can cause.
 */
export type SignedOutReason = 'no_session' | 'invalid' | 'expired' | 'not_yet_valid' | 'ended' | 'unconfirmed' | 'conflicting_sessions'

/** Whether a user is signed in. `GET /api/auth/session` answers the same. */
export type Session = { status: 'signed_in'; user: User } | { status: 'signed_out'; reason: SignedOutReason }

/** Claims of the user as they were when the token was made. `actorId` is the administrator who impersonates them. */
type Signed = Pick<User, 'avatarUrl' | 'companyName' | 'rankName' | 'actorId'>

/** The claims of an `eg_session` token that are read here. */
export interface SessionClaims {
  sub: string
  sid: string
  aud: string
  /** Seconds since 1970, as `iat`. */
  exp: number
  iat: number
  profile: Signed
}

/** The answer of `GET /auth/check` for a live session: its user's present data, without those that the contract leaves to the token. */
export type LiveProfile = Omit<User, keyof Signed>
