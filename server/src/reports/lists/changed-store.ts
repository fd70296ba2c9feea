import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { inPages, type Page, type Queryable } from '../../storage/index.ts'
import type { ChangeName } from '../entry.ts'

/** A figure of changes and its days, both included, in the zone of the days. */
export interface Changed {
  name: ChangeName
  zone: string
  from: string
  to: string
  /** With which the change is counted, empty: with none; `undefined`: with any. */
  planId?: string | undefined
}

/**
 * One page of changes, each subscription once: at the last of its days, of those with the plan. In the order of days, and of the
 * subscriptions within one.
 */
export function changedSubscriptions(db: Queryable, { name, zone, from, to, planId }: Changed, page: Page) {
  const ofPlan = (change: string): RawBuilder<SqlBool> =>
    planId === undefined ? sql`true` : sql`${sql.ref(`${change}.plan_id`)} = ${planId}`
  const query = db
    .selectFrom('report_changes as change')
    .innerJoin('subscriptions', 'subscriptions.id', 'change.subscription_id')
    .select(['subscriptions.id as id', 'change.day as place'])
    .where('change.zone', '=', zone)
    .where('change.name', '=', name)
    .where('change.day', '>=', from)
    .where('change.day', '<=', to)
    .where(ofPlan('change'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('report_changes as later')
            .select('later.day')
            .whereRef('later.stream_id', '=', 'change.stream_id')
            .whereRef('later.subscription_id', '=', 'change.subscription_id')
            // Written so that no index over zones serves: SQLite would go through all later days for each row.
            .where(sql<string>`later.zone || ''`, '=', zone)
            .where('later.name', '=', name)
            .whereRef('later.day', '>', 'change.day')
            .where('later.day', '<=', to)
            .where(ofPlan('later')),
        ),
      ),
    )
  return inPages(query, { column: 'change.day', id: 'change.subscription_id', page })
}
