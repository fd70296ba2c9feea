import { MINUTE_MS, type Now } from '../../kit/index.ts'
import { type LiveSession, sessionStore } from '../../sessions/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { type User, userStore, hasSecondFactor, needsTwoFactors } from '../../users/index.ts'

/** How long a proof of who somebody is counts as fresh. */
const FRESH_MS = 10 * MINUTE_MS

/** Who uses this browser, as its bound session says. */
export interface Owner {
  user: User
  session: LiveSession
}

/** Whether a session's user has proven within the last ten minutes who they are, with two factors where the account needs them. */
export async function isFresh({ user, session }: Owner, { storage, now }: { storage: Storage; now: Now }): Promise<boolean> {
  const proof = await sessionStore(storage.db).findProof(session.id)
  return proof !== undefined && isFreshProof(proof, (await needsTwoFactors(storage.db, user)) ? 'two' : 'one', now())
}

/** Times in ms. A proof of the future is of a clock that was wrong, and would stay fresh until then. */
export function isFreshProof(
  { provenAt, twoFactorsAt }: { provenAt: number | undefined; twoFactorsAt: number | undefined },
  factors: 'one' | 'two',
  now: number,
): boolean {
  const isRecent = (at: number | undefined) => at !== undefined && Math.abs(now - at) < FRESH_MS
  return isRecent(provenAt) && (factors === 'one' || isRecent(twoFactorsAt))
}

/** What the login page says to a user who has to prove anew who they are: where the account needs two factors and has no second one, only a passkey leads on. */
export async function provingNotice(user: User | undefined, { db }: Storage): Promise<'prove_again' | 'prove_with_passkey'> {
  const needsPasskey = user && (await needsTwoFactors(db, user)) && !(await hasSecondFactor(db, user.id))
  return needsPasskey ? 'prove_with_passkey' : 'prove_again'
}

/**
 * Whether the session is still live and its account open, which both then are until the transaction ends. A change of the password ends all other sessions: so of two
 * browsers that change something at once the second is told that it is signed out, and changes nothing.
 */
export async function holdOwner(tx: Transaction, { user, session }: Owner, now: Now): Promise<boolean> {
  return (await userStore(tx).hold(user.id)) && sessionStore(tx).hold(session.id, now())
}
