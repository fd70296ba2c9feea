import type { Tables } from '../migration.ts'

/**
 * The amount of a whole purchase, of which an event's payment is a part; null: the payment is the whole, or the event is of before this
 * version (decision 230).
 */
export async function purchaseAmount(db: Tables): Promise<void> {
  await db.schema.alterTable('subscription_events').addColumn('purchase_amount', 'bigint').execute()
}
