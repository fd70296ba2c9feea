import { sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** Which subscriptions are counted as new, returned, lost or changed, by the days of the reports (decision 193). */
export async function reportChanges(db: Tables): Promise<void> {
  await db.schema
    .createTable('report_changes')
    .addColumn('zone', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('subscription_id', 'text', (c) => c.notNull())
    .addColumn('stream_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('report_changes_pk', ['zone', 'name', 'day', 'subscription_id'])
    .execute()
  await db.schema.createIndex('report_changes_stream').on('report_changes').column('stream_id').execute()
}

/** Everything that was counted before is counted again, a portion at a time. */
export async function recount(db: Tables): Promise<void> {
  await sql`insert into settings (name, value) select 'reports_recounted_until', '' where exists (select 1 from event_streams)
    on conflict (name) do update set value = ''`.execute(db)
}
