import { type PaymentEvent, toEvent, withSource } from '../payment-history/index.ts'
import { type Queryable, readSetting } from '../storage/index.ts'
import { RECOUNT } from '../subscriptions/index.ts'
import type { Entry } from './entry.ts'
import { type Counted, pack, unpack } from './totals/counted.ts'
import { monthsOf } from './totals/months.ts'

/** Rows of one insert: SQLite takes 32,766 values. */
const MAX_ROWS = 500

/** A stream that has to be counted, and what it was last counted as. */
export interface DueStream {
  id: string
  productId: string | undefined
  events: PaymentEvent[]
  counted: Counted
}

export function reportStore(db: Queryable) {
  return {
    /**
     * Takes the next streams to be counted, and holds them until the transaction ends. One that another transaction holds is left for
     * later: that one changes it.
     */
    async takeDue(limit: number, { at, isPostgres }: { at: number; isPostgres: boolean }): Promise<DueStream[]> {
      const due = db.selectFrom('event_streams').select('id').where('counted_at', 'is', null).orderBy('id').limit(limit)
      const ids = (await (isPostgres ? due.forUpdate().skipLocked() : due).execute()).map(({ id }) => id)
      if (ids.length === 0) return []
      const streams = await db
        .updateTable('event_streams')
        .set({ counted_at: at })
        .where('id', 'in', ids)
        .returning(['id', 'product_id'])
        .execute()
      const events = Map.groupBy(await withSource(db).where('stream_id', 'in', ids).execute(), (row) => row.stream_id)
      const counted = await db.selectFrom('report_streams').selectAll().where('stream_id', 'in', ids).execute()
      const entriesOf = new Map(counted.map((row) => [row.stream_id, unpack(row.entries)]))
      return streams.map(({ id, product_id }) => ({
        id,
        productId: product_id ?? undefined,
        events: (events.get(id) ?? []).map(toEvent),
        counted: entriesOf.get(id) ?? { zone: '', entries: [] },
      }))
    },
    async putCounted(streams: ReadonlyArray<{ id: string; counted: Counted }>): Promise<void> {
      await db
        .insertInto('report_streams')
        .values(streams.map(({ id, counted }) => ({ stream_id: id, entries: pack(counted) })))
        .onConflict((conflict) => conflict.column('stream_id').doUpdateSet((e) => ({ entries: e.ref('excluded.entries') })))
        .execute()
    },
    /** Adds to the sums of a zone. */
    async add(zone: string, changed: readonly Entry[]): Promise<void> {
      const entries = [...changed, ...monthsOf(changed)]
      for (let from = 0; from < entries.length; from += MAX_ROWS) {
        const rows = entries.slice(from, from + MAX_ROWS).map(({ name, day, productId, planId, currency, value }) => ({
          ...{ zone, name, day, product_id: productId, plan_id: planId },
          ...{ currency, value },
        }))
        await db
          .insertInto('report_totals')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['zone', 'name', 'day', 'product_id', 'plan_id', 'currency'])
              .doUpdateSet((e) => ({ value: e('report_totals.value', '+', e.ref('excluded.value')) })),
          )
          .execute()
      }
    },
    /** The number of streams that have to be counted, with those that a recount has still to come to. */
    async countDue(): Promise<number> {
      const after = await readSetting(db, RECOUNT)
      const isDue = db
        .selectFrom('event_streams')
        .where((e) => e.or([e('counted_at', 'is', null), ...(after === undefined ? [] : [e('id', '>', after)])]))
      const { count } = await isDue.select((e) => e.fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow()
      return Number(count)
    },
    /** Whether more than so many streams have to be counted, or a recount of all is under way. */
    async hasDue(moreThan = 0): Promise<boolean> {
      const all = db.selectFrom('event_streams').select('id').where('counted_at', 'is', null)
      const due = await all.orderBy('id').limit(1).offset(moreThan).executeTakeFirst()
      return due !== undefined || (await readSetting(db, RECOUNT)) !== undefined
    },
  }
}
