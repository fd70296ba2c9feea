import { type Now, parseKeyKind, sha256Hex } from '../../kit/index.ts'
import { type Checks, sessionStore } from '../../sessions/index.ts'
import { type BrowserCookies, findBoundSession, isRecentAuth } from '../../sign-in/index.ts'
import type { Storage } from '../../storage/index.ts'
import { needsSecondFactor, type UserStore } from '../../users/index.ts'
import { adminTokenState } from './admin-token.ts'
import { type AdminScope, isForScripts, may, type Role } from './permissions.ts'
import { adminTokenStore } from './token-store.ts'

/** The credentials of a request. */
export interface Presented {
  /** The header `Authorization`, whatever its form: with it no cookie counts. `bearer` is a bearer's credential. */
  authorization: string | undefined
  bearer: string | undefined
  cookie: string | undefined
  origin: 'own' | 'foreign' | 'unknown'
  /**
   * The user that the page was made for. If another user has signed in in that browser since, the request is refused; `undefined`: the page
   * does not say.
   */
  expectedUser: string | undefined
}

/**
 * The caller. `name` is how the audit log names them; `hasRecentAuth`: they have authenticated within the last ten minutes, with two
 * factors where the account has them.
 */
export type Caller =
  | { kind: 'user'; name: `user:${string}`; role: Role; userId: string; sessionId: string; hasRecentAuth: boolean }
  | { kind: 'script'; name: `token:${string}`; role: Role; scopes: readonly AdminScope[] | undefined }

/**
 * `authentication_too_old`: a dangerous action without an authentication within the last ten minutes. `second_factor_missing`: the account
 * has more than a password, and this session began without it.
 */
export type CallerRefusal = 'not_authenticated' | 'foreign_origin' | 'not_allowed' | 'authentication_too_old' | 'second_factor_missing'

export interface CallerDeps {
  storage: Storage
  users: Pick<UserStore, 'findById'>
  cookies: BrowserCookies
  checks: Checks
  baseUrl: string
  now: Now
}

/**
 * The caller, if they may do what `scope` names (`undefined`: any role will do, as for one's own name): a script by its admin token, or a
 * user by session and bound cookie.
 */
export async function findCaller(
  presented: Presented,
  scope: AdminScope | undefined,
  deps: CallerDeps,
): Promise<Caller | { refusal: CallerRefusal }> {
  return presented.authorization === undefined ? findSessionUser(presented, scope, deps) : findScript(presented.bearer ?? '', scope, deps)
}

/**
 * Why this caller may not act on a user with this role, or on their data. Only an owner with a recent authentication may act on
 * administrators, and no script: closing their account or removing their factors could take their role away.
 */
export function refuseImpersonationOf(caller: Caller, theirs: string | null | undefined): { refusal: CallerRefusal } | undefined {
  if (theirs === null || theirs === undefined) return undefined
  if (caller.role !== 'owner' || caller.kind === 'script') return { refusal: 'not_allowed' }
  return isStale(caller) ? { refusal: 'authentication_too_old' } : undefined
}

/** Whether a user's last authentication is too old for a dangerous action. A script never authenticates. */
export function isStale(caller: Caller): boolean {
  return caller.kind === 'user' && !caller.hasRecentAuth
}

/** Whether the caller has this further permission: some answers leave data out for others. */
export function mayAlso(caller: Caller, scope: AdminScope): boolean {
  return may(caller.role, caller.kind === 'script' ? caller.scopes : undefined, scope)
}

async function findScript(
  key: string,
  scope: AdminScope | undefined,
  { storage, now }: CallerDeps,
): Promise<Caller | { refusal: CallerRefusal }> {
  const token = parseKeyKind(key) === 'adm' ? await adminTokenStore(storage.db).findByHash(sha256Hex(key)) : undefined
  if (!token || adminTokenState(token, now()) !== 'live') return { refusal: 'not_authenticated' }
  const isAllowed = scope === undefined || (isForScripts(scope) && may(token.role, token.scopes, scope))
  return isAllowed ? { kind: 'script', name: `token:${token.id}`, role: token.role, scopes: token.scopes } : { refusal: 'not_allowed' }
}

/** Requests that another site triggers carry the cookies too: only a request that comes from our own pages counts. */
async function findSessionUser(
  { cookie, origin, expectedUser }: Presented,
  scope: AdminScope | undefined,
  deps: CallerDeps,
): Promise<Caller | { refusal: CallerRefusal }> {
  const session = await findBoundSession(cookie, deps)
  if (!session) return { refusal: 'not_authenticated' }
  if (origin !== 'own') return { refusal: 'foreign_origin' }
  if (expectedUser !== undefined && expectedUser !== session.userId) return { refusal: 'not_authenticated' }
  const user = await deps.users.findById(session.userId)
  const role = user?.role
  if (!user || role === undefined || (scope !== undefined && !may(role, undefined, scope))) return { refusal: 'not_allowed' }
  const authTimes = await sessionStore(deps.storage.db).findAuthTimes(session.id)
  if (!authTimes) return { refusal: 'not_authenticated' }
  const factors = (await needsSecondFactor(deps.storage.db, user)) ? 'two' : 'one'
  if (factors === 'two' && authTimes.secondFactorAt === undefined) return { refusal: 'second_factor_missing' }
  const hasRecentAuth = isRecentAuth(authTimes, factors, deps.now())
  return { kind: 'user', name: `user:${session.userId}`, role, userId: session.userId, sessionId: session.id, hasRecentAuth }
}
