import { sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** A product's settings for OpenID Connect, and its address for back-channel logout. */
export async function products(db: Tables): Promise<void> {
  await db.schema.alterTable('products').addColumn('openid', 'text').execute()
  await db.schema.alterTable('products').addColumn('backchannel_logout_uri', 'text').execute()
}

/** The RS256 key beside each ES256 key. An older version would sign with a row of its own. */
export async function signingKeys(db: Tables): Promise<void> {
  await db.schema.alterTable('signing_keys').addColumn('rsa_public_jwk', 'text').execute()
  await db.schema.alterTable('signing_keys').addColumn('rsa_private_sealed', 'text').execute()
}

/** Codes, access tokens, refresh tokens and pushed requests, by the hash of their value. */
export async function tokens(db: Tables): Promise<void> {
  await db.schema
    .createTable('openid_tokens')
    .addColumn('hash', 'text', (c) => c.notNull().primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text', (c) => c.references('sessions.id').onDelete('cascade'))
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('consumed_at', 'bigint')
    .execute()
  const bySession = db.schema.createIndex('openid_tokens_session').on('openid_tokens').column('session_id')
  await bySession.where(sql.ref('session_id'), 'is not', null).execute()
  await db.schema.createIndex('openid_tokens_expiry').on('openid_tokens').column('expires_at').execute()
}
