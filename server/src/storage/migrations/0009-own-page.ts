import { type Kysely, sql } from 'kysely'

/** What a person sees and does on their own page: who is about to leave, when a session was last seen, what was mailed, and the indexes of its lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deletion_requests')
    .addColumn('user_id', 'text', (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
    .addColumn('requested_at', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('deletion_requests_due').on('deletion_requests').column('due_at').execute()
  await db.schema
    .createTable('sent_mails')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sent_mails_user').on('sent_mails').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('sent_mails_at').on('sent_mails').column('at').execute()
  // In no index: so that PostgreSQL writes it without touching any.
  await db.schema.alterTable('sessions').addColumn('last_seen_at', 'bigint').execute()
  await db.schema
    .createIndex('sessions_own')
    .on('sessions')
    .columns(['user_id', 'id'])
    .where(sql.ref('parent_id'), 'is', null)
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('subscriptions_own')
    .on('subscriptions')
    .columns(['user_id', 'id'])
    .where(sql.ref('user_id'), 'is not', null)
    .execute()
  await db.schema.createIndex('audit_actor').on('audit').columns(['actor', 'id']).execute()
}
