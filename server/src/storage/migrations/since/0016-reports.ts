import { type SchemaModule, sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** When a stream was last counted for the reports; null: it has changed since, or was never counted (decision 176). */
export async function countedAt(db: Tables): Promise<void> {
  await db.schema.alterTable('event_streams').addColumn('counted_at', 'bigint').execute()
}

/** An index of the streams that wait to be counted, which are few among all. */
export function uncounted(schema: SchemaModule) {
  const index = schema.createIndex('event_streams_uncounted').on('event_streams').column('id')
  return index.where(sql.ref('counted_at'), 'is', null)
}

/** The entries as which each stream was last counted, and the sums of all streams. */
export async function reports(db: Tables): Promise<void> {
  await db.schema
    .createTable('report_streams')
    .addColumn('stream_id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('entries', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('report_totals')
    .addColumn('zone', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('plan_id', 'text', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('value', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('report_totals_pk', ['zone', 'name', 'day', 'product_id', 'plan_id', 'currency'])
    .execute()
}
