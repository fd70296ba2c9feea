import { type AdminScope, may, type Role, rolesOf } from '../roles.ts'

/** Permissions for users only, never for a script (server/src/admin/api/permissions.ts). */
const personally: readonly AdminScope[] = ['users:impersonate', 'tokens:write', 'administrators:write']

/** The scopes that a token of this role can have. */
export function tokenScopes(role: Role): AdminScope[] {
  return allScopes().filter((scope) => may(role, scope) && !personally.includes(scope))
}

/** The same by resource, in the order of the list. */
export function byResource(scopes: readonly AdminScope[]): Array<[resource: string, scopes: AdminScope[]]> {
  return [...Map.groupBy(scopes, (scope) => scope.slice(0, scope.indexOf(':')))]
}

export function isAdminScope(text: unknown): text is AdminScope {
  return typeof text === 'string' && Object.hasOwn(rolesOf, text)
}

function allScopes(): AdminScope[] {
  return Object.keys(rolesOf).filter(isAdminScope)
}
