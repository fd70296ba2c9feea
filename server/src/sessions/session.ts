import { DAY_MS } from '../kit/index.ts'

/** Absolute: signing in again, not using it, is what makes a new one. */
export const SESSION_SECONDS = (30 * DAY_MS) / 1000

/** A session that is good now, with its user's claims of today. Held in memory; `stale` once the change feed has spoken of it. */
export interface LiveSession {
  id: string
  userId: string
  /** The external product whose session this is; `undefined` for one of the domain. */
  productId: string | undefined
  /** Hash of the cookie that binds the session to the service's own host; only the domain's sessions have one. */
  boundHash: string | undefined
  expiresAt: number
  /** The administrator who uses it as its user; `undefined` for everyone's own. */
  impersonation: Impersonator | undefined
  claims: LiveClaims
  /** Until when the claims hold if nothing is heard, in ms: a paid period may end in silence. */
  claimsUntil: number
  stale: boolean
  /** When this node last saw it, in ms; 0 for not since its memory of it began. Written down every few minutes (`seen.ts`). */
  seenAt: number
}

/** Who acts for the user of a session, and by which session of their own. */
export interface Impersonator {
  userId: string
  sessionId: string
  name: string
}

/** An acting session's life: absolute, and nothing makes it longer. */
export const IMPERSONATION_SECONDS = 15 * 60

/** Who acts, as RFC 8693 §4.1 says it; empty for a user's own session. */
export function actClaim({ impersonation }: Pick<LiveSession, 'impersonation'>): { act?: { sub: string } } {
  return impersonation ? { act: { sub: impersonation.userId } } : {}
}

/** What apps may know of a user. `email` is absent where an external product was not given `read:email`. */
export interface LiveClaims {
  email: string | undefined
  name: string
  isProducer: boolean
  isBeta: boolean
  planSlug: string | undefined
  avatarUrl: string | undefined
  companyName: string | undefined
  rankName: string | undefined
}

/** A session just begun or taken up again, with the secret of its bound cookie when it is new. */
export interface StartedSession {
  session: LiveSession
  boundSecret: string | undefined
}

const MAX_TEXT = 100
const MAX_AVATAR_URL = 512

/** The claims of an `eg_session` token. Long texts are cut, since a cookie ends at 4,096 bytes. */
export function tokenClaims(claims: LiveClaims): Record<string, unknown> {
  const avatar = claims.avatarUrl !== undefined && claims.avatarUrl.length <= MAX_AVATAR_URL ? claims.avatarUrl : undefined
  return {
    ...(claims.email !== undefined && { email: claims.email }),
    name: cut(claims.name),
    is_producer: claims.isProducer,
    is_beta: claims.isBeta,
    plan_slug: claims.planSlug ?? null,
    ...(avatar !== undefined && { avatar_url: avatar }),
    ...(claims.companyName !== undefined && { company_name: cut(claims.companyName) }),
    ...(claims.rankName !== undefined && { rank_name: cut(claims.rankName) }),
  }
}

/** The claims without those that only decorate, for the rare person whose texts make a token too long. */
export function plainTokenClaims(claims: LiveClaims): Record<string, unknown> {
  return tokenClaims({ ...claims, avatarUrl: undefined, companyName: undefined, rankName: undefined })
}

/** By whole characters, never through the middle of one. */
function cut(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_TEXT ? text : characters.slice(0, MAX_TEXT).join('')
}
