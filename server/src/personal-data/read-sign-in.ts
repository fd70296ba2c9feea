import type { Queryable } from '../storage/index.ts'
import { identityStore, passkeyStore, secondFactorStore, type User } from '../users/index.ts'
import { isoTime } from './labels.ts'

/** A user's sign-in methods, without secrets. */
export async function readSignIn(db: Queryable, { id, passwordHash }: User) {
  const totp = await secondFactorStore(db).findTotp(id)
  const codesLeft = await secondFactorStore(db).countRecoveryCodes(id)
  const passkeys = await passkeyStore(db).listOfUser(id)
  const providers = await identityStore(db).listOfUser(id)
  return {
    has_password: passwordHash !== undefined,
    two_step_since: isoTime(totp?.confirmedAt),
    recovery_codes_left: codesLeft,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({
      name,
      created_at: isoTime(createdAt),
      last_used_at: isoTime(lastUsedAt),
    })),
    providers: providers.map(({ issuer, subject, email, createdAt }) => ({
      issuer,
      subject,
      email: email ?? null,
      linked_at: isoTime(createdAt),
    })),
  }
}
