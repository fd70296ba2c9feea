import { type Kysely, type SchemaModule, sql } from 'kysely'

/** Who the buyer of a notification is, where its gateway had to be asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notifications').addColumn('buyer', 'text').execute()
}

/** People are found by their phone. */
export function byPhone(schema: SchemaModule) {
  return schema.createIndex('users_company_phone').on('users_company').column('phone').where(sql.ref('phone'), 'is not', null)
}
