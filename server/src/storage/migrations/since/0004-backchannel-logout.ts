import { type SchemaModule, sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** The internal products that received a session of the domain by redirect. Other products have a session of their own below it. */
export async function sessionProducts(db: Tables): Promise<void> {
  await db.schema
    .createTable('session_products')
    .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('session_products_key', ['session_id', 'product_id'])
    .execute()
}

/** The payload of a job that holds ids alone. */
export async function openPayloads(db: Tables): Promise<void> {
  await db.schema.alterTable('outbox').addColumn('payload', 'text').execute()
}

/** Every sign-out asks for the products with a logout address: mostly there are none. */
export function byLogoutAddress(schema: SchemaModule) {
  return schema.createIndex('products_logout').on('products').column('id').where(sql.ref('backchannel_logout_uri'), 'is not', null)
}
