import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

type Dialect = 'sqlite' | 'postgres'

/** Notifications about payments, and the subscriptions that follow from them. */
export async function paymentsTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await notifications(db)
  await notificationTerms(db, dialect)
  await gatewayPayments(db, dialect)
  await pendingNotifications(db, dialect)
  await eventStreams(db)
  await subscriptionEvents(db, dialect)
  await subscriptions(db)
  await mergedSubscriptions(db)
}

async function notifications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notifications')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text')
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('why', 'text')
    .addColumn('subject', 'text')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('query', 'text')
    .addColumn('buyer', 'text')
    .addColumn('normalized', 'text')
    .addColumn('applied', 'text')
    .addColumn('paid_amount', 'bigint')
    .addColumn('plan_price', 'bigint')
    .addColumn('subscription_id', 'text')
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('processed_at', 'bigint')
    .execute()
  // The digest comes first: nearly all rows share their source, so the source alone must never be used for a look-up.
  await db.schema.createIndex('notifications_digest').unique().on('notifications').columns(['digest', 'source']).execute()
  // Nearly all rows are processed, and no query searches for those by their status.
  await db.schema
    .createIndex('notifications_status')
    .on('notifications')
    .columns(['status', 'id'])
    .where(sql.ref('status'), '!=', sql.lit('processed'))
    .execute()
  await db.schema.createIndex('notifications_subject').on('notifications').columns(['subject', 'id']).execute()
  await db.schema.createIndex('notifications_source').on('notifications').columns(['source', 'id']).execute()
  await db.schema
    .createIndex('notifications_product')
    .on('notifications')
    .columns(['product_id', 'id'])
    .where(sql.ref('product_id'), 'is not', null)
    .execute()
}

async function notificationTerms(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const addresses = db.schema
    .createTable('notification_terms')
    .addColumn('term', 'text', (c) => c.notNull())
    .addColumn('notification_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('notification_terms_pk', ['term', 'notification_id'])
  await asOneTree(addresses, dialect).execute()
}

async function gatewayPayments(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema
    .createTable('gateway_payments')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('alias', 'text', (c) => c.notNull())
    .addColumn('payment_id', 'text', (c) => c.notNull())
    .addColumn('stream_ref', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('gateway_payments_pk', ['gateway', 'product_id', 'alias'])
  await asOneTree(table, dialect).execute()
  await db.schema.createIndex('gateway_payments_id').on('gateway_payments').columns(['payment_id', 'product_id', 'gateway']).execute()
}

async function pendingNotifications(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema
    .createTable('pending_notifications')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('notification_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('pending_notifications_pk', ['name', 'key', 'notification_id', 'product_id', 'gateway'])
  await asOneTree(table, dialect).execute()
  await db.schema.createIndex('pending_notifications_notification').on('pending_notifications').column('notification_id').execute()
}

async function eventStreams(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_streams')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('merged_into', 'text')
    .addColumn('product_id', 'text')
    .addColumn('plan_refs', 'text')
    .addColumn('buyer_forgotten_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('event_streams_ref').unique().on('event_streams').columns(['source', 'ref']).execute()
  await db.schema
    .createIndex('event_streams_merged')
    .on('event_streams')
    .column('merged_into')
    .where(sql.ref('merged_into'), 'is not', null)
    .execute()
}

async function subscriptionEvents(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema
    .createTable('subscription_events')
    .addColumn('stream_id', 'text', (c) => c.notNull().references('event_streams.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('plan_id', 'text')
    .addColumn('email', 'text')
    .addColumn('payment_id', 'text')
    .addColumn('amount', 'bigint')
    .addColumn('method', 'text')
    .addColumn('period_start', 'bigint')
    .addColumn('period_end', 'bigint')
    .addColumn('notification_id', 'text')
    .addColumn('recorded_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('subscription_events_pk', ['stream_id', 'key'])
  await asOneTree(table, dialect).execute()
}

async function subscriptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('stream_id', 'text', (c) => c.notNull().references('event_streams.id').onDelete('cascade'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('product_id', 'text')
    .addColumn('plan_id', 'text')
    .addColumn('email', 'text')
    .addColumn('email_hash', 'text')
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('product_user', 'text')
    .addColumn('link_closed_at', 'bigint')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('method', 'text')
    .addColumn('period_end', 'bigint')
    .addColumn('grace_from', 'bigint')
    .addColumn('access_until', 'bigint')
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('subscriptions_stream').unique().on('subscriptions').columns(['stream_id', 'number']).execute()
  await db.schema
    .createIndex('subscriptions_user')
    .on('subscriptions')
    .columns(['user_id', 'product_id'])
    .where(sql.ref('user_id'), 'is not', null)
    .execute()
  await db.schema.createIndex('subscriptions_email').on('subscriptions').columns(['email', 'product_id']).execute()
  await db.schema
    .createIndex('subscriptions_product_user')
    .on('subscriptions')
    .columns(['product_id', 'product_user'])
    .where(sql.ref('product_user'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('subscriptions_own')
    .on('subscriptions')
    .columns(['user_id', 'id'])
    .where(sql.ref('user_id'), 'is not', null)
    .execute()
  await db.schema.createIndex('subscriptions_product').on('subscriptions').columns(['product_id', 'id']).execute()
  await db.schema.createIndex('subscriptions_plan').on('subscriptions').columns(['plan_id', 'id']).execute()
  // Either the guests are few (buyers have accounts) or the others are.
  await db.schema.createIndex('subscriptions_guest').on('subscriptions').column('id').where(sql.ref('user_id'), 'is', null).execute()
  await db.schema.createIndex('subscriptions_owned').on('subscriptions').column('id').where(sql.ref('user_id'), 'is not', null).execute()
  await db.schema
    .createIndex('subscriptions_state')
    .on('subscriptions')
    .columns(['state', 'id'])
    .where(sql.ref('state'), '!=', sql.lit('active'))
    .execute()
  await db.schema
    .createIndex('subscriptions_email_hash')
    .on('subscriptions')
    .column('email_hash')
    .where(sql.ref('email_hash'), 'is not', null)
    .execute()
}

async function mergedSubscriptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('merged_subscriptions')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('successor_id', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('merged_subscriptions_successor').on('merged_subscriptions').column('successor_id').execute()
}

/** SQLite then keeps the table in one tree, by its primary key, and not in two: each delivery writes several rows. */
function asOneTree<Table extends string>(table: CreateTableBuilder<Table, never>, dialect: Dialect) {
  return dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table
}
