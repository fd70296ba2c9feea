import { sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** The spans of time in which subscriptions give access, and the money that was paid and given back (decision 215). */
export async function reportLists(db: Tables): Promise<void> {
  await db.schema
    .createTable('report_spans')
    .addColumn('subscription_id', 'text', (c) => c.notNull())
    .addColumn('stream_id', 'text', (c) => c.notNull())
    .addColumn('plan_id', 'text')
    .addColumn('from_at', 'bigint', (c) => c.notNull())
    .addColumn('until_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('report_spans_pk', ['from_at', 'subscription_id', 'until_at'])
    .execute()
  await db.schema
    .createIndex('report_spans_plan')
    .on('report_spans')
    .columns(['plan_id', 'from_at', 'subscription_id', 'until_at'])
    .execute()
  await db.schema.createIndex('report_spans_stream').on('report_spans').column('stream_id').execute()
  await db.schema
    .createTable('report_movements')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('stream_id', 'text', (c) => c.notNull())
    .addColumn('subscription_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('figure', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint')
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('plan_id', 'text')
    .addColumn('payment_id', 'text')
    .execute()
  await db.schema.createIndex('report_movements_at').on('report_movements').columns(['currency', 'at', 'id']).execute()
  await db.schema.createIndex('report_movements_figure').on('report_movements').columns(['currency', 'figure', 'at', 'id']).execute()
  await db.schema.createIndex('report_movements_stream').on('report_movements').column('stream_id').execute()
}

const PAGE = 500

/**
 * Streams that no version with these lists has counted are counted again: an older one beside it counts without them. Those that a recount
 * has still to come to are left to it.
 */
export async function countUnlisted(db: Tables, after: string | undefined): Promise<string | undefined> {
  const from = after ?? ''
  const recounting = sql`select 1 from settings where name = 'reports_recounted_until'`
  const { rows } = await sql<{ id: string }>`select id from event_streams where id > ${from}
    and not exists (${recounting} and value < event_streams.id) order by id limit ${PAGE}`.execute(db)
  const last = rows.at(-1)?.id
  if (last !== undefined)
    await sql`update event_streams set counted_at = null where id > ${from} and id <= ${last} and counted_at is not null and not exists (
      select 1 from report_streams as counted where counted.stream_id = event_streams.id and counted.entries like '%"lists":1%')`.execute(
      db,
    )
  return last
}
