import type { AccountStore } from '../accounts/index.ts'
import { type Now, parseKeyKind, sha256Hex } from '../kit/index.ts'
import type { Checks } from '../sessions/index.ts'
import { type BrowserCookies, findBoundSession } from '../sign-in/index.ts'
import type { Storage } from '../storage/index.ts'
import { type AdminScope, adminTokenState, may } from './admin-token.ts'
import { adminTokenStore } from './token-store.ts'

/** What a request brings to prove who asks. */
export interface Presented {
  /** What stands in `Authorization`, whatever it is: with it no cookie counts. `bearer` is a bearer's credential. */
  authorization: string | undefined
  bearer: string | undefined
  cookie: string | undefined
  origin: 'own' | 'foreign' | 'unknown'
}

export type CallerRefusal = 'not_authenticated' | 'foreign_origin' | 'not_allowed'

export interface CallerDeps {
  storage: Storage
  accounts: Pick<AccountStore, 'findById'>
  cookies: BrowserCookies
  checks: Checks
  baseUrl: string
  now: Now
}

/** Who asks, as the audit log names them, if they may do what a scope names: a script by its admin token, or a person by session and bound cookie. */
export async function findCaller(
  presented: Presented,
  scope: AdminScope,
  deps: CallerDeps,
): Promise<{ actor: string } | { refusal: CallerRefusal }> {
  return presented.authorization === undefined ? findPerson(presented, scope, deps) : findScript(presented.bearer ?? '', scope, deps)
}

async function findScript(
  key: string,
  scope: AdminScope,
  { storage, now }: CallerDeps,
): Promise<{ actor: string } | { refusal: CallerRefusal }> {
  const token = parseKeyKind(key) === 'adm' ? await adminTokenStore(storage.db).findByHash(sha256Hex(key)) : undefined
  if (!token || adminTokenState(token, now()) !== 'live') return { refusal: 'not_authenticated' }
  return may(token.role, token.scopes, scope) ? { actor: `token:${token.id}` } : { refusal: 'not_allowed' }
}

/** What another site makes a browser do carries the cookies too: only a request that says it comes from our own pages counts. */
async function findPerson(
  { cookie, origin }: Presented,
  scope: AdminScope,
  deps: CallerDeps,
): Promise<{ actor: string } | { refusal: CallerRefusal }> {
  const session = await findBoundSession(cookie, deps)
  if (!session) return { refusal: 'not_authenticated' }
  if (origin !== 'own') return { refusal: 'foreign_origin' }
  const account = await deps.accounts.findById(session.userId)
  return may(account?.role, undefined, scope) ? { actor: `user:${session.userId}` } : { refusal: 'not_allowed' }
}
