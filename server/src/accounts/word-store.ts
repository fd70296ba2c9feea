import { searchWords } from '../kit/index.ts'
import type { Queryable } from '../storage/index.ts'

/** Above this a word is common, and it is quicker to look through the newest people for it than to collect them. */
const COMMON = 2_000

/** The words of people's names, companies and addresses, by which support finds them. The same on both databases. */
export function wordStore(db: Queryable) {
  return {
    /** Writes the words of a person as they are now; call it in the transaction of whatever changes name, company or address. */
    async refresh(userId: string): Promise<void> {
      const person = await db
        .selectFrom('users')
        .leftJoin('users_company', 'users_company.user_id', 'users.id')
        .select(['email', 'name', 'company_name'])
        .where('users.id', '=', userId)
        .executeTakeFirst()
      await db.deleteFrom('user_words').where('user_id', '=', userId).execute()
      const words = person ? searchWords(person.email, person.name ?? '', person.company_name ?? '') : []
      if (words.length > 0)
        await db
          .insertInto('user_words')
          .values(words.map((word) => ({ word, user_id: userId })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },
    /** Who has a word that begins so; `common` where those are too many to name. */
    async findByPrefix(prefix: string): Promise<string[] | 'common'> {
      const rows = await db
        .selectFrom('user_words')
        .select('user_id')
        .where('word', '>=', prefix)
        .where('word', '<', `${prefix}\u{10ffff}`)
        .limit(COMMON + 1)
        .execute()
      return rows.length > COMMON ? 'common' : rows.map(({ user_id }) => user_id)
    },
  }
}
