import { endSessionsOfUser } from '../../../sessions/index.ts'
import { passwordStore, ticketStore, type User, type UserRefusal } from '../../../users/index.ts'
import { hashPassword, type PasswordRefusal } from './hash-password.ts'
import { onUser } from './on-user.ts'
import type { OperatorDeps } from './operator-deps.ts'

/** Sets a new password, voids all mailed links, and ends every session that the old one may have begun. */
export async function setUserPassword(
  user: User,
  password: string,
  deps: OperatorDeps,
): Promise<{ ended: number } | PasswordRefusal | UserRefusal> {
  const hashed = await hashPassword(password, deps.passwords)
  if ('refusal' in hashed) return hashed
  return onUser(user, 'user.set_password', deps, async (tx, announce) => {
    await passwordStore(tx).setPassword(user.id, hashed.hash, deps.now())
    await ticketStore(tx).removeOfUser(user.id)
    return { ended: await endSessionsOfUser(tx, user.id, 'password_changed', { announce, now: deps.now }) }
  })
}
