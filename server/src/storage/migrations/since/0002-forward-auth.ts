import type { Tables } from '../migration.ts'

/** Products behind a proxy that asks (decision 160): the rule of each, and its hosts, each of which belongs to one product. */
export async function up(db: Tables): Promise<void> {
  await db.schema
    .createTable('forward_auth')
    .addColumn('product_id', 'text', (c) => c.notNull().primaryKey().references('products.id').onDelete('cascade'))
    .addColumn('access', 'text', (c) => c.notNull())
    .addColumn('plans', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('forward_auth_hosts')
    .addColumn('host', 'text', (c) => c.notNull().primaryKey())
    .addColumn('product_id', 'text', (c) => c.notNull().references('forward_auth.product_id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('forward_auth_hosts_product').on('forward_auth_hosts').column('product_id').execute()
}
