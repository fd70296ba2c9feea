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
    .addPrimaryKeyConstraint('report_spans_pk', ['until_at', 'subscription_id'])
    .execute()
  await db.schema.createIndex('report_spans_plan').on('report_spans').columns(['plan_id', 'until_at', 'subscription_id']).execute()
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
