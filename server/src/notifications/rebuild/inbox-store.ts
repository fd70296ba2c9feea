import { type AppliedEvent, type OperatorEvent, toEvent, withSource } from '../../payment-history/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { appliedIn } from '../notification-row.ts'

/** A notification that went to a stream, and what of it was added there. */
export interface AppliedNotification {
  id: string
  source: string
  streamId: string
  applied: readonly AppliedEvent[]
}

/** The number of rows that are read at once. */
const PAGE = 500

export function inboxStore(db: Queryable) {
  return {
    /** Notifications that went to a stream, in the order in which they arrived. */
    async *applied(): AsyncGenerator<AppliedNotification> {
      for (let after = ''; ; ) {
        const rows = await inStreams(db)
          .select(['notifications.id', 'source', 'stream_id', 'applied'])
          .where('notifications.id', '>', after)
          .orderBy('notifications.id')
          .limit(PAGE)
          .execute()
        for (const { id, source, stream_id, applied } of rows) yield { id, source, streamId: stream_id, applied: appliedIn(applied) }
        const last = rows.at(-1)
        if (!last || rows.length < PAGE) return
        after = last.id
      }
    },
    /** The operator's own events, stream by stream. */
    async listOperatorEvents(): Promise<OperatorEvent[]> {
      const rows = await withSource(db)
        .innerJoin('event_streams', 'event_streams.id', 'stream_id')
        .select(['event_streams.source as stream_source', 'ref', 'event_streams.product_id'])
        .where('notification_id', 'is', null)
        .orderBy('stream_id')
        .execute()
      return rows.map((row) => ({
        streamId: row.stream_id,
        source: row.stream_source,
        ref: row.ref,
        productId: row.product_id ?? undefined,
        event: toEvent(row),
      }))
    },
    /** Adds an empty notification to a scratch database. An event's source is read from it. */
    async addEmpty(id: string, source: string): Promise<void> {
      await db
        .insertInto('notifications')
        .values({ id, source, digest: id, event: '', status: 'processed', payload: '', received_at: 0 } as never)
        .execute()
    },
    /** Days of grace count when a history is folded. */
    async copyGrace(from: Queryable): Promise<void> {
      const rows = await from.selectFrom('product_grace_days').selectAll().execute()
      for (const row of rows) await db.insertInto('product_grace_days').values(row).execute()
    },
  }
}

function inStreams(db: Queryable) {
  return db
    .selectFrom('notifications')
    .leftJoin('merged_subscriptions', 'merged_subscriptions.id', 'subscription_id')
    .innerJoin('subscriptions', (join) => join.on((e) => e('subscriptions.id', '=', e.fn.coalesce('successor_id', 'subscription_id'))))
}
