import { recordAudit } from '../../audit/index.ts'
import type { Announce } from '../../changes/index.ts'
import { type Now, newId } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { claimUnverifiedAccount } from '../claim-unverified-account.ts'
import { createFrom, linkIdentity } from '../identities/resolve-identity.ts'
import { passwordStore } from '../passwords/password-store.ts'
import { userStore } from '../store.ts'
import type { Ticket } from '../tickets/ticket.ts'
import { newUser, type User } from '../user.ts'
import { readPendingSignUp } from './pending-sign-up.ts'

/**
 * Finishes a sign-up whose ticket has just been taken: the address is verified now. A verified account made meanwhile stays as it is, and
 * so does an administrator's (`taken`); an unverified one is claimed.
 */
export async function finishSignUp(
  tx: Transaction,
  ticket: Ticket,
  deps: { announce: Announce; now: Now },
): Promise<{ user: User; how: 'created' | 'claimed' } | { refusal: 'taken' }> {
  const { name, passwordHash, identity } = readPendingSignUp(ticket)
  const at = deps.now()
  const users = userStore(tx)
  const local = await users.holdByEmail(ticket.email)
  if (local && (local.emailVerifiedAt !== undefined || local.role !== undefined || local.disabledAt !== undefined))
    return { refusal: 'taken' }
  if (identity && !local) {
    const { user } = await createFrom(tx, { ...identity, name, email: ticket.email, pictureUrl: identity.pictureUrl }, deps)
    return { user, how: 'created' }
  }
  const user = local
    ? await claimUnverifiedAccount(tx, local, deps)
    : newUser({ id: newId(), email: ticket.email, emailVerifiedAt: at, passwordHash, createdAt: at, name })
  if (!local && !(await users.insert(user))) return { refusal: 'taken' }
  if (local && passwordHash !== undefined) await passwordStore(tx).setPassword(user.id, passwordHash, at)
  if (identity) await linkIdentity(tx, user.id, { ...identity, email: ticket.email }, deps)
  if (!local) await recordAudit(tx, { actor: `user:${user.id}`, action: 'user.create', target: user.id }, at)
  return { user: { ...user, passwordHash }, how: local ? 'claimed' : 'created' }
}
