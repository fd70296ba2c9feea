import { DAY_MS } from '../kit/index.ts'

/** Absolute: a new sign-in makes a new one, use does not extend it. */
export const SESSION_SECONDS = (30 * DAY_MS) / 1000

/** How a user signs in: the first factor that they show. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'provider'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/** A session that is good now, with its user's present claims. Held in memory (`live-sessions.ts`), which says whether it is stale. */
export interface LiveSession {
  id: string
  userId: string
  /** The external product that owns this session; `undefined` for one of the domain. */
  productId: string | undefined
  /** The product's client that describes itself, by its address; `undefined` for every other session. */
  clientId: string | undefined
  /** The settings of OpenID Connect under which it began, by their `since`; `undefined` where no client of OpenID Connect began it. */
  openIdSince: number | undefined
  /** Hash of the cookie that binds the session to the service's own host; only the domain's sessions have one. */
  boundHash: string | undefined
  /** Ms, as `expiresAt`. */
  createdAt: number
  expiresAt: number
  /** The administrator, in an impersonation. */
  impersonation: Impersonator | undefined
  claims: LiveClaims
  /** The claims hold until then (ms) without an announced change: a paid period may end in silence. */
  claimsUntil: number
  /** The change feed has named it, or memory has let go of it. */
  stale: boolean
  /** The life of the memory in which it is kept: what was kept in another is stale. */
  era: number
  /** The last use at this node, in ms; 0 for none since memory holds it. Written down every few minutes (`last-seen.ts`). */
  seenAt: number
  /** The use that was taken to be written down last. */
  takenAt: number
}

/** The administrator of an impersonation, and their own session. */
export interface Impersonator {
  userId: string
  sessionId: string
  name: string
}

/** The life of an impersonation: absolute, and nothing extends it. */
export const IMPERSONATION_SECONDS = 15 * 60

/** The administrator as RFC 8693 §4.1 has it (`act`); empty for a user's own session. */
export function actClaim({ impersonation }: Pick<LiveSession, 'impersonation'>): { act?: { sub: string } } {
  return impersonation ? { act: { sub: impersonation.userId } } : {}
}

/** A user as apps may see them. `email` is absent where an external product was not given `read:email`, by the operator and by the user. */
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

/** A session just begun or resumed, with the secret of its bound cookie when that is new. */
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

/** The claims without decoration (name, picture), for the rare user whose texts make a token too long. */
export function plainTokenClaims(claims: LiveClaims): Record<string, unknown> {
  return tokenClaims({ ...claims, avatarUrl: undefined, companyName: undefined, rankName: undefined })
}

/** By whole characters, never through the middle of one. */
function cut(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_TEXT ? text : characters.slice(0, MAX_TEXT).join('')
}
