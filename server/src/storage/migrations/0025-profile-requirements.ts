import type { Kysely } from 'kysely'

/** What a product asks of whoever signs in to it; null is what is usual. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('products').addColumn('requires', 'text').execute()
  await db.schema.alterTable('products').addColumn('foreigners', 'text').execute()
}
