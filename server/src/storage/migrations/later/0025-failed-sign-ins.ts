import { type SchemaModule, sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** The sign-ins that failed, for a month (decision 220). */
export async function failedSignIns(db: Tables): Promise<void> {
  await db.schema
    .createTable('failed_sign_ins')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('provider', 'text')
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('failed_at', 'bigint', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .execute()
  const by = (name: string) => db.schema.createIndex(`failed_sign_ins_${name}`).on('failed_sign_ins')
  await by('user').columns(['user_id', 'id']).where(sql.ref('user_id'), 'is not', null).execute()
  await by('of_users').column('id').where(sql.ref('user_id'), 'is not', null).execute()
  await by('kind').columns(['kind', 'id']).execute()
  // After it: of two that fit alike, SQLite takes the one that was made later.
  await by('kind_of_users').columns(['kind', 'id']).where(sql.ref('user_id'), 'is not', null).execute()
  await by('ip').columns(['ip', 'id']).execute()
  await by('at').column('failed_at').execute()
}

/** How its user signed in; null in sessions of before, and in those that no sign-in began. */
export async function signInMethod(db: Tables): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('sign_in_method', 'text').execute()
}

/** The sign-ins of one method: by a passkey there may be few among very many. */
export function byMethod(schema: SchemaModule) {
  const index = schema.createIndex('sessions_sign_in_method').on('sessions').columns(['sign_in_method', 'id'])
  return index.where(sql.ref('sign_in_method'), 'is not', null)
}
