import type { Kysely } from 'kysely'

/** What becomes of a payment below the price of the plan; null is what is usual: it is applied. */
export async function choice(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('plans').addColumn('below_price', 'text').execute()
}

/** What was paid, and the plan's price at that moment, in centavos; null where the two are the same or one is not known. */
export async function amounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notifications').addColumn('paid_amount', 'bigint').execute()
  await db.schema.alterTable('notifications').addColumn('plan_price', 'bigint').execute()
}
