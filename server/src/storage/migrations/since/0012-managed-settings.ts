import type { Tables } from '../migration.ts'

/** Which settings a file declares, and by whom they are managed (decision 162). */
export async function up(db: Tables): Promise<void> {
  await db.schema
    .createTable('managed_settings')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('object_id', 'text', (c) => c.notNull())
    .addColumn('managed_by', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('managed_settings_pk', ['kind', 'object_id'])
    .execute()
}
