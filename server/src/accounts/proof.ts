import type { Transaction } from '../storage/index.ts'
import { identityStore } from './identity-store.ts'
import { accountStore } from './store.ts'

/** What somebody has just shown to be an account's person: its password, or a provider that knows them. */
export type Proof =
  | { kind: 'password'; passwordHash: string }
  /** `saysSecondFactor`: the provider says itself that it asked for more than one (`amr` has `mfa`, RFC 8176 §2). */
  | { kind: 'identity'; issuer: string; subject: string; saysSecondFactor: boolean }

/** Whether a proof still holds, and keeps it so until the transaction ends: a password change or a take-over that was faster has voided it. */
export async function holdProof(tx: Transaction, userId: string, proof: Proof): Promise<boolean> {
  if (proof.kind === 'password') return accountStore(tx).holdPassword(userId, proof.passwordHash)
  return identityStore(tx).hold(proof.issuer, proof.subject, userId)
}
