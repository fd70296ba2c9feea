import { type Account, accountStore } from '../accounts/index.ts'
import { MINUTE_MS, type Now } from '../kit/index.ts'
import { type LiveSession, sessionStore } from '../sessions/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'

/** How long a proof of who somebody is counts as fresh. */
const FRESH_MS = 10 * MINUTE_MS

/** Who uses this browser, as its bound session says. */
export interface Owner {
  account: Account
  session: LiveSession
}

/** Whether a session's person has proven who they are within the last ten minutes, second factor included. */
export async function isFresh({ id }: LiveSession, { storage, now }: { storage: Storage; now: Now }): Promise<boolean> {
  return isFreshProof((await sessionStore(storage.db).findProof(id))?.provenAt, now())
}

/** Both in ms. */
export function isFreshProof(provenAt: number | undefined, now: number): boolean {
  return provenAt !== undefined && now - provenAt < FRESH_MS
}

/**
 * Whether the session is still live and its account open, which both then are until the transaction ends. A change of the password ends all other sessions: so of two
 * browsers that change something at once the second is told that it is signed out, and changes nothing.
 */
export async function holdOwner(tx: Transaction, { account, session }: Owner, now: Now): Promise<boolean> {
  return (await accountStore(tx).hold(account.id)) && sessionStore(tx).hold(session.id, now())
}
