import type { Transaction } from '../storage/index.ts'
import { identityStore } from './identities/identity-store.ts'
import { passkeyStore } from './passkeys/passkey-store.ts'
import { userStore } from './store.ts'

/** What somebody has just shown to be an account's person: its password, a provider that knows them, or a device of theirs. */
export type FirstFactor =
  | { kind: 'password'; passwordHash: string }
  /** `saysSecondFactor`: the provider says itself that it asked for more than one (`amr` has `mfa`, RFC 8176 §2). */
  | { kind: 'identity'; issuer: string; subject: string; saysSecondFactor: boolean }
  /** A device that has verified its user (a finger, a face, a PIN) is both factors by itself. */
  | { kind: 'passkey'; credentialId: string }

/** Whether a proof still holds, and keeps it so until the transaction ends: a password change or a claim that was faster has voided it. */
export async function holdFirstFactor(tx: Transaction, userId: string, factor: FirstFactor): Promise<boolean> {
  if (factor.kind === 'password') return userStore(tx).holdPassword(userId, factor.passwordHash)
  // The account first, as everyone does who takes passkeys away: two transactions that wait for each other would both be lost.
  if (factor.kind === 'passkey') return (await userStore(tx).hold(userId)) && passkeyStore(tx).hold(factor.credentialId, userId)
  return identityStore(tx).hold(factor.issuer, factor.subject, userId)
}
