import type { SchemaModule } from 'kysely'
import type { Tables } from '../migration.ts'

/** The id that an imported user had in the system before. */
export async function externalId(db: Tables): Promise<void> {
  await db.schema.alterTable('users').addColumn('external_id', 'text').execute()
}

export function byExternalId(schema: SchemaModule) {
  return schema.createIndex('users_external_id').unique().on('users').column('external_id')
}
