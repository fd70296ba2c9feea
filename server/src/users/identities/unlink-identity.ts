import { recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { countSignInMethods } from '../sign-in-methods.ts'
import { userStore } from '../store.ts'
import { ticketStore } from '../tickets/ticket-store.ts'
import { identityStore } from './identity-store.ts'

/**
 * Removes the link of an identity. `last_sign_in_method`: without it nobody could sign in to the account. `gone`: it is not this user's, or
 * no longer.
 */
export async function unlinkIdentity(
  tx: Transaction,
  userId: string,
  { issuer, subject }: { issuer: string; subject: string },
  { now, ip }: { now: Now; ip: string },
): Promise<'unlinked' | 'last_sign_in_method' | 'gone'> {
  // Held, so that of two concurrent removals the second sees the first.
  if (!(await userStore(tx).hold(userId))) return 'gone'
  if ((await identityStore(tx).findUserId(issuer, subject)) !== userId) return 'gone'
  if ((await countSignInMethods(tx, userId, { issuer, subject })) === 0) return 'last_sign_in_method'
  await identityStore(tx).remove(issuer, subject)
  await ticketStore(tx).removeOfUser(userId)
  await recordAudit(tx, { actor: `user:${userId}`, action: 'user.unlink_identity', target: userId, before: { issuer }, ip }, now())
  return 'unlinked'
}
