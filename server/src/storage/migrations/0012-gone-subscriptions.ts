import type { Kysely } from 'kysely'

/** Subscriptions that are no more, and those in their place: old notifications go on naming the ones that they went to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gone_subscriptions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('successor_id', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('gone_subscriptions_successor').on('gone_subscriptions').column('successor_id').execute()
}
