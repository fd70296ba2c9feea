import { type Actor, recordAudit } from '../audit/index.ts'
import { isVisibleLine, type Now, newId, normaliseEmail } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { betaUserStore } from './profile/beta-user-store.ts'
import { userStore } from './store.ts'
import { newUser, type User } from './user.ts'

export interface NewUser {
  email: string
  name: string
  passwordHash: string | undefined
  role: User['role']
  /** The operator vouches that the address is the user's. */
  verified: boolean
  isProducer: boolean
  isBeta: boolean
}

export type UserRefusal = {
  refusal: 'email_malformed' | 'name_malformed' | 'email_taken' | 'avatar_malformed' | 'not_found' | 'last_owner' | 'changed_meanwhile'
}

/** Makes a user's account inside the caller's transaction. */
export async function insertUser(tx: Transaction, input: NewUser, { now, actor }: { now: Now; actor: Actor }): Promise<User | UserRefusal> {
  const email = normaliseEmail(input.email)
  if (email === undefined) return { refusal: 'email_malformed' }
  if (!isName(input.name)) return { refusal: 'name_malformed' }
  const at = now()
  const user = newUser({
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
  if (!(await userStore(tx).insert(user))) return { refusal: 'email_taken' }
  if (input.isBeta) await betaUserStore(tx).addBetaUser(user.id, at)
  const after = { verified: input.verified, role: input.role, isProducer: input.isProducer, beta: input.isBeta }
  await recordAudit(tx, { actor, action: 'user.create', target: user.id, after }, at)
  return user
}

/** A user's name: one line, something visible in it, 200 characters at most. */
export function isName(text: string): boolean {
  return isVisibleLine(text, 200)
}
