import { sql } from 'kysely'
import { type PaymentEvent, toEvent, withSource } from '../payment-history/index.ts'
import { type Queryable, readSetting, type Transaction, takeSetting } from '../storage/index.ts'
import { RECOUNT } from '../subscriptions/index.ts'
import { REAIS } from './currency.ts'
import { type Entry, type FigureName, FLOWS, STOCKS } from './entry.ts'

/** Rows of one insert: SQLite takes 32,766 values. */
const MAX_ROWS = 500

/** A stream that has to be counted, and what it was last counted as. */
export interface DueStream {
  id: string
  productId: string | undefined
  events: PaymentEvent[]
  counted: Counted
}

/** What a stream was last counted as, in the zone of that time. */
export interface Counted {
  zone: string
  entries: readonly Entry[]
}

type Packed = { zone: string; entries: Array<[FigureName, string, string, string, string, number]> }

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
    async hasDue(): Promise<boolean> {
      const due = await db.selectFrom('event_streams').select('id').where('counted_at', 'is', null).limit(1).executeTakeFirst()
      return due !== undefined || (await readSetting(db, RECOUNT)) !== undefined
    },
    /** The sums by product, plan and currency: of what happened from one day to another, and of what stands at the end of the second. */
    async sumByPlan({ zone, from, to }: Range): Promise<Sum[]> {
      const key = ['name', 'product_id', 'plan_id', 'currency'] as const
      const sums = totalsOf(db, zone).select(key).groupBy(key)
      const flows = await sums.where('name', 'in', FLOWS).where('day', '>=', from).where('day', '<=', to).execute()
      const month = to.slice(0, 7)
      const stocks = await sums.where('name', 'in', STOCKS).where('day', '>=', `${month}-01`).where('day', '<=', to).execute()
      const months = await sums.where('name', 'in', STOCKS.map(nameOfMonths)).where('day', '<', month).execute()
      return [...flows, ...stocks, ...months].map((row) => ({ ...row, name: figureOf(row.name), value: Number(row.value) }))
    },
    /** The sums of each day, of what changed at it, in reais. */
    async sumByDay({ zone, from, to }: Range): Promise<Array<{ name: FigureName; day: string; value: number }>> {
      const rows = await totalsOf(db, zone)
        .select(['name', 'day'])
        .where('name', 'in', [...FLOWS, ...STOCKS])
        .where('day', '>=', from)
        .where('day', '<=', to)
        .where('currency', 'in', ['', REAIS])
        .groupBy(['name', 'day'])
        .execute()
      return rows.map((row) => ({ ...row, name: row.name as FigureName, value: Number(row.value) }))
    },
  }
}

interface Range {
  zone: string
  from: string
  to: string
}

export interface Sum {
  name: FigureName
  product_id: string
  plan_id: string
  currency: string
  value: number
}

/** What stands at the end of a day is a sum from the first day on: months that are over are added up once, under names of their own. */
function nameOfMonths(name: FigureName): string {
  return `months:${name}`
}

function figureOf(name: string): FigureName {
  return name.replace(/^months:/, '') as FigureName
}

type Summed = Omit<Entry, 'name'> & { name: string }

function monthsOf(entries: readonly Entry[]): Summed[] {
  const months = new Map<string, Summed>()
  for (const entry of entries) {
    if (!STOCKS.some((name) => name === entry.name)) continue
    const month = { ...entry, name: nameOfMonths(entry.name), day: entry.day.slice(0, 7) }
    const key = JSON.stringify([month.name, month.day, month.productId, month.planId, month.currency])
    const known = months.get(key)
    if (known) known.value += entry.value
    else months.set(key, month)
  }
  return [...months.values()]
}

function totalsOf(db: Queryable, zone: string) {
  return db.selectFrom('report_totals').where('zone', '=', zone).select(sql<number | string>`sum(value)`.as('value'))
}

function pack({ zone, entries }: Counted): string {
  const packed: Packed = {
    zone,
    entries: entries.map(({ name, day, productId, planId, currency, value }) => [name, day, productId, planId, currency, value]),
  }
  return JSON.stringify(packed)
}

function unpack(text: string): Counted {
  const { zone, entries } = JSON.parse(text) as Packed
  return {
    zone,
    entries: entries.map(([name, day, productId, planId, currency, value]) => ({ name, day, productId, planId, currency, value })),
  }
}

/** Marks the next streams of a recount. Answers how many; 0 when it is over, or none was asked for. */
export async function continueRecount(tx: Transaction, limit: number, zone: string): Promise<number> {
  const after = await readSetting(tx, RECOUNT)
  if (after === undefined) return 0
  const page = await tx.selectFrom('event_streams').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  const ids = page.map(({ id }) => id)
  const last = ids.at(-1)
  if (last === undefined) {
    await takeSetting(tx, RECOUNT, after)
    // Every stream has its entries in the zone of now: the sums of former zones are empty.
    await tx.deleteFrom('report_totals').where('zone', '!=', zone).execute()
    return 0
  }
  await tx.updateTable('event_streams').set({ counted_at: null }).where('id', 'in', ids).execute()
  // One that was begun anew meanwhile begins at the first stream.
  await tx.updateTable('settings').set({ value: last }).where('name', '=', RECOUNT).where('value', '=', after).execute()
  return ids.length
}
