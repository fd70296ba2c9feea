/**
 * The permissions of an administrator. The service decides; the console only hides actions that would be refused
 * (server/src/admin/api/permissions.ts).
 */
export type Role = 'owner' | 'support' | 'viewer'

const everyone = ['owner', 'support', 'viewer'] as const
const helpers = ['owner', 'support'] as const
const owners = ['owner'] as const

export const rolesOf = {
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
  'subscriptions:read': everyone,
  'subscriptions:write': helpers,
  'notifications:read': everyone,
  'notifications:write': helpers,
  'webhooks:test': helpers,
  'jobs:read': everyone,
  'jobs:write': helpers,
  'signing-keys:read': owners,
  'signing-keys:write': owners,
  'endpoints:read': everyone,
  'endpoints:write': owners,
  'appearance:read': everyone,
  'appearance:write': owners,
  'reports:write': owners,
  'tokens:read': owners,
  'tokens:write': owners,
  'administrators:read': owners,
  'administrators:write': owners,
  'audit:read': everyone,
} as const satisfies Record<string, readonly Role[]>

export type AdminScope = keyof typeof rolesOf

export function may(role: Role, scope: AdminScope): boolean {
  return rolesOf[scope].some((allowed) => allowed === role)
}

/** Lists of what belongs to another resource. */
const READ_AS: Readonly<Record<string, string>> = { 'failed-sign-ins': 'sessions', transactions: 'subscriptions' }

/** The scope that a page of a resource needs; `undefined` for pages that are everyone's. */
export function scopeOf(resource: string, action: string): AdminScope | undefined {
  const wanted = `${READ_AS[resource] ?? resource}:${action === 'list' || action === 'show' ? 'read' : 'write'}`
  return isScope(wanted) ? wanted : undefined
}

function isScope(text: string): text is AdminScope {
  return Object.hasOwn(rolesOf, text)
}
