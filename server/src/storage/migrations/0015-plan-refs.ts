import type { Kysely } from 'kysely'

/** By which of a gateway's ids the payments of a subscription named what was bought: one that is new says that its plan was changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subscription_lines').addColumn('plan_refs', 'text').execute()
}
