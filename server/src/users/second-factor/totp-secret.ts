import type { Now, Sealer } from '../../kit/index.ts'

export interface FactorDeps {
  sealer: Sealer
  now: Now
}

/** Where a user's secret is sealed. */
export const secretPlace = (userId: string) => `totp_factors.secret_sealed.${userId}`

/** A stored secret, for the export alone; `undefined` where today's keys do not open it. */
export function openTotpSecret({ id, sealed }: { id: string; sealed: string }, sealer: Sealer): string | undefined {
  return sealer.open(sealed, secretPlace(id))
}
