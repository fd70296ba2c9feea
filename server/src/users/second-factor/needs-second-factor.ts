import type { Queryable } from '../../storage/index.ts'
import { passkeyStore } from '../passkeys/passkey-store.ts'
import type { User } from '../user.ts'
import { secondFactorStore } from './second-factor-store.ts'

/** Whether a user is asked for a code at every sign-in. */
export async function hasSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  return (await secondFactorStore(db).findTotp(userId))?.confirmedAt !== undefined
}

/**
 * Whether a single factor is not enough for a recent authentication. That is so where a second factor is on, and for an administrator with
 * a passkey: the console asks for the passkey, and a thief of the password could otherwise add a factor of their own and enter with it.
 */
export async function needsSecondFactor(db: Queryable, { id, role }: Pick<User, 'id' | 'role'>): Promise<boolean> {
  return (await hasSecondFactor(db, id)) || (role !== undefined && (await passkeyStore(db).countOfUser(id)) > 0)
}
