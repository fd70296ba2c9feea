import type { ReturnPage } from './return-page.ts'

/** `forwarded`: the address is a page on a host behind a proxy, which only its host was registered for. */
interface FlowTarget {
  uri: string
  productId: string
  kind: 'redirect_uri' | 'forwarded' | 'openid'
}

/** A sign-in under way. It lives sealed in the addresses and forms of one browser, so each of its tabs can have its own. */
export interface Flow {
  /** The registered address where it will end, and its product; both absent for a sign-in to Portaria itself. */
  target: FlowTarget | undefined
  /** The app's own value, echoed untouched. */
  state: string | undefined
  /** The login named the product with its publishable key. */
  namedByKey: boolean
  /** Hash of the flow cookie of the browser that began it. */
  browser: string
  /** The authenticated user, once there is one. */
  userId: string | undefined
  /**
   * The authorization request of OpenID Connect that waits for this sign-in: its parameters, the time at which it began (ms), and whether
   * it asks for the user's consent in any case. The target is then the client's own redirect URI, to which only the request itself leads.
   */
  openid: { query: string; begunAt: number; asksConsent: boolean } | undefined
  /** The logout that waits for the user's yes, as parameters. A sign-in has none, so no other flow signs anybody out. */
  logout: string | undefined
  /** The user said "not now" to the NDA; it is asked again at the next sign-in. */
  ndaDeclined: boolean
  /** The same for the profile, only at Portaria itself, where no app waits for the data. */
  profileSkipped: boolean
  /** A sign-up under way: the ticket whose code this browser may type, and the address it was sent to. */
  pendingSignUp: { ticketId: string; email: string } | undefined
  /** A provider's identity that is to be linked to the local account with this address, once its password has been shown. */
  pendingLink: { providerId: string; issuer: string; subject: string; email: string } | undefined
  /** The user who has shown a first factor and is asked for the second; there is no session yet. */
  secondFactor: ShownFirst | undefined
  /** A page of the account or the console to end at, instead of the account's first one; only without a target. */
  next: ReturnPage | undefined
  /** The login page's notice of what happened before. */
  notice: LoginNotice | undefined
  /** The scopes by which an external product receives data, as the splash has shown them; `undefined`: it has shown none. */
  sharingShown: readonly string[] | undefined
  /** Only a new sign-in will do. An identity provider must not answer it from a session that it has already. */
  authenticatesAnew: boolean
  /** The user has said that a native app may go on as them. */
  nativeShown: boolean
}

/**
 * A first factor that was shown. It begins one session at most, known by its `id`, and none from `until` (ms) on, even if its flow is
 * sealed again.
 */
export interface ShownFirst {
  userId: string
  factor: SealedFactor
  id: string
  until: number
}

/** The first factor as it travels: a password as the fingerprint of its hash, so that a changed one does not count. */
export type SealedFactor = { kind: 'password'; fingerprint: string } | { kind: 'identity'; issuer: string; subject: string }

/** `provider` is the name on its button. */
export interface LoginNotice {
  kind: (typeof NOTICES)[number]
  provider: string
}

export const NOTICES = [
  'provider_denied',
  'provider_unreachable',
  'provider_failed',
  'provider_not_recent',
  'provider_gave_no_address',
  'link_with_password',
  'authenticate_again',
  'authenticate_with_passkey',
  'confirm_email',
  'deletion_pending',
] as const

type Begun = Partial<Pick<Flow, 'target' | 'openid' | 'logout' | 'authenticatesAnew' | 'state' | 'namedByKey' | 'next' | 'notice'>>

/** A sign-in to Portaria itself, just begun in a browser. */
export function newFlow(browser: string, begun: Begun = {}): Flow {
  const refused = { ndaDeclined: false, profileSkipped: false }
  const nothing = {
    target: undefined,
    openid: undefined,
    logout: undefined,
    state: undefined,
    namedByKey: false,
    userId: undefined,
    ...refused,
    sharingShown: undefined,
    nativeShown: false,
    authenticatesAnew: false,
  }
  const noneWaits = { pendingSignUp: undefined, pendingLink: undefined, secondFactor: undefined, next: undefined, notice: undefined }
  return { ...nothing, ...noneWaits, browser, ...begun }
}
