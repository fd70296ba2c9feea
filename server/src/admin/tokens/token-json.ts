import { isoTime } from '../../kit/index.ts'
import { type AdminToken, adminTokenState } from '../api/admin-token.ts'

/** The list is empty for a token without scopes of its own: it has all of its role's. */
export function tokenJson(token: AdminToken, now: number) {
  const { id, name, role, scopes = [], hint, createdAt, expiresAt, revokedAt } = token
  const times = { created_at: isoTime(createdAt), expires_at: isoTime(expiresAt), revoked_at: isoTime(revokedAt) }
  return { id, name, role, scopes, hint, state: adminTokenState(token, now), ...times }
}
