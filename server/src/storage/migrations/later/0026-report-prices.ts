import { type SchemaModule, sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** The amounts with which subscriptions count in the monthly recurring revenue, and their times (decision 219). */
export async function reportPrices(db: Tables): Promise<void> {
  await db.schema
    .createTable('report_prices')
    .addColumn('stream_id', 'text', (c) => c.notNull())
    .addColumn('subscription_id', 'text', (c) => c.notNull())
    .addColumn('plan_id', 'text')
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('from_at', 'bigint', (c) => c.notNull())
    .addColumn('until_at', 'bigint', (c) => c.notNull())
    .addColumn('monthly', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('report_prices_pk', ['currency', 'from_at', 'subscription_id', 'until_at'])
    .execute()
  await db.schema
    .createIndex('report_prices_plan')
    .on('report_prices')
    .columns(['currency', 'plan_id', 'from_at', 'subscription_id', 'until_at'])
    .execute()
  await db.schema.createIndex('report_prices_stream').on('report_prices').column('stream_id').execute()
}

/**
 * The plan with which a change is counted. Empty: none, as SQLite reads no nulls along the index. Null: an older version has counted it.
 */
export async function planOfChange(db: Tables): Promise<void> {
  await db.schema.alterTable('report_changes').addColumn('plan_id', 'text').execute()
}

export function byPlan(schema: SchemaModule) {
  return schema.createIndex('report_changes_plan').on('report_changes').columns(['zone', 'name', 'plan_id', 'day', 'subscription_id'])
}

const PAGE = 500

/** As `countUnlisted` of migration 0023: the streams that no version with these rows has counted are counted again. */
export async function countUnpriced(db: Tables, after: string | undefined): Promise<string | undefined> {
  const from = after ?? ''
  const recounting = sql`select 1 from settings where name = 'reports_recounted_until'`
  const { rows } = await sql<{ id: string }>`select id from event_streams where id > ${from}
    and not exists (${recounting} and value < event_streams.id) order by id limit ${PAGE}`.execute(db)
  const last = rows.at(-1)?.id
  if (last !== undefined)
    await sql`update event_streams set counted_at = null where id > ${from} and id <= ${last} and counted_at is not null and not exists (
      select 1 from report_streams as counted where counted.stream_id = event_streams.id and counted.entries like '%"prices":1%')`.execute(
      db,
    )
  return last
}
