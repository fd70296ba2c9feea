import type { Queryable } from '../storage/index.ts'
import { identityStore } from './identities/identity-store.ts'
import { passkeyStore } from './passkeys/passkey-store.ts'
import { userStore } from './store.ts'

/**
 * The number of a user's sign-in methods: the password, each passkey, each provider but the one that is about to go. The last one must
 * stay.
 */
export async function countSignInMethods(db: Queryable, userId: string, without?: { issuer: string; subject: string }): Promise<number> {
  const password = (await userStore(db).findById(userId))?.passwordHash === undefined ? 0 : 1
  return password + (await passkeyStore(db).countOfUser(userId)) + (await identityStore(db).countOfUser(userId, without))
}
