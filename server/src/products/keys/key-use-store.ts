import { sql } from 'kysely'
import type { Queryable, Storage } from '../../storage/index.ts'

/**
 * Moves the last use of API keys forward, by the keys' hashes, in one statement; a later time stays. On PostgreSQL it skips rows that
 * another transaction holds, so that it never waits.
 */
export async function markKeysUsed(db: Queryable, used: ReadonlyMap<string, number>, { dialect }: Storage['address']): Promise<void> {
  const rows = [...used].map(([hash, at]) => sql`(cast(${hash} as text), cast(${at} as bigint))`)
  const free = dialect === 'postgres' ? sql`for no key update skip locked` : sql``
  await sql`
    update api_keys set last_used_at = used.column2 from (values ${sql.join(rows)}) as used
    where api_keys.hash = used.column1 and (last_used_at is null or last_used_at < used.column2)
      and api_keys.hash in (select hash from api_keys where hash in (${sql.join([...used.keys()])}) ${free})`.execute(db)
}
