import { z } from 'zod'
import { MINUTE_MS, type Now, type Sealer } from '../../kit/index.ts'
import { RETURN_PAGES, type ReturnPage } from './return-page.ts'

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

const NOTICES = [
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

export const FLOW_MS = 30 * MINUTE_MS
/** Flows of sign-ups live as long as the code and link of the mail, which may take its time. */
const FLOW_BY_MAIL_MS = 60 * MINUTE_MS
const PLACE = 'flow'

export interface Flows {
  seal(flow: Flow): string
  /** The same for a flow that continues after a mail was read: one hour. */
  sealForMail(flow: Flow): string
  /** The flow, or `undefined` when it was altered, is expired, or was not sealed by us. */
  open(sealed: string | undefined | null): Flow | undefined
}

const sealedFlow = z.object({
  t: z.tuple([z.string(), z.string()]).optional(),
  h: z.literal(1).optional(),
  s: z.string().optional(),
  k: z.literal(1).optional(),
  b: z.string(),
  u: z.string().optional(),
  n: z.literal(1).optional(),
  p: z.literal(1).optional(),
  /** Beside `e`, for versions that know no `e`. */
  c: z.literal(1).optional(),
  d: z.literal(1).optional(),
  r: z.literal(1).optional(),
  w: z.tuple([z.string(), z.string()]).optional(),
  m: z.tuple([z.enum(NOTICES), z.string()]).optional(),
  l: z.tuple([z.string(), z.string(), z.string(), z.string()]).optional(),
  f: z.tuple([z.string(), z.string(), z.number(), z.union([z.tuple([z.string()]), z.tuple([z.string(), z.string()])])]).optional(),
  o: z.tuple([z.string(), z.number(), z.boolean()]).optional(),
  g: z.string().optional(),
  e: z.string().optional(),
  a: z.enum(RETURN_PAGES).optional(),
  q: z.record(z.string(), z.string()).optional(),
  x: z.number(),
})

/** Sealed with its own key; short names keep addresses short. */
export function createFlows({ sealer, now }: { sealer: Sealer; now: Now }): Flows {
  const sealFor =
    (lifeMs: number) =>
    (flow: Flow): string => {
      const { target, state, namedByKey, browser, userId, ndaDeclined, profileSkipped, sharingShown, nativeShown, authenticatesAnew } = flow
      const { pendingSignUp, pendingLink, notice, secondFactor, next, openid, logout } = flow
      const value: z.input<typeof sealedFlow> = {
        ...(target && { t: [target.uri, target.productId] }),
        ...(target?.kind === 'forwarded' && { h: 1 }),
        ...(state !== undefined && { s: state }),
        ...(namedByKey && { k: 1 }),
        b: browser,
        ...(userId !== undefined && { u: userId }),
        ...(ndaDeclined && { n: 1 }),
        ...(profileSkipped && { p: 1 }),
        ...(sharingShown && { c: 1, e: sharingShown.join(' ') }),
        ...(nativeShown && { d: 1 }),
        ...(authenticatesAnew && { r: 1 }),
        ...(pendingSignUp && { w: [pendingSignUp.ticketId, pendingSignUp.email] }),
        ...(notice && { m: [notice.kind, notice.provider] }),
        ...(pendingLink && { l: [pendingLink.providerId, pendingLink.issuer, pendingLink.subject, pendingLink.email] }),
        ...(secondFactor && { f: sealFirst(secondFactor) }),
        ...(openid && { o: [openid.query, openid.begunAt, openid.asksConsent] }),
        ...(logout !== undefined && { g: logout }),
        ...(next && { a: next.page, q: next.query }),
        x: Math.min(now() + lifeMs, secondFactor?.until ?? Number.POSITIVE_INFINITY),
      }
      return sealer.seal(JSON.stringify(value), PLACE)
    }
  return {
    seal: sealFor(FLOW_MS),
    sealForMail: sealFor(FLOW_BY_MAIL_MS),
    open(sealed) {
      const text = sealed ? sealer.open(sealed, PLACE) : undefined
      if (text === undefined) return undefined
      // Sealed by us, but perhaps by another version that runs at the same time.
      const parsed = sealedFlow.safeParse(JSON.parse(text))
      if (!parsed.success || parsed.data.x <= now()) return undefined
      const { t, h, s, k, b, u, n, p, d, r, w, l, m, f, o, g, e, a, q } = parsed.data
      return {
        target: t && { uri: t[0], productId: t[1], kind: h === 1 ? 'forwarded' : o ? 'openid' : 'redirect_uri' },
        state: s,
        namedByKey: k === 1,
        browser: b,
        userId: u,
        ndaDeclined: n === 1,
        profileSkipped: p === 1,
        sharingShown: e?.split(' ').filter((scope) => scope !== ''),
        nativeShown: d === 1,
        authenticatesAnew: r === 1,
        pendingSignUp: w && { ticketId: w[0], email: w[1] },
        notice: m && { kind: m[0], provider: m[1] },
        pendingLink: l && { providerId: l[0], issuer: l[1], subject: l[2], email: l[3] },
        secondFactor: f && openFirst(f),
        openid: o && { query: o[0], begunAt: o[1], asksConsent: o[2] },
        logout: g,
        next: a && { page: a, query: q ?? {} },
      }
    },
  }
}

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

type SealedFirst = NonNullable<z.input<typeof sealedFlow>['f']>

function sealFirst({ userId, factor, id, until }: ShownFirst): SealedFirst {
  return [userId, id, until, factor.kind === 'password' ? [factor.fingerprint] : [factor.issuer, factor.subject]]
}

function openFirst([userId, id, until, [one, subject]]: SealedFirst): ShownFirst {
  const factor: SealedFactor = subject === undefined ? { kind: 'password', fingerprint: one } : { kind: 'identity', issuer: one, subject }
  return { userId, factor, id, until }
}
