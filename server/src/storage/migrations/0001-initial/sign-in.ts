import type { Kysely } from 'kysely'

/** Sign-in beyond the password: tickets sent by mail, second factors, passkeys, identity providers; and the records of the account page. */
export async function signInTables(db: Kysely<unknown>): Promise<void> {
  await tickets(db)
  await totpFactors(db)
  await recoveryCodes(db)
  await passkeys(db)
  await passkeyChallenges(db)
  await identityProviders(db)
  await identities(db)
  await idpAttempts(db)
  await deletionRequests(db)
  await sentMails(db)
}

async function tickets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tickets')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('code_hash', 'text')
    .addColumn('code_tries', 'integer', (c) => c.notNull())
    .addColumn('payload_sealed', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('tickets_user').on('tickets').columns(['user_id', 'purpose']).execute()
  await db.schema.createIndex('tickets_expiry').on('tickets').column('expires_at').execute()
}

async function totpFactors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('totp_factors')
    .addColumn('user_id', 'text', (c) => c.notNull().primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('secret_sealed', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_step', 'bigint', (c) => c.notNull())
    .execute()
}

async function recoveryCodes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'code_hash'])
    .execute()
}

async function passkeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
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
}

async function passkeyChallenges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkey_challenges')
    .addColumn('hash', 'text', (c) => c.notNull().primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('passkey_challenges_expiry').on('passkey_challenges').column('expires_at').execute()
  await db.schema.createIndex('passkey_challenges_user').on('passkey_challenges').column('user_id').execute()
}

async function identityProviders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identity_providers')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('client_secret_sealed', 'text', (c) => c.notNull())
    .addColumn('authoritative_for', 'text', (c) => c.notNull())
    .addColumn('access_token_audience', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
}

async function identities(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identities')
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('identities_pk', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('identities_user').on('identities').column('user_id').execute()
}

async function idpAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idp_attempts')
    .addColumn('state_hash', 'text', (c) => c.notNull().primaryKey())
    .addColumn('provider_id', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('idp_attempts_expiry').on('idp_attempts').column('expires_at').execute()
}

async function deletionRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deletion_requests')
    .addColumn('user_id', 'text', (c) => c.notNull().primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('requested_at', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('deletion_requests_due').on('deletion_requests').column('due_at').execute()
}

async function sentMails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sent_mails')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sent_mails_user').on('sent_mails').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('sent_mails_at').on('sent_mails').column('at').execute()
}
