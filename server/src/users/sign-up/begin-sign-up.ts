import type { VerifiedIdentity } from '../../identity-providers/index.ts'
import { type Now, normaliseEmail, type Sealer } from '../../kit/index.ts'
import { addJob } from '../../outbox/index.ts'
import type { Language } from '../../pages/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { PasswordHasher } from '../passwords/passwords.ts'
import { mintTicket } from '../tickets/ticket.ts'
import { nameFrom } from '../user.ts'
import type { PendingSignUp } from './pending-sign-up.ts'
import type { SignUpInput } from './sign-up-errors.ts'

export interface SignUpDeps {
  storage: Storage
  passwords: PasswordHasher
  sealer: Sealer
  codeKey: Uint8Array
  now: Now
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
