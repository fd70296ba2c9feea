import type { Kysely } from 'kysely'

/** People, products, sessions, keys, the change feed, limits and the audit trail. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await people(db)
  await products(db)
  await plans(db)
  await sessions(db)
  await operation(db, dialect)
}

async function people(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('email_verified_at', 'bigint')
    .addColumn('password_hash', 'text')
    .addColumn('role', 'text')
    .addColumn('disabled_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('users_company')
    .addColumn('user_id', 'text', (c) => c.notNull().primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('avatar_url', 'text')
    .addColumn('is_producer', 'integer', (c) => c.notNull())
    .addColumn('company_name', 'text')
    .addColumn('rank_name', 'text')
    .addColumn('tax_id_kind', 'text')
    .addColumn('tax_id_sealed', 'text')
    .addColumn('tax_id_hash', 'text', (c) => c.unique())
    .addColumn('phone', 'text')
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('beta_users')
    .addColumn('user_id', 'text', (c) => c.notNull().primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('nda_accepted_at', 'bigint')
    .addColumn('nda_ip', 'text')
    .addColumn('nda_user_agent', 'text')
    .addColumn('nda_version', 'text')
    .addColumn('nda_text_hash', 'text')
    .execute()
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
    .addColumn('publishable_key', 'text', (c) => c.notNull().unique())
    .addColumn('query_key_allowed', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('redirect_uris')
    .addColumn('uri', 'text', (c) => c.notNull().primaryKey())
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('trusted', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('redirect_uris_product').on('redirect_uris').column('product_id').execute()
  await keyTable(db, 'api_keys').execute()
  await db.schema.createIndex('api_keys_product').on('api_keys').column('product_id').execute()
  await keyTable(db, 'webhook_keys')
    .addColumn('sealed', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('webhook_keys_product').on('webhook_keys').column('product_id').execute()
  await db.schema
    .createTable('product_payment_methods')
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('product_payment_methods_pk', ['product_id', 'method'])
    .execute()
  await db.schema
    .createTable('consents')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('granted_at', 'bigint', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('consents_pk', ['user_id', 'product_id'])
    .execute()
}

function keyTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
}

async function plans(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('plans')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('price', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('plans_scope_slug').unique().on('plans').columns(['scope', 'slug']).execute()
  await db.schema
    .createTable('plan_gateway_refs')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('plan_id', 'text', (c) => c.notNull().references('plans.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('plan_gateway_refs_pk', ['gateway', 'ref', 'plan_id'])
    .execute()
}

async function sessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (c) => c.references('products.id').onDelete('cascade'))
    .addColumn('parent_id', 'text')
    .addColumn('bound_hash', 'text', (c) => c.unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('ended_reason', 'text')
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sessions_user').on('sessions').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('sessions_parent').on('sessions').column('parent_id').execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
  await db.schema
    .createTable('handoff_redemptions')
    .addColumn('jti', 'text', (c) => c.notNull().primaryKey())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('handoff_redemptions_expiry').on('handoff_redemptions').column('expires_at').execute()
  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (c) => c.notNull().primaryKey())
    .addColumn('public_jwk', 'text', (c) => c.notNull())
    .addColumn('private_sealed', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('signs_from', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
}

async function operation(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.notNull().primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
  const changes = db.schema.createTable('changes')
  const numbered =
    dialect === 'sqlite'
      ? changes.addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
      : changes.addColumn('seq', 'bigint', (c) => c.primaryKey().generatedAlwaysAsIdentity())
  await numbered
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('changes_at').on('changes').column('at').execute()
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', 'text', (c) => c.notNull().primaryKey())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('window_ends_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('rate_limits_end').on('rate_limits').column('window_ends_at').execute()
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('reason', 'text')
    .addColumn('ip', 'text')
    .execute()
  await db.schema.createIndex('audit_target').on('audit').columns(['target', 'id']).execute()
  await db.schema.createIndex('audit_action').on('audit').columns(['action', 'id']).execute()
}
