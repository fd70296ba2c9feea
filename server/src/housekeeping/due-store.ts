import { sql } from 'kysely'
import { type Queryable, type Retention, retention } from '../storage/index.ts'

/** To remove as many rows of a table takes some portions. */
const FEW = 1_000

/** Whether a table has so many rows to be removed that it takes long. */
export async function isMuchDue(db: Queryable, at: number): Promise<boolean> {
  for (const [table, kept] of Object.entries<Retention>(retention)) {
    if (!('removedAfterMs' in kept)) continue
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(kept.since)} <= ${at - kept.removedAfterMs}
      limit 1 offset ${sql.lit(FEW)}`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}
