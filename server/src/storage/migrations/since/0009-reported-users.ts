import { sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** The state of each user that each app and the operator were last notified of, and whether it has to be looked at (decision 167). */
export async function reportedUsers(db: Tables): Promise<void> {
  await db.schema
    .createTable('reported_users')
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text')
    .addColumn('due', 'integer')
    .addPrimaryKeyConstraint('reported_users_key', ['product_id', 'user_id'])
    .execute()
  await db.schema.createIndex('reported_users_user').on('reported_users').column('user_id').execute()
  const due = db.schema.createIndex('reported_users_due').on('reported_users').columns(['product_id', 'user_id'])
  await due.where(sql.ref('due'), 'is not', null).execute()
  const unseen = db.schema.createIndex('reported_users_unseen').on('reported_users').column('product_id')
  await unseen.where(sql.ref('state'), 'is', null).execute()
  await db.schema
    .createTable('user_scans')
    .addColumn('product_id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('position', 'text', (c) => c.notNull())
    .addColumn('is_first', 'integer', (c) => c.notNull())
    .addColumn('after_transaction', 'text')
    .execute()
}
