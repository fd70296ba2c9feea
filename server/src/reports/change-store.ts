import { inPages, type Page, type Queryable } from '../storage/index.ts'
import type { ChangeName, SubscriptionChange } from './entry.ts'

/** Rows of one insert: a stream has few, and SQLite takes 32,766 values. */
const MAX_ROWS = 500

/** A figure of changes and its days, both included, in the zone of the days. */
export interface Changed {
  name: ChangeName
  zone: string
  from: string
  to: string
}

/** The subscriptions behind the figures of changes, by the day of each. */
export function changeStore(db: Queryable) {
  return {
    /** Replaces what is noted of these streams by what they have now, in the zone that is counted. */
    async put(zone: string, streams: ReadonlyArray<{ streamId: string; changes: readonly SubscriptionChange[] }>): Promise<void> {
      const streamIds = streams.map(({ streamId }) => streamId)
      await db.deleteFrom('report_changes').where('stream_id', 'in', streamIds).execute()
      const known = await db.selectFrom('subscriptions').select(['id', 'stream_id', 'number']).where('stream_id', 'in', streamIds).execute()
      const idOf = new Map(known.map(({ id, stream_id, number }) => [`${stream_id} ${number}`, id]))
      const rows = streams.flatMap(({ streamId, changes }) =>
        changes.flatMap(({ name, day, number }) => {
          const id = idOf.get(`${streamId} ${number}`)
          return id === undefined ? [] : { zone, name, day, subscription_id: id, stream_id: streamId }
        }),
      )
      for (let from = 0; from < rows.length; from += MAX_ROWS)
        await db
          .insertInto('report_changes')
          .values(rows.slice(from, from + MAX_ROWS))
          // A subscription that is lost twice on a day is counted once.
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },
  }
}

/** One page of changes, each subscription once: at the last of its days. In the order of days, and of the subscriptions within one. */
export function changedSubscriptions(db: Queryable, { name, zone, from, to }: Changed, page: Page) {
  const query = db
    .selectFrom('report_changes as change')
    .innerJoin('subscriptions', 'subscriptions.id', 'change.subscription_id')
    .select(['subscriptions.id as id', 'change.day as day'])
    .where('change.zone', '=', zone)
    .where('change.name', '=', name)
    .where('change.day', '>=', from)
    .where('change.day', '<=', to)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('report_changes as later')
            .select('later.day')
            .whereRef('later.stream_id', '=', 'change.stream_id')
            .whereRef('later.subscription_id', '=', 'change.subscription_id')
            .where('later.zone', '=', zone)
            .where('later.name', '=', name)
            .whereRef('later.day', '>', 'change.day')
            .where('later.day', '<=', to),
        ),
      ),
    )
  return inPages(query, { column: 'change.day', id: 'change.subscription_id', page })
}
