import { MINUTE_MS, type Now } from '../../kit/index.ts'
import { type LiveSession, sessionStore } from '../../sessions/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { hasSecondFactor, needsSecondFactor, type User, userStore } from '../../users/index.ts'

/** An authentication counts as recent for this long. */
const FRESH_MS = 10 * MINUTE_MS

/** The user of this browser, by its bound session. */
export interface SignedInUser {
  user: User
  session: LiveSession
}

/** Whether a session's user has authenticated within the last ten minutes, with two factors where the account needs them. */
export async function hasRecentAuth({ user, session }: SignedInUser, { storage, now }: { storage: Storage; now: Now }): Promise<boolean> {
  const factor = await sessionStore(storage.db).findAuthTimes(session.id)
  return factor !== undefined && isRecentAuth(factor, (await needsSecondFactor(storage.db, user)) ? 'two' : 'one', now())
}

/** Times in ms. A time in the future comes from a wrong clock, and would count as recent until then. */
export function isRecentAuth(
  { authenticatedAt, secondFactorAt }: { authenticatedAt: number | undefined; secondFactorAt: number | undefined },
  factors: 'one' | 'two',
  now: number,
): boolean {
  const isRecent = (at: number | undefined) => at !== undefined && Math.abs(now - at) < FRESH_MS
  return isRecent(authenticatedAt) && (factors === 'one' || isRecent(secondFactorAt))
}

/**
 * The login page's notice for a user who must authenticate again. Where the account needs two factors and has no second one, only a passkey
 * will do.
 */
export async function recentAuthNotice(
  user: User | undefined,
  { db }: Storage,
): Promise<'authenticate_again' | 'authenticate_with_passkey'> {
  const needsPasskey = user && (await needsSecondFactor(db, user)) && !(await hasSecondFactor(db, user.id))
  return needsPasskey ? 'authenticate_with_passkey' : 'authenticate_again'
}

/**
 * Whether the session is still live and its account enabled; both then stay so until the transaction ends. A change of the password ends
 * all other sessions: of two browsers that change something at once, the second is signed out and changes nothing.
 */
export async function holdSignedInUser(tx: Transaction, { user, session }: SignedInUser, now: Now): Promise<boolean> {
  return (await userStore(tx).hold(user.id)) && sessionStore(tx).hold(session.id, now())
}
