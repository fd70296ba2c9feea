import { markMetUsers, OPERATOR } from '../../app-events/index.ts'
import { searchTerms } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { type ProfileRecord, taxIdColumns } from '../profile/profile-store.ts'
import type { User } from '../user.ts'
import { companyColumns, userColumns } from './user-row-store.ts'

interface ImportedUser {
  user: User
  taxId: Exclude<ProfileRecord['taxId'], 'none'>
}

/** Rows of one statement: each has a dozen values, and SQLite takes 32,766. */
const MAX_ROWS = 500

/** Many users at a time: a statement for each table, in place of some for each user. */
export function importedUserStore(db: Queryable) {
  return {
    /** Address and external id of the accounts that have any of these. */
    async listKnown({ emails, externalIds }: { emails: readonly string[]; externalIds: readonly string[] }) {
      const accounts = db.selectFrom('users').select(['email', 'external_id'])
      const byEmail = emails.length === 0 ? [] : await accounts.where('email', 'in', emails).execute()
      const byId = externalIds.length === 0 ? [] : await accounts.where('external_id', 'in', externalIds).execute()
      return [...byEmail, ...byId].map(({ email, external_id }) => ({ email, externalId: external_id ?? undefined }))
    },
    /**
     * Makes accounts with their profiles. `false` when an address has one already: the caller rolls back. A unique violation is thrown for
     * an external id or a tax id of another account.
     */
    async insertAll(all: readonly ImportedUser[]): Promise<boolean> {
      for (let from = 0; from < all.length; from += MAX_ROWS) {
        if (!(await insertSome(db, all.slice(from, from + MAX_ROWS)))) return false
      }
      return true
    },
  }
}

async function insertSome(db: Queryable, some: readonly ImportedUser[]): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values(some.map(({ user }) => userColumns(user)))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== BigInt(some.length)) return false
  const none = { tax_id_kind: null, tax_id_sealed: null, tax_id_hash: null }
  const companies = some.map(({ user, taxId }) => ({
    ...{ user_id: user.id, ...companyColumns(user), phone: user.phone ?? null, updated_at: user.createdAt },
    ...(taxId ? taxIdColumns(taxId) : none),
  }))
  await db.insertInto('users_company').values(companies).execute()
  const terms = some.flatMap(({ user }) => searchTerms(user.email, user.name).map((term) => ({ term, user_id: user.id })))
  for (let from = 0; from < terms.length; from += MAX_ROWS) {
    await db
      .insertInto('user_search_terms')
      .values(terms.slice(from, from + MAX_ROWS))
      .execute()
  }
  await markMetUsers(
    db,
    OPERATOR,
    some.map(({ user }) => user.id),
  )
  return true
}
