import { type Kysely, sql } from 'kysely'

/** Lines of one payment that became one; what waits under each of its names; where addresses stand in notifications; jobs by their lane. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema.alterTable('subscription_lines').addColumn('merged_into', 'text').execute()
  await db.schema
    .createIndex('subscription_lines_merged')
    .on('subscription_lines')
    .column('merged_into')
    .where(sql.ref('merged_into'), 'is not', null)
    .execute()
  await db.schema.createIndex('gateway_payments_id').on('gateway_payments').columns(['payment_id', 'product_id', 'gateway']).execute()
  await db.schema
    .createTable('gateway_waiting')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('notification_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('gateway_waiting_pk', ['name', 'key', 'notification_id', 'product_id', 'gateway'])
    .execute()
  await db.schema.createIndex('gateway_waiting_notification').on('gateway_waiting').column('notification_id').execute()
  const addresses = db.schema
    .createTable('notification_addresses')
    .addColumn('address_hash', 'text', (c) => c.notNull())
    .addColumn('notification_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('notification_addresses_pk', ['address_hash', 'notification_id'])
  // One tree to write to in place of two: each delivery has several rows.
  await (dialect === 'sqlite' ? addresses.modifyEnd(sql`without rowid`) : addresses).execute()
  await db.schema
    .createIndex('outbox_lane_due')
    .on('outbox')
    .columns(['kind', 'lane', 'run_at'])
    .where(sql.ref('dead_at'), 'is', null)
    .execute()
  // SQLite would rather take this one, and look at all that is due.
  await db.schema.dropIndex('outbox_due').execute()
}
