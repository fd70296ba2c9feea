import { type Kysely, sql } from 'kysely'

/** Sessions, redeemed handoffs and signing keys. */
export async function sessionsTables(db: Kysely<unknown>): Promise<void> {
  await sessions(db)
  await handoffRedemptions(db)
  await signingKeys(db)
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
    .addColumn('authenticated_at', 'bigint')
    // In no index, so that PostgreSQL can write it without touching any.
    .addColumn('last_seen_at', 'bigint')
    .addColumn('passkey_id', 'text')
    .addColumn('second_factor_at', 'bigint')
    .addColumn('impersonator_id', 'text')
    .addColumn('impersonator_session_id', 'text')
    .execute()
  await db.schema.createIndex('sessions_user').on('sessions').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('sessions_parent').on('sessions').column('parent_id').execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
  await db.schema
    .createIndex('sessions_own')
    .on('sessions')
    .columns(['user_id', 'id'])
    .where(sql.ref('parent_id'), 'is', null)
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  // Few sessions are impersonations: a partial index costs the others nothing.
  await db.schema
    .createIndex('sessions_impersonator_id')
    .on('sessions')
    .column('impersonator_id')
    .where(sql.ref('impersonator_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('sessions_impersonator_session_id')
    .on('sessions')
    .column('impersonator_session_id')
    .where(sql.ref('impersonator_session_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('sessions_product')
    .on('sessions')
    .columns(['product_id', 'id'])
    .where(sql.ref('product_id'), 'is not', null)
    .execute()
  await db.schema.createIndex('sessions_ip').on('sessions').columns(['ip', 'id']).execute()
  await db.schema
    .createIndex('sessions_ended')
    .on('sessions')
    .columns(['user_id', 'ended_at', 'id'])
    .where(sql.ref('ended_at'), 'is not', null)
    .execute()
}

async function handoffRedemptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('handoff_redemptions')
    .addColumn('jti', 'text', (c) => c.notNull().primaryKey())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('handoff_redemptions_expiry').on('handoff_redemptions').column('expires_at').execute()
}

async function signingKeys(db: Kysely<unknown>): Promise<void> {
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
