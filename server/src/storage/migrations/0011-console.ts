import { type Kysely, sql } from 'kysely'
import { searchWords } from '../../kit/index.ts'

/** What the admin API and its console need: with how many factors a session was proven, and the indexes of its lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In no index, as proven_at is in none.
  await db.schema.alterTable('sessions').addColumn('two_factors_at', 'bigint').execute()
  await acting(db)
  await db.schema.alterTable('api_keys').addColumn('last_used_at', 'bigint').execute()
  await indexPeople(db)
  await indexPayments(db)
  await words(db)
  await overview(db)
}

/** Sessions that an administrator uses as somebody else: a handful at any time, so their indexes cost everyone else nothing. */
async function acting(db: Kysely<unknown>): Promise<void> {
  for (const column of ['acting_user_id', 'acting_session_id']) {
    await db.schema.alterTable('sessions').addColumn(column, 'text').execute()
    await db.schema.createIndex(`sessions_${column}`).on('sessions').column(column).where(sql.ref(column), 'is not', null).execute()
  }
}

/** Few people have a role, are closed or sell: an index of those few alone, in each order of the list, costs everyone else nothing. */
async function indexPeople(db: Kysely<unknown>): Promise<void> {
  const few = (name: string, column: string) => db.schema.createIndex(name).on('users').where(sql.ref(column), 'is not', null)
  await few('users_role', 'role').columns(['id', 'role']).execute()
  await few('users_role_email', 'role').columns(['email', 'id', 'role']).execute()
  await few('users_disabled', 'disabled_at').column('id').execute()
  await few('users_disabled_email', 'disabled_at').columns(['email', 'id']).execute()
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

/** Each of these costs a delivery less than a microsecond. Nearly all are active and met at once: of those there is none. */
async function indexPayments(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('subscriptions_product').on('subscriptions').columns(['product_id', 'id']).execute()
  await db.schema.createIndex('subscriptions_plan').on('subscriptions').columns(['plan_id', 'id']).execute()
  // Where buyers have accounts, guests are few; where they have none, the others are.
  for (const [name, is] of [
    ['subscriptions_guest', 'is'],
    ['subscriptions_owned', 'is not'],
  ] as const)
    await db.schema.createIndex(name).on('subscriptions').column('id').where(sql.ref('user_id'), is, null).execute()
  await db.schema
    .createIndex('subscriptions_state')
    .on('subscriptions')
    .columns(['state', 'id'])
    .where(sql.ref('state'), '!=', sql.lit('active'))
    .execute()
  await db.schema
    .createIndex('subscriptions_email_hash')
    .on('subscriptions')
    .column('email_hash')
    .where(sql.ref('email_hash'), 'is not', null)
    .execute()
  await db.schema.createIndex('notifications_source').on('notifications').columns(['source', 'id']).execute()
  await db.schema
    .createIndex('notifications_product')
    .on('notifications')
    .columns(['product_id', 'id'])
    .where(sql.ref('product_id'), 'is not', null)
    .execute()
}

const PAGE = 500

/** The words by which people are found, those of whoever is here already included. */
async function words(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_words')
    .addColumn('word', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('user_words_pk', ['word', 'user_id'])
    .execute()
  await db.schema.createIndex('user_words_user').on('user_words').columns(['user_id', 'word']).execute()
  for (let last = ''; ; ) {
    const { rows } = await sql<{ id: string; email: string; name: string | null; company_name: string | null }>`
      select id, email, name, company_name from users left join users_company on user_id = id where id > ${last} order by id limit ${sql.lit(PAGE)}`.execute(
      db,
    )
    for (const { id, email, name, company_name } of rows) {
      const found = searchWords(email, name ?? '', company_name ?? '').map((word) => sql`(${word}, ${id})`)
      if (found.length > 0) await sql`insert into user_words (word, user_id) values ${sql.join(found)}`.execute(db)
    }
    last = rows.at(-1)?.id ?? ''
    if (rows.length < PAGE) return
  }
}

/** What happened each day, counted once and kept; and the indexes by which the newest of a person's story, and what was given up, are found. */
async function overview(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('daily_counts')
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('daily_counts_pk', ['day', 'name'])
    .execute()
  await db.schema
    .createIndex('sessions_ended')
    .on('sessions')
    .columns(['user_id', 'ended_at', 'id'])
    .where(sql.ref('ended_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('outbox_dead').on('outbox').column('dead_at').where(sql.ref('dead_at'), 'is not', null).execute()
}
