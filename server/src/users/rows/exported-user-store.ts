import type { Queryable } from '../../storage/index.ts'
import type { User } from '../user.ts'
import { toUser, usersWithProfile } from './user-row-store.ts'

/** A user with what other tables have of them. */
export interface ExportedRows {
  user: User
  identities: Array<{ issuer: string; subject: string }>
  /** Of a second factor that is confirmed. */
  totpSealed: string | undefined
  taxIdSealed: string | undefined
}

/** Many users at a time: four statements for a page, in place of some for each user. */
export function exportedUserStore(db: Queryable) {
  return {
    /** By id, after a cursor. */
    async listPage({ limit, cursor }: { limit: number; cursor: string | undefined }): Promise<ExportedRows[]> {
      let query = usersWithProfile(db).orderBy('users.id').limit(limit)
      if (cursor !== undefined) query = query.where('users.id', '>', cursor)
      const users = (await query.execute()).map(toUser)
      if (users.length === 0) return []
      const ids = users.map(({ id }) => id)
      const factors = await db
        .selectFrom('totp_factors')
        .select(['user_id', 'secret_sealed'])
        .where('user_id', 'in', ids)
        .where('confirmed_at', 'is not', null)
        .execute()
      const companies = await db.selectFrom('users_company').select(['user_id', 'tax_id_sealed']).where('user_id', 'in', ids).execute()
      const linked = await db.selectFrom('identities').select(['user_id', 'issuer', 'subject']).where('user_id', 'in', ids).execute()
      return users.map((user) => ({
        user,
        identities: linked.flatMap(({ user_id, issuer, subject }) => (user_id === user.id ? { issuer, subject } : [])),
        totpSealed: factors.find(({ user_id }) => user_id === user.id)?.secret_sealed,
        taxIdSealed: companies.find(({ user_id }) => user_id === user.id)?.tax_id_sealed ?? undefined,
      }))
    },
  }
}
