import { linkPurchases } from '../../../subscriptions/index.ts'
import { insertUser, type NewUser, queueInvitation, type User, type UserRefusal } from '../../../users/index.ts'
import { hashPassword, type PasswordRefusal } from './hash-password.ts'
import type { InviteDeps, OperatorDeps } from './operator-deps.ts'

/** Makes a user's account. Without a password the user is invited by mail to choose one, if `invite` is given. */
export async function createUser(
  input: Omit<NewUser, 'passwordHash'> & { password: string | undefined },
  { storage, changes, passwords, now, actor, invite }: OperatorDeps & { invite?: InviteDeps | undefined },
): Promise<User | UserRefusal | PasswordRefusal> {
  const { password, ...rest } = input
  const hashed = password === undefined ? { hash: undefined } : await hashPassword(password, passwords)
  if ('refusal' in hashed) return hashed
  return changes.transaction(async (tx, announce) => {
    const made = await insertUser(tx, { ...rest, passwordHash: hashed.hash }, { now, actor })
    if (!('refusal' in made)) await linkPurchases(tx, made.id, { announce, storage })
    if (invite && password === undefined && !('refusal' in made)) await queueInvitation(tx, made, { ...invite, now })
    return made
  })
}
