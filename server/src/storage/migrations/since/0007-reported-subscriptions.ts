import { sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** The state of each subscription that apps were last notified of, and whether it has to be looked at (decision 167). */
export async function reportedSubscriptions(db: Tables): Promise<void> {
  await db.schema
    .createTable('reported_subscriptions')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text')
    .addColumn('due', 'integer')
    .execute()
  const due = db.schema.createIndex('reported_subscriptions_due').on('reported_subscriptions').column('id')
  await due.where(sql.ref('due'), 'is not', null).execute()
}
