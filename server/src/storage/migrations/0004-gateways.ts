import type { Kysely } from 'kysely'

/** Payment gateways: what their deliveries are proven with, which payment belongs to what, and how they are doing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What a delivery said beside its body: the query, which some gateways put the id into.
  await db.schema.alterTable('notifications').addColumn('query', 'text').execute()
  await db.schema
    .createTable('gateway_payments')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('alias', 'text', (c) => c.notNull())
    .addColumn('payment_id', 'text', (c) => c.notNull())
    .addColumn('line_ref', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('gateway_payments_pk', ['gateway', 'product_id', 'alias'])
    .execute()
  await db.schema
    .createTable('gateway_health')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('last_delivery_at', 'bigint')
    .addColumn('proof_failures', 'integer', (c) => c.notNull())
    .addColumn('last_proof_failure_at', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addPrimaryKeyConstraint('gateway_health_pk', ['gateway', 'product_id'])
    .execute()
  await db.schema
    .createTable('gateway_credentials')
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('api_url', 'text')
    .addColumn('is_test', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('gateway_credentials_pk', ['product_id', 'gateway'])
    .execute()
}
