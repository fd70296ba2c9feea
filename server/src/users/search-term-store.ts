import type { SelectQueryBuilder } from 'kysely'
import { searchTerms } from '../kit/index.ts'
import type { Queryable, Schema } from '../storage/index.ts'

/** A term with more users than this is common: scanning the newest users for it is then quicker than collecting them. */
const COMMON = 2_000

/** The terms by which support finds users: parts of names, companies and addresses. They work the same on both databases. */
export function searchTermStore(db: Queryable) {
  return {
    /** Writes the present terms of a user; call it in every transaction that changes name, company or address. */
    async refresh(userId: string): Promise<void> {
      const user = await db
        .selectFrom('users')
        .leftJoin('users_company', 'users_company.user_id', 'users.id')
        .select(['email', 'name', 'company_name'])
        .where('users.id', '=', userId)
        .executeTakeFirst()
      await db.deleteFrom('user_search_terms').where('user_id', '=', userId).execute()
      const terms = user ? searchTerms(user.email, user.name ?? '', user.company_name ?? '') : []
      if (terms.length > 0)
        await db
          .insertInto('user_search_terms')
          .values(terms.map((term) => ({ term, user_id: userId })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },
    /** The users with a term that begins so; `common` where there are too many. */
    findByPrefix(prefix: string): Promise<string[] | 'common'> {
      return few(db.selectFrom('user_search_terms').where('term', '>=', prefix).where('term', '<', `${prefix}\u{10ffff}`))
    },
    /** The users with exactly this term. */
    findByTerm(term: string): Promise<string[] | 'common'> {
      return few(db.selectFrom('user_search_terms').where('term', '=', term))
    },
  }
}

/** The count is checked first: reading too many ids for nothing would take longer than all other steps. */
async function few(owners: SelectQueryBuilder<Schema, 'user_search_terms', object>): Promise<string[] | 'common'> {
  const one = owners.select('user_id')
  if (await one.limit(1).offset(COMMON).executeTakeFirst()) return 'common'
  return (await one.execute()).map(({ user_id }) => user_id)
}
