import { sql } from 'kysely'
import type { Queryable } from '../../../storage/index.ts'
import { parseForeignHash } from './foreign-hash.ts'

const NAME = 'foreign-hash:'

/** Records the cost of a foreign hash, in the transaction that stores it. */
export async function noteForeignHash(db: Queryable, stored: string): Promise<void> {
  const cost = parseForeignHash(stored)?.cost
  if (cost !== undefined) await foreignCostStore(db).add(cost)
}

/** The costs of the foreign hashes that are stored. */
export function foreignCostStore(db: Queryable) {
  return {
    async list(): Promise<string[]> {
      const rows = await db.selectFrom('settings').select('name').where('name', 'like', `${NAME}%`).orderBy('name').execute()
      return rows.map(({ name }) => name.slice(NAME.length))
    },
    /** Records a cost, in the transaction that stores hashes of it. */
    async add(cost: string): Promise<void> {
      await db
        .insertInto('settings')
        .values({ name: `${NAME}${cost}`, value: '1' })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '1' }))
        .execute()
    },
    /** Removes a cost that no hash has any more. */
    async removeUnused(cost: string): Promise<void> {
      const start = `${cost}$`
      await db
        .deleteFrom('settings')
        .where('name', '=', `${NAME}${cost}`)
        .where((e) =>
          e.not(
            e.exists(
              e
                .selectFrom('users')
                .select('id')
                .where(sql<string>`substr(password_hash, 1, ${sql.lit(start.length)})`, '=', start),
            ),
          ),
        )
        .execute()
    },
  }
}
