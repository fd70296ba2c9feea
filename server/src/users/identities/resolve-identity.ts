import { recordAudit } from '../../audit/index.ts'
import type { Announce } from '../../changes/index.ts'
import type { VerifiedIdentity } from '../../identity-providers/index.ts'
import { type Now, newId } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { isPictureAddress } from '../change-user.ts'
import { claimUnverifiedAccount } from '../claim-unverified-account.ts'
import { isName } from '../insert-user.ts'
import { userStore } from '../store.ts'
import { nameFrom, newUser, type User } from '../user.ts'
import { identityStore } from './identity-store.ts'

/** How the account of an identity was found. */
export type IdentityMatch = { user: User; how: 'known' | 'created' | 'linked' | 'claimed' }

/**
 * `link_with_password`: an account has this address, and only a sign-in of its own can show that it is the same user. `confirm_address`:
 * no account has it, and the provider does not verify its addresses, so the mailbox must confirm. `no_address`: the provider gave none.
 * `no_account`: no account has it, and none is to be made. `disabled`: the operator closed the account; `deletion_pending`: its user did.
 */
export type IdentityRefusal =
  | { refusal: 'link_with_password' | 'confirm_address'; email: string }
  | { refusal: 'disabled'; userId: string }
  | { refusal: 'no_address' | 'no_account' | 'deletion_pending' }

/**
 * Finds the account of an identity that a provider has authenticated, inside the caller's transaction. No link is made on an unverified
 * address, on either side: an address counts only from a provider that is authoritative for its domain. With such a provider a verified
 * local account is linked, and an unverified one is claimed. Administrators are never linked automatically. `hasAccount`: the user is about
 * to confirm an address of their account, so none is made or claimed for that address; the account's own sign-in is asked for.
 */
export async function resolveIdentity(
  tx: Transaction,
  identity: VerifiedIdentity,
  { hasAccount, ...deps }: { announce: Announce; now: Now; hasAccount: boolean },
): Promise<IdentityMatch | IdentityRefusal> {
  const { issuer, subject, email } = identity
  const users = userStore(tx)
  const knownId = await identityStore(tx).findUserId(issuer, subject)
  const known = knownId === undefined ? undefined : await users.findById(knownId)
  if (known) return known.disabledAt === undefined ? { user: known, how: 'known' } : closed(known)
  if (email === undefined) return { refusal: 'no_address' }
  const local = await users.holdByEmail(email)
  if (!local && hasAccount) return { refusal: 'no_account' }
  if (!identity.emailVerified) return { refusal: local ? 'link_with_password' : 'confirm_address', email }
  if (!local) return createFrom(tx, { ...identity, email }, deps)
  if (local.disabledAt !== undefined) return closed(local)
  if (local.role !== undefined) return { refusal: 'link_with_password', email }
  if (local.emailVerifiedAt !== undefined) {
    // Another callback of this identity may have claimed the account a moment ago.
    return { user: local, how: (await linkIdentity(tx, local.id, identity, deps)) ? 'linked' : 'known' }
  }
  if (hasAccount) return { refusal: 'link_with_password', email }
  const user = await claimUnverifiedAccount(tx, local, deps)
  await linkIdentity(tx, user.id, identity, deps)
  return { user, how: 'claimed' }
}

function closed({ id, leavesAt }: User): IdentityRefusal {
  return leavesAt === undefined ? { refusal: 'disabled', userId: id } : { refusal: 'deletion_pending' }
}

/** Links an identity to an account; an existing link stays, and the answer is `false`. */
export async function linkIdentity(
  tx: Transaction,
  userId: string,
  { issuer, subject, email, providerId }: Pick<VerifiedIdentity, 'issuer' | 'subject' | 'email' | 'providerId'>,
  { now }: { now: Now },
): Promise<boolean> {
  if (!(await identityStore(tx).insert({ issuer, subject, userId, email }, now()))) return false
  await recordAudit(tx, { actor: `user:${userId}`, action: 'user.link_identity', target: userId, after: { providerId, issuer } }, now())
  return true
}

/** Makes the account of a new user whose address is verified, by the provider or by the mailbox. */
export async function createFrom(
  tx: Transaction,
  identity: Pick<VerifiedIdentity, 'issuer' | 'subject' | 'providerId' | 'name' | 'pictureUrl'> & { email: string },
  deps: { announce: Announce; now: Now },
): Promise<IdentityMatch> {
  const at = deps.now()
  const { email, name, pictureUrl } = identity
  const user = newUser({
    id: newId(),
    email,
    emailVerifiedAt: at,
    createdAt: at,
    name: name !== undefined && isName(name) ? name : nameFrom(email),
    avatarUrl: pictureUrl !== undefined && isPictureAddress(pictureUrl) ? pictureUrl : undefined,
  })
  if (!(await userStore(tx).insert(user))) return resolveAgain(tx, identity, deps)
  await recordAudit(
    tx,
    { actor: `user:${user.id}`, action: 'user.create', target: user.id, after: { providerId: identity.providerId } },
    at,
  )
  await linkIdentity(tx, user.id, identity, deps)
  return { user, how: 'created' }
}

/** Another sign-in made this account a moment ago: its address is verified as well. */
async function resolveAgain(
  tx: Transaction,
  identity: Parameters<typeof createFrom>[1],
  deps: { announce: Announce; now: Now },
): Promise<IdentityMatch> {
  const user = await userStore(tx).findByEmail(identity.email)
  if (!user || user.emailVerifiedAt === undefined || user.role !== undefined || user.disabledAt !== undefined) {
    throw new Error('an account appeared that must not be linked')
  }
  await linkIdentity(tx, user.id, identity, deps)
  return { user, how: 'linked' }
}
