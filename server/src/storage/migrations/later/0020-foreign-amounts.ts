import type { Tables } from '../migration.ts'

/** The amount of a payment in another currency, as `USD 1990`; null: in reais, not known, or of before this version (decision 192). */
export async function foreignAmount(db: Tables): Promise<void> {
  await db.schema.alterTable('subscription_events').addColumn('foreign_amount', 'text').execute()
}
