import { sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** How long a notification took when it was received (decision 179). */
export async function duration(db: Tables): Promise<void> {
  await db.schema.alterTable('notifications').addColumn('took_ms', 'integer').execute()
}

/** The attempts to process a notification whose receipt left something to do, the receipt itself among them. */
export async function attempts(db: Tables): Promise<void> {
  await db.schema
    .createTable('notification_attempts')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('notification_id', 'text', (c) => c.notNull().references('notifications.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('ms', 'integer')
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('why', 'text')
    .addColumn('actor', 'text')
    .addColumn('job_id', 'text')
    .addColumn('run_id', 'text')
    .execute()
  await db.schema.createIndex('notification_attempts_notification').on('notification_attempts').columns(['notification_id', 'id']).execute()
  const ofRun = db.schema.createIndex('notification_attempts_run').on('notification_attempts').column('run_id')
  await ofRun.where(sql.ref('run_id'), 'is not', null).execute()
}

/** Runs: the service processes again every notification that waits or failed since a moment (decision 180). */
export async function runs(db: Tables): Promise<void> {
  await db.schema
    .createTable('notification_runs')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('may_concern_roles', 'integer', (c) => c.notNull())
    .addColumn('total', 'integer', (c) => c.notNull())
    .addColumn('processed', 'integer', (c) => c.notNull())
    .addColumn('asked', 'integer', (c) => c.notNull())
    .addColumn('pending', 'text', (c) => c.notNull())
    .addColumn('after_id', 'text', (c) => c.notNull())
    .addColumn('last_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('finished_at', 'bigint')
    .execute()
  // One run at a time: of any number that are begun at once, exactly one is added.
  const running = db.schema.createIndex('notification_runs_running').unique().on('notification_runs').column('state')
  await running.where(sql.ref('state'), '=', sql.lit('running')).execute()
}
