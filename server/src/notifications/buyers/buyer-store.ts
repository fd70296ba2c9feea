import type { Queryable } from '../../storage/index.ts'

/** A term that more have than this is looked for among the newest of them alone. */
const COMMON = 2_000

/** The newest notifications whose buyer has all of these terms, the rarest first; `limit` at most. */
export async function findByBuyer(db: Queryable, terms: readonly string[], limit: number): Promise<string[]> {
  const [rarest, ...others] = terms
  if (rarest === undefined) return []
  const newest = db
    .selectFrom('notification_terms')
    .select('notification_id')
    .where('term', '=', rarest)
    .orderBy('notification_id', 'desc')
    .limit(others.length === 0 ? limit : COMMON)
  let query = db.selectFrom(newest.as('newest')).select('notification_id').orderBy('notification_id', 'desc').limit(limit)
  for (const term of others)
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('notification_terms as other')
          .select('other.term')
          .where('other.term', '=', term)
          .whereRef('other.notification_id', '=', 'newest.notification_id'),
      ),
    )
  return (await query.execute()).map(({ notification_id }) => notification_id)
}
