import { type Actor, recordAudit } from '../../audit/index.ts'
import { DAY_MS, isVisibleLine, keyHint, mintKey, type Now, newId, sha256Hex } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { AdminToken } from '../api/admin-token.ts'
import { type AdminScope, may, type Role } from '../api/permissions.ts'
import { adminTokenStore } from '../api/token-store.ts'

interface Deps {
  storage: Storage
  now: Now
  /** The actor in the audit log. */
  actor: Actor
}

export interface NewAdminToken {
  name: string
  role: Role
  /** None: all of its role. */
  scopes: readonly AdminScope[]
  /** Whole days; `undefined`: it does not expire. */
  expiresDays: number | undefined
}

export type AdminTokenRefusal = { refusal: 'name_malformed' } | { refusal: 'scope_beyond_role'; scope: AdminScope }

const MAX_NAME = 100

/** Makes an admin token. Answers it with its key, which is shown this once. */
export async function createAdminToken(
  { name, role, scopes, expiresDays }: NewAdminToken,
  { storage, now, actor }: Deps,
): Promise<{ token: AdminToken; key: string } | AdminTokenRefusal> {
  if (!isVisibleLine(name, MAX_NAME)) return { refusal: 'name_malformed' }
  const beyond = scopes.find((scope) => !may(role, undefined, scope))
  if (beyond !== undefined) return { refusal: 'scope_beyond_role', scope: beyond }
  const key = mintKey('adm')
  const at = now()
  const token: AdminToken = {
    id: newId(),
    name,
    hint: keyHint(key),
    role,
    scopes: scopes.length === 0 ? undefined : [...new Set(scopes)],
    createdAt: at,
    expiresAt: expiresDays === undefined ? undefined : at + expiresDays * DAY_MS,
    revokedAt: undefined,
  }
  await storage.transaction(async (tx) => {
    await adminTokenStore(tx).insert(token, sha256Hex(key))
    const after = { name, role, scopes: token.scopes ?? null, key: token.hint, expiresAt: token.expiresAt ?? null }
    await recordAudit(tx, { actor, action: 'token.create', target: token.id, after }, at)
  })
  return { token, key }
}

/** Ends an admin token at once on every node, since no node remembers tokens. */
export function revokeAdminToken(id: string, { storage, now, actor }: Deps): Promise<'revoked' | 'not_found'> {
  const at = now()
  return storage.transaction(async (tx) => {
    const name = await adminTokenStore(tx).revoke(id, at)
    if (name === undefined) return 'not_found'
    await recordAudit(tx, { actor, action: 'token.revoke', target: id, before: { name } }, at)
    return 'revoked'
  })
}
