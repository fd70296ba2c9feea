import { sql } from 'kysely'
import type { Tables } from '../migration.ts'

const PAGE = 500

/**
 * The streams that no version with the rules of decisions 221 and 222 has counted are counted again, as `countUnpriced` of migration 0026
 * does: an older version beside this one goes on counting by its own.
 */
export async function countByOldRules(db: Tables, after: string | undefined): Promise<string | undefined> {
  const from = after ?? ''
  const recounting = sql`select 1 from settings where name = 'reports_recounted_until'`
  const { rows } = await sql<{ id: string }>`select id from event_streams where id > ${from}
    and not exists (${recounting} and value < event_streams.id) order by id limit ${PAGE}`.execute(db)
  const last = rows.at(-1)?.id
  if (last !== undefined)
    await sql`update event_streams set counted_at = null where id > ${from} and id <= ${last} and counted_at is not null and not exists (
      select 1 from report_streams as counted where counted.stream_id = event_streams.id and counted.entries like '%"plans":1%')`.execute(
      db,
    )
  return last
}
