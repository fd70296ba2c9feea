import type { User } from '../../users/index.ts'

export type Role = NonNullable<User['role']>
export const ROLES: readonly Role[] = ['owner', 'support', 'viewer']

const everyone = ROLES
const helpers = ['owner', 'support'] as const
const owners = ['owner'] as const

/**
 * Each scope, as `<resource>:<action>`, with its roles. Only an owner makes, sees or ends a secret, and gives a role. `viewer` sees what
 * `support` sees, but with personal data masked, and changes nothing.
 */
const rolesOf = {
  'overview:read': everyone,
  'search:read': everyone,
  'users:read': everyone,
  'users:write': helpers,
  'users:export': helpers,
  'users:delete': helpers,
  'users:impersonate': owners,
  'sessions:read': everyone,
  'sessions:write': helpers,
  'sessions:revoke-all': owners,
  'products:read': everyone,
  'products:write': owners,
  'product-keys:write': owners,
  'plans:read': everyone,
  'plans:write': owners,
  'identity-providers:read': everyone,
  'identity-providers:write': owners,
  'endpoints:read': everyone,
  'endpoints:write': owners,
  'appearance:read': everyone,
  'appearance:write': owners,
  'reports:write': owners,
  'subscriptions:read': everyone,
  'subscriptions:write': helpers,
  'notifications:read': everyone,
  'notifications:write': helpers,
  'webhooks:test': helpers,
  'jobs:read': everyone,
  'jobs:write': helpers,
  'signing-keys:read': owners,
  'signing-keys:write': owners,
  'tokens:read': owners,
  'tokens:write': owners,
  'administrators:read': owners,
  'administrators:write': owners,
  'audit:read': everyone,
} as const satisfies Record<string, readonly Role[]>

export type AdminScope = keyof typeof rolesOf

/** Actions that give a role or impersonate a user: only a user may do them, never a script. */
const personally: readonly AdminScope[] = ['users:impersonate', 'tokens:write', 'administrators:write']

export const ADMIN_SCOPES: readonly AdminScope[] = Object.keys(rolesOf).filter(
  (scope): scope is AdminScope => !personally.some((one) => one === scope),
)

/** Whether a role, limited to scopes if some are given, has this permission. */
export function may(role: Role | undefined, scopes: readonly AdminScope[] | undefined, scope: AdminScope): boolean {
  return rolesOf[scope].some((allowed) => allowed === role) && (scopes === undefined || scopes.includes(scope))
}

/** Whether any script may have it. */
export function isForScripts(scope: AdminScope): boolean {
  return !personally.includes(scope)
}
