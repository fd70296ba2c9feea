import type { Queryable } from '../../storage/index.ts'
import { type Subscription, toSubscription } from '../../subscriptions/index.ts'
import { toEvent } from '../events/event-row.ts'
import { withSource } from '../events/event-store.ts'
import type { PaymentEvent } from '../events/payment-event.ts'

/** A stream with all that is stored of it. */
export interface StoredStream {
  id: string
  source: string
  ref: string
  productId: string | undefined
  events: readonly PaymentEvent[]
  /** Oldest first. */
  subscriptions: readonly Subscription[]
}

export function storedStore(db: Queryable) {
  return {
    /** Streams with their events and subscriptions, in the order of their ids, after this id. */
    async page(after: string, limit: number): Promise<StoredStream[]> {
      const streams = await db
        .selectFrom('event_streams')
        .select(['id', 'source', 'ref', 'product_id'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return readStreams(db, streams)
    },
    async findById(id: string): Promise<StoredStream | undefined> {
      const streams = await db.selectFrom('event_streams').select(['id', 'source', 'ref', 'product_id']).where('id', '=', id).execute()
      return (await readStreams(db, streams))[0]
    },
  }
}

async function readStreams(
  db: Queryable,
  streams: ReadonlyArray<{ id: string; source: string; ref: string; product_id: string | null }>,
): Promise<StoredStream[]> {
  if (streams.length === 0) return []
  const ids = streams.map(({ id }) => id)
  const events = Map.groupBy(await withSource(db).where('stream_id', 'in', ids).execute(), (row) => row.stream_id)
  const rows = await db.selectFrom('subscriptions').selectAll().where('stream_id', 'in', ids).orderBy('number').execute()
  const subscriptions = Map.groupBy(rows, (row) => row.stream_id)
  return streams.map(({ id, source, ref, product_id }) => ({
    id,
    source,
    ref,
    productId: product_id ?? undefined,
    events: (events.get(id) ?? []).map(toEvent),
    subscriptions: (subscriptions.get(id) ?? []).map(toSubscription),
  }))
}
