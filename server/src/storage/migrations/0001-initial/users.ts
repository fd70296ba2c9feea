import { type Kysely, sql } from 'kysely'

/** Users, their profile and consents, and the terms by which a search finds them. */
export async function usersTables(db: Kysely<unknown>): Promise<void> {
  await users(db)
  await usersCompany(db)
  await userSearchTerms(db)
  await betaUsers(db)
  await consents(db)
}

async function users(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('email_verified_at', 'bigint')
    .addColumn('password_hash', 'text')
    .addColumn('language', 'text')
    .addColumn('role', 'text')
    .addColumn('disabled_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  // Few users have a role, are disabled or sell: partial indexes of those, in each order of the list, cost the others nothing.
  await db.schema.createIndex('users_role').on('users').columns(['id', 'role']).where(sql.ref('role'), 'is not', null).execute()
  await db.schema
    .createIndex('users_role_email')
    .on('users')
    .columns(['email', 'id', 'role'])
    .where(sql.ref('role'), 'is not', null)
    .execute()
  await db.schema.createIndex('users_disabled').on('users').column('id').where(sql.ref('disabled_at'), 'is not', null).execute()
  await db.schema
    .createIndex('users_disabled_email')
    .on('users')
    .columns(['email', 'id'])
    .where(sql.ref('disabled_at'), 'is not', null)
    .execute()
}

async function usersCompany(db: Kysely<unknown>): Promise<void> {
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
    .createIndex('users_company_producer')
    .on('users_company')
    .column('user_id')
    .where(sql.ref('is_producer'), '=', sql.lit(1))
    .execute()
  await db.schema.createIndex('users_company_phone').on('users_company').column('phone').where(sql.ref('phone'), 'is not', null).execute()
}

async function userSearchTerms(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_search_terms')
    .addColumn('term', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('user_search_terms_pk', ['term', 'user_id'])
    .execute()
  await db.schema.createIndex('user_search_terms_user').on('user_search_terms').columns(['user_id', 'term']).execute()
}

async function betaUsers(db: Kysely<unknown>): Promise<void> {
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

async function consents(db: Kysely<unknown>): Promise<void> {
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
