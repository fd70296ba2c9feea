import type { Tables } from '../migration.ts'

/**
 * The time at which the end of a paid period was stated; null: its sender moves no ends, or it is of before this version (decision 222).
 */
export async function periodStatedAt(db: Tables): Promise<void> {
  await db.schema.alterTable('subscription_events').addColumn('period_stated_at', 'bigint').execute()
}
