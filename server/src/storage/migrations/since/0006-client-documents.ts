import type { Tables } from '../migration.ts'

/** The client of a product's session, where one product stands for many that describe themselves (decision 161). */
export async function up(db: Tables): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('client_id', 'text').execute()
}
