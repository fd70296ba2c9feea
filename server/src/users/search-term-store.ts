import type { SelectQueryBuilder } from 'kysely'
import { searchTerms } from '../kit/index.ts'
import type { Queryable, Schema } from '../storage/index.ts'

/** Above this a word is common, and it is quicker to look through the newest people for it than to collect them. */
const COMMON = 2_000

/** The words of users' names, companies and addresses, by which support finds them. The same on both databases. */
export function searchTermStore(db: Queryable) {
  return {
    /** Writes the words of a user as they are now; call it in the transaction of whatever changes name, company or address. */
    async refresh(userId: string): Promise<void> {
      const user = await db
        .selectFrom('users')
        .leftJoin('users_company', 'users_company.user_id', 'users.id')
        .select(['email', 'name', 'company_name'])
        .where('users.id', '=', userId)
        .executeTakeFirst()
      await db.deleteFrom('user_search_terms').where('user_id', '=', userId).execute()
      const words = user ? searchTerms(user.email, user.name ?? '', user.company_name ?? '') : []
      if (words.length > 0)
        await db
          .insertInto('user_search_terms')
          .values(words.map((word) => ({ word, user_id: userId })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },
    /** Who has a word that begins so; `common` where those are too many to name. */
    findByPrefix(prefix: string): Promise<string[] | 'common'> {
      return few(db.selectFrom('user_search_terms').where('word', '>=', prefix).where('word', '<', `${prefix}\u{10ffff}`))
    },
    /** Who has this very word. */
    findByWord(word: string): Promise<string[] | 'common'> {
      return few(db.selectFrom('user_search_terms').where('word', '=', word))
    },
  }
}

/** Whether there are too many is asked first: to be handed all of those for nothing takes longer than all the rest. */
async function few(owners: SelectQueryBuilder<Schema, 'user_search_terms', object>): Promise<string[] | 'common'> {
  const one = owners.select('user_id')
  if (await one.limit(1).offset(COMMON).executeTakeFirst()) return 'common'
  return (await one.execute()).map(({ user_id }) => user_id)
}
