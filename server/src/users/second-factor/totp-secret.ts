import type { Now, Sealer } from '../../kit/index.ts'

export interface FactorDeps {
  sealer: Sealer
  now: Now
}

/** A user, and the session of theirs in which a factor is set up. */
export interface SettingUp {
  userId: string
  sessionId: string
}

/** Where a user's secret is sealed. */
export const secretPlace = (userId: string) => `totp_factors.secret_sealed.${userId}`

/**
 * Where a secret is sealed until its first code: no other session of the account can open it. Somebody who has the password alone could
 * otherwise begin, note the secret, and wait until the owner turns that one on.
 */
export const pendingPlace = ({ userId, sessionId }: SettingUp) => `totp_factors.pending.${userId}.${sessionId}`

/** A stored secret, for the export alone; `undefined` where today's keys do not open it. */
export function openTotpSecret({ id, sealed }: { id: string; sealed: string }, sealer: Sealer): string | undefined {
  return sealer.open(sealed, secretPlace(id))
}
