import type { AdminScope, Role } from './permissions.ts'

/** A key of one of the operator's scripts. The key itself is stored as a hash. */
export interface AdminToken {
  id: string
  name: string
  /** Its first and last characters. */
  hint: string
  role: Role
  /** The scopes it is limited to; `undefined`: all of its role. */
  scopes: readonly AdminScope[] | undefined
  /** Ms, like the times below. */
  createdAt: number
  /** `undefined`: never. */
  expiresAt: number | undefined
  revokedAt: number | undefined
}

export function adminTokenState({ revokedAt, expiresAt }: AdminToken, now: number): 'live' | 'expired' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'live'
}
