import { sql } from 'kysely'
import { type Queryable, retention } from '../storage/index.ts'

/** To remove as many rows of each table takes a second, in portions within some minutes. */
const FEW = 5_000
/** The tables that can have very many rows to be removed, each with an index of their times. Events go by days, in portions. */
export const LARGE = [
  'changes',
  'failed_sign_ins',
  'handoff_redemptions',
  'idp_attempts',
  'openid_tokens',
  'passkey_challenges',
  'rate_limits',
  'sent_mails',
  'sessions',
  'tickets',
] as const satisfies (keyof typeof retention)[]

/** Whether a table has so many rows to be removed that it takes long. */
export async function isMuchDue(db: Queryable, at: number): Promise<boolean> {
  for (const table of LARGE) if ((await dueBeyond(table, { at, few: FEW }).execute(db)).rows.length > 0) return true
  return false
}

/** The query for a row beyond the first few that are due. */
export function dueBeyond(table: (typeof LARGE)[number], { at, few }: { at: number; few: number }) {
  const { since, removedAfterMs } = retention[table]
  return sql`select 1 from ${sql.table(table)} where ${sql.ref(since)} <= ${at - removedAfterMs} limit 1 offset ${sql.lit(few)}`
}
