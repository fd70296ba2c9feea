import { type Kysely, sql } from 'kysely'

/** What others told us about payments, and the subscriptions that follow from it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await notifications(db)
  await subscriptions(db)
  await db.schema
    .createTable('product_grace_days')
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('days', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('product_grace_days_pk', ['product_id', 'method'])
    .execute()
  await adminTokens(db)
}

async function notifications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notifications')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text')
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('why', 'text')
    .addColumn('subject', 'text')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('told', 'text')
    .addColumn('subscription_id', 'text')
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('settled_at', 'bigint')
    .execute()
  // The digest first: nothing may be looked for by its source alone, which nearly all rows share.
  await db.schema.createIndex('notifications_digest').on('notifications').columns(['digest', 'source']).unique().execute()
  // Nearly all are processed, and nobody looks for those by their status.
  await db.schema
    .createIndex('notifications_status')
    .on('notifications')
    .columns(['status', 'id'])
    .where(sql.ref('status'), '!=', sql.lit('processed'))
    .execute()
  await db.schema.createIndex('notifications_subject').on('notifications').columns(['subject', 'id']).execute()
}

async function subscriptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscription_lines')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text')
    .addColumn('buyer_forgotten_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('subscription_lines_ref').on('subscription_lines').columns(['source', 'ref']).unique().execute()
  await db.schema
    .createTable('subscription_events')
    .addColumn('line_id', 'text', (c) => c.notNull().references('subscription_lines.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('plan_id', 'text')
    .addColumn('email', 'text')
    .addColumn('payment_id', 'text')
    .addColumn('amount', 'bigint')
    .addColumn('method', 'text')
    .addColumn('period_end', 'bigint')
    .addColumn('notification_id', 'text')
    .addColumn('recorded_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('subscription_events_pk', ['line_id', 'key'])
    .execute()
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('line_id', 'text', (c) => c.notNull().references('subscription_lines.id').onDelete('cascade'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('product_id', 'text')
    .addColumn('plan_id', 'text')
    .addColumn('email', 'text')
    .addColumn('email_hash', 'text')
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('product_user', 'text')
    .addColumn('claim_closed_at', 'bigint')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('method', 'text')
    .addColumn('period_end', 'bigint')
    .addColumn('grace_from', 'bigint')
    .addColumn('access_until', 'bigint')
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('subscriptions_line').on('subscriptions').columns(['line_id', 'number']).unique().execute()
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
}

/** Keys of the operator's scripts. */
async function adminTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('admin_tokens')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
}
