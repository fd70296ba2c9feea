import type { Kysely } from 'kysely'

/** Keys that a person's devices hold for them, and what a device is asked to sign: once, and soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('is_backed_up', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkeys_user').on('passkeys').columns(['user_id', 'created_at']).execute()
  await db.schema
    .createTable('passkey_challenges')
    .addColumn('hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('passkey_challenges_expiry').on('passkey_challenges').column('expires_at').execute()
  await db.schema.createIndex('passkey_challenges_user').on('passkey_challenges').column('user_id').execute()
}
