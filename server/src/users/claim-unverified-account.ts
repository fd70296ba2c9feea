import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { identityStore } from './identities/identity-store.ts'
import { passkeyStore } from './passkeys/passkey-store.ts'
import { openedAppStore } from './profile/opened-app-store.ts'
import { pictureStore } from './profile/picture-store.ts'
import { profileStore } from './profile/profile-store.ts'
import { addressStore } from './rows/address-store.ts'
import { secondFactorStore } from './second-factor/second-factor-store.ts'
import { ticketStore } from './tickets/ticket-store.ts'
import type { User } from './user.ts'

type ClaimDeps = { announce: Announce; now: Now }

/**
 * Gives an account with an unverified address to the user who has just verified it. In the same transaction the caller holds its row before
 * it decides to, and ends its sessions.
 */
export async function claimUnverifiedAccount(tx: Transaction, user: User, deps: ClaimDeps): Promise<User> {
  const owned = await stripUnverifiedAccount(tx, user, deps)
  await recordAudit(tx, { actor: `user:${user.id}`, action: 'user.claim_unverified', target: user.id }, deps.now())
  return owned
}

/**
 * Removes all that someone else may have put there: password, second factor, passkeys, links to providers, tickets, tax id, phone, picture,
 * consents and the apps that they went to. An administrator's second factor and passkeys stay: the mailbox alone would open the console.
 */
export async function stripUnverifiedAccount(tx: Transaction, user: User, { announce, now }: ClaimDeps): Promise<User> {
  const at = now()
  const isTheirPicture = await pictureStore(tx).remove(user.id)
  if (isTheirPicture) await profileStore(tx).removePicture(user.id, at)
  await addressStore(tx).strip(user.id, at)
  await profileStore(tx).strip(user.id, at)
  await openedAppStore(tx).removeOfUser(user.id)
  await identityStore(tx).removeOfUser(user.id)
  if (user.role === undefined) {
    await secondFactorStore(tx).remove(user.id)
    await passkeyStore(tx).removeOfUser(user.id)
  }
  await ticketStore(tx).removeAllOfUser(user.id)
  announce({ kind: 'user_changed', subject: user.id })
  const beta = user.beta && { ndaAcceptedAt: undefined }
  return {
    ...user,
    emailVerifiedAt: at,
    passwordHash: undefined,
    taxIdKind: undefined,
    phone: undefined,
    ...(isTheirPicture && { avatarUrl: undefined }),
    beta,
  }
}
