import type { Tables } from '../migration.ts'

/** The icon of a look for home screens and messengers, where another one is a drawing (decision 190). */
export async function touchIcon(db: Tables): Promise<void> {
  await db.schema.alterTable('appearances').addColumn('touch_icon', 'text').execute()
}
