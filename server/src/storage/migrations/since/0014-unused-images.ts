import type { Tables } from '../migration.ts'

/** Since when no look has an image; null while one does (decision 171). */
export async function unusedSince(db: Tables): Promise<void> {
  await db.schema.alterTable('brand_images').addColumn('unused_since', 'bigint').execute()
}
