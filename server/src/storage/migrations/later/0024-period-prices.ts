import type { Tables } from '../migration.ts'

/**
 * The price of a paid period in the smallest unit of the payment's currency; null: it is what was paid, not known, or of before this
 * version (decision 218).
 */
export async function periodPrice(db: Tables): Promise<void> {
  await db.schema.alterTable('subscription_events').addColumn('period_price', 'bigint').execute()
}
