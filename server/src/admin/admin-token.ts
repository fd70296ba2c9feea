import type { Account } from '../accounts/index.ts'

export type Role = NonNullable<Account['role']>
export const ROLES: readonly Role[] = ['owner', 'support', 'viewer']

/** Each scope, as `<resource>:<deed>`, with the roles that may do it. Without a scope of its own a token may do all that its role may. */
const rolesOf = {
  'webhooks:test': ['owner', 'support'],
} as const satisfies Record<string, readonly Role[]>

export type AdminScope = keyof typeof rolesOf
export const ADMIN_SCOPES: readonly AdminScope[] = ['webhooks:test']

/** A key of one of the operator's scripts. The key itself is stored as a hash. */
export interface AdminToken {
  id: string
  name: string
  /** Its first and last characters. */
  hint: string
  role: Role
  /** What it is narrowed to; `undefined`: all that its role may do. */
  scopes: readonly AdminScope[] | undefined
  /** Ms, like the times below. */
  createdAt: number
  /** `undefined`: never. */
  expiresAt: number | undefined
  revokedAt: number | undefined
}

/** Whether a role, narrowed to scopes where some are given, may do what a scope names. */
export function may(role: Role | undefined, scopes: readonly AdminScope[] | undefined, scope: AdminScope): boolean {
  return rolesOf[scope].some((allowed) => allowed === role) && (scopes === undefined || scopes.includes(scope))
}

export function adminTokenState({ revokedAt, expiresAt }: AdminToken, now: number): 'live' | 'expired' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'live'
}
