import type { Kysely } from 'kysely'

/** Whose API a job asks, and until when that one has asked to be left alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outbox').addColumn('lane', 'text').execute()
  await db.schema
    .createTable('outbox_lanes')
    .addColumn('lane', 'text', (c) => c.primaryKey().notNull())
    .addColumn('paused_until', 'bigint', (c) => c.notNull())
    .execute()
}
