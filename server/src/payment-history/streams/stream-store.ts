import { sql } from 'kysely'
import { z } from 'zod'
import { type EventStreamRow, prepare, type Queryable } from '../../storage/index.ts'
import type { StreamKey } from '../../subscriptions/index.ts'
import type { EventStream } from './event-stream.ts'

export function streamStore(db: Queryable) {
  return {
    /**
     * The stream of this key, made if it was missing (then with these `planRefs`), and held until the transaction ends: one transaction at
     * a time adds events to a stream. Whoever holds it may change it, so the reports count it again.
     */
    async holdStream(
      { source, ref }: StreamKey,
      {
        id,
        productId,
        planRefs = [],
        at,
      }: { id: string; productId: string | undefined; planRefs: readonly string[] | undefined; at: number },
    ): Promise<EventStream> {
      const plan_refs = planRefs.length === 0 ? null : JSON.stringify(planRefs)
      const [row] = (await holdStream(db, { id, source, ref, product_id: productId ?? null, plan_refs, created_at: at })).rows
      if (!row) throw new Error('a stream just held is not there')
      return { ...toStream(row), isNew: row.id === id }
    },
    /** A known stream, held in the same way, and its source. */
    async holdById(id: string): Promise<{ source: string; stream: EventStream }> {
      const row = await db
        .updateTable('event_streams')
        .set({ counted_at: null })
        .where('id', '=', id)
        .returning(['source', ...LINE])
        .executeTakeFirstOrThrow()
      return { source: row.source, stream: { ...toStream(row), isNew: false } }
    },
    /** Whether there is such a stream. */
    async hasStream({ source, ref }: StreamKey): Promise<boolean> {
      const row = await db.selectFrom('event_streams').select('id').where('source', '=', source).where('ref', '=', ref).executeTakeFirst()
      return row !== undefined
    },
    /** The gateway's ids by which payments of a stream named their plan. */
    async listPlanRefs({ source, ref }: StreamKey): Promise<string[]> {
      const row = await db
        .selectFrom('event_streams')
        .select('plan_refs')
        .where('source', '=', source)
        .where('ref', '=', ref)
        .executeTakeFirst()
      return parseRefs(row?.plan_refs ?? null)
    },
    /** The stream has to be held. */
    async setPlanRefs(streamId: string, refs: readonly string[]): Promise<void> {
      await db
        .updateTable('event_streams')
        .set({ plan_refs: JSON.stringify(refs) })
        .where('id', '=', streamId)
        .execute()
    },
  }
}

/**
 * Whether the account with the newest subscription no longer has its buyer's address. An account that the operator gave it to keeps it,
 * whatever its address is.
 */
const IS_LEFT = sql<number | null>`(select case when s.link_closed_at is null and u.email <> s.email then 1 end from subscriptions as s
  left join users as u on u.id = s.user_id where s.stream_id = event_streams.id order by s.number desc limit 1)`

const LINE = ['id', 'ref', 'product_id', 'buyer_forgotten_at', 'merged_into', 'plan_refs', IS_LEFT.as('is_left')] as const

function toStream(
  row: Omit<EventStreamRow, 'source' | 'created_at' | 'counted_at'> & { is_left: number | null },
): Omit<EventStream, 'isNew'> {
  return {
    id: row.id,
    ref: row.ref,
    productId: row.product_id ?? undefined,
    isLeft: row.is_left === 1,
    isBuyerForgotten: row.buyer_forgotten_at !== null,
    mergedInto: row.merged_into ?? undefined,
    planRefs: parseRefs(row.plan_refs),
  }
}

const holdStream = prepare(
  (db, { id, source, ref, product_id, plan_refs, created_at }: Omit<EventStreamRow, 'buyer_forgotten_at' | 'merged_into' | 'counted_at'>) =>
    db
      .insertInto('event_streams')
      .values({ id, source, ref, product_id, plan_refs, created_at, buyer_forgotten_at: null, merged_into: null })
      .onConflict((conflict) =>
        conflict.columns(['source', 'ref']).doUpdateSet((e) => ({
          product_id: e.fn.coalesce('event_streams.product_id', e.ref('excluded.product_id')),
          counted_at: null,
        })),
      )
      .returning(LINE),
)

const refsSchema = z.array(z.string())

function parseRefs(json: string | null): string[] {
  return json === null ? [] : refsSchema.parse(JSON.parse(json))
}
