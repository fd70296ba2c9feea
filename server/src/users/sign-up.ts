import { z } from 'zod'
import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { VerifiedIdentity } from '../identity-providers/index.ts'
import { type Now, newId, normaliseEmail, type Sealer } from '../kit/index.ts'
import { addJob } from '../outbox/index.ts'
import type { Language } from '../pages/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import { claimUnverifiedAccount } from './claim-unverified-account.ts'
import { createFrom, linkIdentity } from './identities/resolve-identity.ts'
import { isName } from './insert-user.ts'
import { judgePassword } from './passwords/judge-password.ts'
import type { PasswordWeakness } from './passwords/password-strength.ts'
import { type PasswordHasher, refusePassword } from './passwords/passwords.ts'
import { userStore } from './store.ts'
import { mintTicket, type Ticket } from './tickets/ticket.ts'
import { nameFrom, newUser, type User } from './user.ts'

export interface SignUpInput {
  name: string
  email: string
  password: string
}

export type SignUpField = keyof SignUpInput
export type SignUpError = 'required' | 'invalid' | 'too_long' | 'too_short' | PasswordWeakness
export type SignUpErrors = Partial<Record<SignUpField, SignUpError>>

export interface SignUpDeps {
  storage: Storage
  passwords: PasswordHasher
  sealer: Sealer
  codeKey: Uint8Array
  now: Now
}

/**
 * The content of a sign-up ticket until the mailbox is verified. No account exists before: registering another's address first gains
 * nothing.
 */
const pending = z.object({
  name: z.string(),
  /** Sealed: where the sign-up began, and its browser. */
  flow: z.string(),
  passwordHash: z.string().optional(),
  identity: z.object({ providerId: z.string(), issuer: z.string(), subject: z.string(), pictureUrl: z.string().optional() }).optional(),
})
export type PendingSignUp = z.infer<typeof pending>

/**
 * The errors of a sign-up form by field; empty when it is right. Asks no database, so it can't reveal whether an account exists. `busy`:
 * too many passwords wait to be judged.
 */
export async function findSignUpErrors({ name, email, password }: SignUpInput): Promise<SignUpErrors | 'busy'> {
  const errors: SignUpErrors = {}
  if (name.trim() === '') errors.name = 'required'
  else if (name.length > 100) errors.name = 'too_long'
  else if (!isName(name)) errors.name = 'invalid'
  if (email.trim() === '') errors.email = 'required'
  else if (normaliseEmail(email) === undefined) errors.email = 'invalid'
  const weak = await findPasswordError(password, [name, email])
  if (weak === 'busy') return 'busy'
  if (weak) errors.password = weak
  return errors
}

/** Why a user with these names and addresses can't choose a password. The caller has counted the try, because judging costs CPU. */
export async function findPasswordError(password: string, personal: readonly string[]): Promise<SignUpError | 'busy' | undefined> {
  if (password === '') return 'required'
  return refusePassword(password) ?? judgePassword(password, personal)
}

/** How the mail of a sign-up speaks and looks. `productId`: the app that it began at. */
interface SignUpMail {
  language: Language
  productId?: string | undefined
}

/**
 * Begins a sign-up: hashes the password, stores everything in a ticket, and leaves the rest to the mail. An address with an account takes
 * the same path, so that neither the answer nor its time reveals it. Answers the ticket's id, for the browser that waits for the code.
 */
export async function beginSignUp(
  { name, email, password }: SignUpInput,
  { flow, ...mail }: { flow: string } & SignUpMail,
  deps: SignUpDeps,
): Promise<{ ticketId: string } | 'busy'> {
  const passwordHash = await deps.passwords.hash(password)
  if (passwordHash === 'busy') return 'busy'
  return mintSignUp(normaliseEmail(email) ?? email, { name: name.trim(), passwordHash, flow }, mail, deps)
}

/** Begins a sign-up with an identity whose provider does not verify addresses: the mailbox must confirm. */
export function beginIdentitySignUp(
  email: string,
  { name, pictureUrl, ...identity }: VerifiedIdentity,
  { flow, ...mail }: { flow: string } & SignUpMail,
  deps: SignUpDeps,
): Promise<{ ticketId: string }> {
  const { providerId, issuer, subject } = identity
  const payload = { name: name ?? nameFrom(email), identity: { providerId, issuer, subject, pictureUrl }, flow }
  return mintSignUp(email, payload, mail, deps)
}

async function mintSignUp(
  email: string,
  payload: PendingSignUp,
  { language, productId }: SignUpMail,
  { storage, sealer, codeKey, now }: SignUpDeps,
): Promise<{ ticketId: string }> {
  const at = now()
  return storage.transaction(async (tx) => {
    const { id, secret, code } = await mintTicket(tx, { purpose: 'sign_up', userId: undefined, email, payload }, { sealer, codeKey, at })
    const mail = { email, name: payload.name, secret, code, language, ...(productId !== undefined && { productId }) }
    await addJob(tx, { kind: 'sign_up_mail', payload: mail }, { sealer, at })
    return { ticketId: id }
  })
}

/** The content of a sign-up ticket. */
export function readPendingSignUp({ payload }: Ticket): PendingSignUp {
  return pending.parse(payload)
}

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
  const local = await users.findByEmail(ticket.email)
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
  if (local && passwordHash !== undefined) await users.setPassword(user.id, passwordHash, at)
  if (identity) await linkIdentity(tx, user.id, { ...identity, email: ticket.email }, deps)
  if (!local) await recordAudit(tx, { actor: `user:${user.id}`, action: 'user.create', target: user.id }, at)
  return { user: { ...user, passwordHash }, how: local ? 'claimed' : 'created' }
}
