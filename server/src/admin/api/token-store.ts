import { type AdminTokenRow, inPages, type Page, type Queryable } from '../../storage/index.ts'
import type { AdminToken } from './admin-token.ts'
import { ADMIN_SCOPES, ROLES } from './permissions.ts'

export function adminTokenStore(db: Queryable) {
  return {
    async insert({ id, name, hint, role, scopes, createdAt, expiresAt }: AdminToken, hash: string): Promise<void> {
      await db
        .insertInto('admin_tokens')
        .values({
          id,
          name,
          hash,
          hint,
          role,
          scopes: scopes?.join(' ') ?? '',
          created_at: createdAt,
          expires_at: expiresAt ?? null,
          revoked_at: null,
        })
        .execute()
    },
    /** The token with this hash, in any state. */
    async findByHash(hash: string): Promise<AdminToken | undefined> {
      const row = await db.selectFrom('admin_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row && toAdminToken(row)
    },
    /** Newest first, `limit` at most; `cursor` is the id of the last one of the page before. */
    async list({ limit, cursor }: { limit: number; cursor?: string }): Promise<AdminToken[]> {
      let query = db.selectFrom('admin_tokens').selectAll().orderBy('id', 'desc').limit(limit)
      if (cursor !== undefined) query = query.where('id', '<', cursor)
      return (await query.execute()).map(toAdminToken)
    },
    async listPage(page: Page): Promise<AdminToken[]> {
      const query = inPages(db.selectFrom('admin_tokens').selectAll(), { column: 'id', id: 'id', page })
      return (await query.execute()).map(toAdminToken)
    },
    /** Answers its name; `undefined` when there is no such token that is not revoked already. */
    async revoke(id: string, at: number): Promise<string | undefined> {
      const row = await db
        .updateTable('admin_tokens')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returning('name')
        .executeTakeFirst()
      return row?.name
    },
  }
}

function toAdminToken(row: AdminTokenRow): AdminToken {
  const role = ROLES.find((name) => name === row.role)
  if (!role) throw new Error(`an admin token of an unknown role: ${row.role}`)
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    role,
    // A scope unknown to this version permits nothing; a token with only such scopes does not become one without limits.
    scopes: row.scopes === '' ? undefined : ADMIN_SCOPES.filter((scope) => row.scopes.split(' ').includes(scope)),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }
}
