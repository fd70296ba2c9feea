import { DAY_MS, sha256Base64Url } from '../kit/index.ts'
import { type Queryable, removeInPortions } from '../storage/index.ts'

/** An authorization code, a token, or a pushed request. The library finds it by its value. Only the value's hash is stored. */
export interface StoredToken {
  kind: string
  /** The client's session that it belongs to. */
  sessionId: string | undefined
  payload: Record<string, unknown>
  expiresAt: number
  consumedAt: number | undefined
}

export function openIdTokenStore(db: Queryable) {
  const byValue = (kind: string, value: string) => ({ kind, hash: sha256Base64Url(`${kind}:${value}`) })
  return {
    async insert(value: string, { kind, sessionId, payload, expiresAt }: Omit<StoredToken, 'consumedAt'>): Promise<void> {
      await db
        .insertInto('openid_tokens')
        .values({
          ...byValue(kind, value),
          session_id: sessionId ?? null,
          payload: JSON.stringify(payload),
          expires_at: expiresAt,
          consumed_at: null,
        })
        .execute()
    },
    async find(kind: string, value: string): Promise<StoredToken | undefined> {
      const { hash } = byValue(kind, value)
      const row = await db.selectFrom('openid_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
      return (
        row && {
          kind,
          sessionId: row.session_id ?? undefined,
          payload: JSON.parse(row.payload),
          expiresAt: row.expires_at,
          consumedAt: row.consumed_at ?? undefined,
        }
      )
    },
    /**
     * Uses a value up: of any number of concurrent calls with it, on any nodes, exactly one gets `true`; none once it has expired. A used
     * refresh token stays for a day, so that its replay is noticed. It does not stay longer, since an app may refresh every minute.
     */
    async consume(kind: string, value: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('openid_tokens')
        .set((e) => ({
          consumed_at: at,
          expires_at: e
            .case()
            .when('expires_at', '>', at + DAY_MS)
            .then(at + DAY_MS)
            .else(e.ref('expires_at'))
            .end(),
        }))
        .where('hash', '=', byValue(kind, value).hash)
        .where('consumed_at', 'is', null)
        .where('expires_at', '>', at)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async remove(kind: string, value: string): Promise<void> {
      await db.deleteFrom('openid_tokens').where('hash', '=', byValue(kind, value).hash).execute()
    },
    async removeOfSession(kind: string, sessionId: string): Promise<void> {
      await db.deleteFrom('openid_tokens').where('session_id', '=', sessionId).where('kind', '=', kind).execute()
    },
  }
}

/** Removes what has expired. */
export async function forgetExpiredTokens(db: Queryable, before: number): Promise<void> {
  await removeInPortions(db, 'openid_tokens', (e) => e('expires_at', '<', before))
}
