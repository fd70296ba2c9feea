import { type Kysely, sql } from 'kysely'

/** What the admin API and its console need: with how many factors a session was proven, and the indexes of its lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In no index, as proven_at is in none.
  await db.schema.alterTable('sessions').addColumn('two_factors_at', 'bigint').execute()
  await db.schema.alterTable('api_keys').addColumn('last_used_at', 'bigint').execute()
  await indexPeople(db)
}

/** Few people have a role, are closed or sell: an index of those few alone costs everyone else nothing. */
async function indexPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('users_role').on('users').columns(['role', 'id']).where(sql.ref('role'), 'is not', null).execute()
  await db.schema.createIndex('users_disabled').on('users').column('id').where(sql.ref('disabled_at'), 'is not', null).execute()
  await db.schema
    .createIndex('users_company_producer')
    .on('users_company')
    .column('user_id')
    .where(sql.ref('is_producer'), '=', sql.lit(1))
    .execute()
  await db.schema
    .createIndex('sessions_product')
    .on('sessions')
    .columns(['product_id', 'id'])
    .where(sql.ref('product_id'), 'is not', null)
    .execute()
  await db.schema.createIndex('sessions_ip').on('sessions').columns(['ip', 'id']).execute()
}
