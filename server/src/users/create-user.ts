import { type Actor, recordAudit } from '../audit/index.ts'
import { isVisibleLine, type Now, newId, normaliseEmail } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { profileStore } from './profile/profile-store.ts'
import { accountStore } from './store.ts'
import { type Account, newAccount } from './user.ts'

export interface NewAccount {
  email: string
  name: string
  passwordHash: string | undefined
  role: Account['role']
  /** The operator vouches that the address is the person's. */
  verified: boolean
  isProducer: boolean
  isBeta: boolean
}

export type AccountRefusal = {
  refusal: 'email_malformed' | 'name_malformed' | 'email_taken' | 'avatar_malformed' | 'not_found' | 'last_owner' | 'changed_meanwhile'
}

/** Makes a person's account inside the caller's transaction. */
export async function createAccount(
  tx: Transaction,
  input: NewAccount,
  { now, actor }: { now: Now; actor: Actor },
): Promise<Account | AccountRefusal> {
  const email = normaliseEmail(input.email)
  if (email === undefined) return { refusal: 'email_malformed' }
  if (!isName(input.name)) return { refusal: 'name_malformed' }
  const at = now()
  const account = newAccount({
    id: newId(),
    email,
    emailVerifiedAt: input.verified ? at : undefined,
    passwordHash: input.passwordHash,
    role: input.role,
    createdAt: at,
    name: input.name.trim(),
    isProducer: input.isProducer,
    beta: input.isBeta ? { ndaAcceptedAt: undefined } : undefined,
  })
  if (!(await accountStore(tx).insert(account))) return { refusal: 'email_taken' }
  if (input.isBeta) await profileStore(tx).addBetaUser(account.id, at)
  const after = { verified: input.verified, role: input.role, isProducer: input.isProducer, isBeta: input.isBeta }
  await recordAudit(tx, { actor, action: 'user.create', target: account.id, after }, at)
  return account
}

/** A person's name: one line, something visible in it, 200 characters at most. */
export function isName(text: string): boolean {
  return isVisibleLine(text, 200)
}
