import type { Kysely } from 'kysely'

/** Products, their keys, redirect URIs and gateways, and the plans that they sell. */
export async function productsTables(db: Kysely<unknown>): Promise<void> {
  await products(db)
  await redirectUris(db)
  await apiKeys(db)
  await webhookKeys(db)
  await productPaymentMethods(db)
  await productGraceDays(db)
  await gatewayCredentials(db)
  await gatewayHealth(db)
  await plans(db)
  await planGatewayRefs(db)
}

async function products(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('products')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('slug', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('audience', 'text', (c) => c.notNull())
    .addColumn('checkout', 'text', (c) => c.notNull())
    .addColumn('handoff', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('requires', 'text')
    .addColumn('foreigners', 'text')
    .addColumn('publishable_key', 'text', (c) => c.notNull().unique())
    .addColumn('query_key_allowed', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
}

async function redirectUris(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('redirect_uris')
    .addColumn('uri', 'text', (c) => c.notNull().primaryKey())
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('trusted', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('redirect_uris_product').on('redirect_uris').column('product_id').execute()
}

async function apiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_product').on('api_keys').column('product_id').execute()
}

async function webhookKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_keys')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('webhook_keys_product').on('webhook_keys').column('product_id').execute()
}

async function productPaymentMethods(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('product_payment_methods')
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('product_payment_methods_pk', ['product_id', 'method'])
    .execute()
}

async function productGraceDays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('product_grace_days')
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('days', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('product_grace_days_pk', ['product_id', 'method'])
    .execute()
}

async function gatewayCredentials(db: Kysely<unknown>): Promise<void> {
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

async function gatewayHealth(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gateway_health')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('last_delivery_at', 'bigint')
    .addColumn('verification_failures', 'integer', (c) => c.notNull())
    .addColumn('last_verification_failure_at', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addPrimaryKeyConstraint('gateway_health_pk', ['gateway', 'product_id'])
    .execute()
}

async function plans(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('plans')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('price', 'bigint', (c) => c.notNull())
    .addColumn('below_price', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('plans_scope_slug').unique().on('plans').columns(['scope', 'slug']).execute()
}

async function planGatewayRefs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('plan_gateway_refs')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('plan_id', 'text', (c) => c.notNull().references('plans.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('plan_gateway_refs_pk', ['gateway', 'ref', 'plan_id'])
    .execute()
}
