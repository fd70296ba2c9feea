import { z } from 'zod'
import { MINUTE_MS, type Now, type Sealer } from '../../kit/index.ts'
import { type Flow, NOTICES, type SealedFactor, type ShownFirst } from './flow.ts'
import { RETURN_PAGES } from './return-page.ts'

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

type SealedFirst = NonNullable<z.input<typeof sealedFlow>['f']>

function sealFirst({ userId, factor, id, until }: ShownFirst): SealedFirst {
  return [userId, id, until, factor.kind === 'password' ? [factor.fingerprint] : [factor.issuer, factor.subject]]
}

function openFirst([userId, id, until, [one, subject]]: SealedFirst): ShownFirst {
  const factor: SealedFactor = subject === undefined ? { kind: 'password', fingerprint: one } : { kind: 'identity', issuer: one, subject }
  return { userId, factor, id, until }
}
