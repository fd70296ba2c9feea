import type { Transaction } from '../storage/index.ts'
import { identityStore } from './identities/identity-store.ts'
import { passkeyStore } from './passkeys/passkey-store.ts'
import { passwordStore } from './passwords/password-store.ts'
import { userStore } from './store.ts'

/** The first factor that was shown: the password, an identity at a provider, or a passkey. */
export type FirstFactor =
  | { kind: 'password'; passwordHash: string }
  /** `saysSecondFactor`: the provider itself says that it asked for more than one factor (`amr` has `mfa`, RFC 8176 §2). */
  | { kind: 'identity'; issuer: string; subject: string; saysSecondFactor: boolean }
  /** A device that has verified its user (a finger, a face, a PIN) is both factors by itself. */
  | { kind: 'passkey'; credentialId: string }

/**
 * Whether a first factor still holds; it then holds until the transaction ends. A change of password or a claim since then has voided it.
 * The account's row is held with it: a second factor that is being turned on is there before, or finds what this transaction began. It is
 * held first, as in every transaction that removes passkeys or links: the same order prevents deadlocks.
 */
export async function holdFirstFactor(tx: Transaction, userId: string, factor: FirstFactor): Promise<boolean> {
  if (factor.kind === 'password') return passwordStore(tx).holdPassword(userId, factor.passwordHash)
  if (!(await userStore(tx).hold(userId))) return false
  if (factor.kind === 'passkey') return passkeyStore(tx).hold(factor.credentialId, userId)
  return identityStore(tx).hold(factor.issuer, factor.subject, userId)
}
