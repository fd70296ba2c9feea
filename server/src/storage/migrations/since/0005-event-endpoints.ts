import { sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** Where events are delivered to (decision 167). */
export async function endpoints(db: Tables): Promise<void> {
  await db.schema
    .createTable('event_endpoints')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('product_id', 'text', (c) => c.references('products.id').onDelete('cascade'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('types', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('secret_sealed', 'text', (c) => c.notNull())
    .addColumn('previous_sealed', 'text')
    .addColumn('previous_until', 'bigint')
    .addColumn('ready_at', 'bigint')
    .addColumn('disabled_at', 'bigint')
    .addColumn('disabled_reason', 'text')
    .addColumn('failing_since', 'bigint')
    .addColumn('warned_at', 'bigint')
    .addColumn('paused_until', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}

/** The events, what still has to be delivered of them, and each attempt. `next_at` is null once nothing is left to do. */
export async function events(db: Tables): Promise<void> {
  await db.schema
    .createTable('app_events')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text')
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('occurred_at', 'bigint', (c) => c.notNull())
    .addColumn('data', 'text')
    .execute()
  await db.schema.createIndex('app_events_subject').on('app_events').columns(['subject']).execute()
  await db.schema
    .createTable('event_deliveries')
    .addColumn('endpoint_id', 'text', (c) => c.notNull().references('event_endpoints.id').onDelete('cascade'))
    .addColumn('event_id', 'text', (c) => c.notNull().references('app_events.id').onDelete('cascade'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_at', 'bigint')
    .addPrimaryKeyConstraint('event_deliveries_key', ['endpoint_id', 'event_id'])
    .execute()
  const due = db.schema.createIndex('event_deliveries_due').on('event_deliveries').columns(['endpoint_id', 'next_at'])
  await due.where(sql.ref('next_at'), 'is not', null).execute()
  await db.schema.createIndex('event_deliveries_event').on('event_deliveries').column('event_id').execute()
  await db.schema
    .createTable('event_attempts')
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('endpoint_id', 'text', (c) => c.notNull().references('event_endpoints.id').onDelete('cascade'))
    .addColumn('event_id', 'text', (c) => c.notNull().references('app_events.id').onDelete('cascade'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('ms', 'integer', (c) => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('fault', 'text')
    .addColumn('answer', 'text')
    .addPrimaryKeyConstraint('event_attempts_key', ['endpoint_id', 'event_id', 'id'])
    .execute()
  await db.schema.createIndex('event_attempts_event').on('event_attempts').column('event_id').execute()
}

/** The access of each user of a product as it was last reported, and when it has to be looked at again. */
export async function reportedAccess(db: Tables): Promise<void> {
  await db.schema
    .createTable('reported_access')
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text')
    .addColumn('due_at', 'bigint')
    .addPrimaryKeyConstraint('reported_access_key', ['product_id', 'subject'])
    .execute()
  await db.schema.createIndex('reported_access_subject').on('reported_access').column('subject').execute()
  await db.schema
    .createIndex('reported_access_due')
    .on('reported_access')
    .column('due_at')
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  const unseen = db.schema.createIndex('reported_access_unseen').on('reported_access').column('product_id')
  await unseen.where(sql.ref('state'), 'is', null).execute()
  await db.schema
    .createTable('access_scans')
    .addColumn('product_id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('position', 'text', (c) => c.notNull())
    .addColumn('after_transaction', 'text')
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .execute()
}
