/** A person, as apps know them. */
export interface User {
  /** A UUID that never changes: key your own records by this, never by the address. */
  id: string
  /** `null` for a product without the scope `read:email`. */
  email: string | null
  name: string
  avatarUrl: string | null
  isProducer: boolean
  companyName: string | null
  rankName: string | null
  /** The plan in force today; `null` without one. */
  planSlug: string | null
  /**
   * `null` for the person themself. Else somebody of the operator acts in their name, by support's hand and for 15 minutes at most (`act`
   * of RFC 8693 §4.1), and this is the id of that account: let them look, and refuse what nobody may do for another, as paying, deleting or
   * changing how one is reached.
   */
  actorId: string | null
}

/**
 * Why nobody is signed in. `no_session`: the browser has none · `invalid`: none that Portaria made for this app · `expired` ·
 * `not_yet_valid`: from the future, so this server's clock is behind · `ended`: signed out, or ended by Portaria · `unconfirmed`: Portaria
 * could not be asked, and has not confirmed it lately · `conflicting_sessions`: the browser has several that are good, as a sibling
 * subdomain can cause.
 */
export type SignedOutReason = 'no_session' | 'invalid' | 'expired' | 'not_yet_valid' | 'ended' | 'unconfirmed' | 'conflicting_sessions'

/** Whether somebody is signed in. This is also what `GET /api/auth/session` answers. */
export type Session = { status: 'signed_in'; user: User } | { status: 'signed_out'; reason: SignedOutReason }

/** Claims of the user as they were at sign-in. `actorId` is the administrator who impersonates them. */
type Signed = Pick<User, 'avatarUrl' | 'companyName' | 'rankName' | 'actorId'>

/** The claims of an `eg_session` token that matter here. */
export interface SessionClaims {
  sub: string
  sid: string
  aud: string
  /** Seconds since 1970, as `iat`. */
  exp: number
  iat: number
  profile: Signed
}

/** What `GET /auth/check` says of a live session: its person, today. */
export type LiveProfile = Omit<User, keyof Signed>
