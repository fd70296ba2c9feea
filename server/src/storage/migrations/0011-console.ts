import type { Kysely } from 'kysely'

/** What the admin API and its console need: with how many factors a session was proven, and the indexes of its lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In no index, as proven_at is in none.
  await db.schema.alterTable('sessions').addColumn('two_factors_at', 'bigint').execute()
}
