import type { Kysely } from 'kysely'

/** From when a payment pays: a payment for an older period that is made late is told from one for the current period. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subscription_events').addColumn('period_start', 'bigint').execute()
}
