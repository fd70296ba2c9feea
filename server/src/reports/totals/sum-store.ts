import { sql } from 'kysely'
import type { Queryable } from '../../storage/index.ts'
import { REAIS } from '../currency.ts'
import { type FigureName, FLOWS, STOCKS } from '../entry.ts'
import { nameOfMonths } from './months.ts'

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

/** The sums of figures, by plan and by day. */
export function sumStore(db: Queryable) {
  return {
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

function figureOf(name: string): FigureName {
  return name.replace(/^months:/, '') as FigureName
}

function totalsOf(db: Queryable, zone: string) {
  return db.selectFrom('report_totals').where('zone', '=', zone).select(sql<number | string>`sum(value)`.as('value'))
}
