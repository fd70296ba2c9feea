import type { Queryable } from '../storage/index.ts'
import { REAIS } from './currency.ts'
import { dayIn, daysBetween, periodOf } from './days.ts'
import { STOCKS } from './entry.ts'
import { type Figures, figuresOf, inReais } from './figures.ts'
import { reportStore } from './store.ts'
import { type Sum, sumStore } from './totals/sum-store.ts'
import { readZone } from './zone.ts'

export interface PlanFigures {
  /** `undefined`: the product or plan is not known. */
  productId: string | undefined
  planId: string | undefined
  figures: Figures
  before: Figures
}

/** The figures of what is paid in another currency alone. Its numbers of things are among those of the month, its amounts are not. */
export interface CurrencyFigures {
  currency: string
  figures: Figures
  before: Figures
}

/** The figures of a month beside those of the month before. Days in the operator's zone, both ends included. */
export interface MonthReport {
  month: string
  zone: string
  from: string
  to: string
  /** The month is over, and every stream is counted. */
  isComplete: boolean
  /** Some streams have changed and are not counted yet. */
  isCounting: boolean
  figures: Figures
  before: { from: string; to: string; figures: Figures }
  plans: PlanFigures[]
  currencies: CurrencyFigures[]
  days: Array<{ day: string; figures: Figures }>
}

/** A month as `2026-10`. */
export function parseMonth(text: string): string | undefined {
  return /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined
}

/** The month of a moment in the operator's zone. */
export async function monthAt(db: Queryable, now: number): Promise<string> {
  return dayIn(await readZone(db))(now).slice(0, 7)
}

/**
 * Reads the figures of a month. One that is not over yet has them up to today, beside as many days of the month before; one that has not
 * begun has none.
 */
export async function readMonth(db: Queryable, month: string, now: number): Promise<MonthReport> {
  const zone = await readZone(db)
  const store = reportStore(db)
  const isCounting = await store.hasDue()
  const { from, to, state, before } = periodOf(month, dayIn(zone)(now))
  const isBegun = state !== 'to_come'
  const sums = isBegun ? await sumStore(db).sumByPlan({ zone, from, to }) : []
  const sumsBefore = isBegun ? await sumStore(db).sumByPlan({ zone, ...before }) : []
  const opening = await readOpening(db, { zone, from, isBegun })
  return {
    month,
    zone,
    from,
    to,
    isComplete: state === 'over' && !isCounting,
    isCounting,
    figures: figuresOf(inReais(sums)),
    before: { ...before, figures: figuresOf(inReais(sumsBefore)) },
    plans: plansOf(inReais(sums), inReais(sumsBefore)),
    currencies: currenciesOf(sums, sumsBefore),
    days: isBegun ? daysOf(await sumStore(db).sumByDay({ zone, from, to }), { from, to, opening }) : [],
  }
}

/** The figures at the end of the day before. */
async function readOpening(db: Queryable, { zone, from, isBegun }: { zone: string; from: string; isBegun: boolean }): Promise<Figures> {
  if (!isBegun) return figuresOf([])
  const day = new Date(Date.parse(from) - 1).toISOString().slice(0, 10)
  return figuresOf(inReais(await sumStore(db).sumByPlan({ zone, from: day, to: day })))
}

function plansOf(sums: readonly Sum[], before: readonly Sum[]): PlanFigures[] {
  const keyOf = ({ product_id, plan_id }: Sum) => `${product_id} ${plan_id}`
  const [now, then] = [Map.groupBy(sums, keyOf), Map.groupBy(before, keyOf)]
  const keys = [...new Set([...now.keys(), ...then.keys()])].sort()
  return keys
    .map((key) => {
      const [productId, planId] = key.split(' ')
      return {
        productId: productId || undefined,
        planId: planId || undefined,
        figures: figuresOf(now.get(key) ?? []),
        before: figuresOf(then.get(key) ?? []),
      }
    })
    .filter(isAny)
}

function currenciesOf(sums: readonly Sum[], before: readonly Sum[]): CurrencyFigures[] {
  const currencies = new Set([...sums, ...before].map(({ currency }) => currency))
  return [...currencies]
    .filter((currency) => currency !== '' && currency !== REAIS)
    .sort()
    .map((currency) => {
      const ofIt = (all: readonly Sum[]) => figuresOf(all.filter((sum) => sum.currency === currency))
      return { currency, figures: ofIt(sums), before: ofIt(before) }
    })
    .filter(isAny)
}

function isAny({ figures, before }: { figures: Figures; before: Figures }): boolean {
  return [...Object.values(figures), ...Object.values(before)].some((value) => value !== 0)
}

function daysOf(
  sums: ReadonlyArray<{ name: Sum['name']; day: string; value: number }>,
  { from, to, opening }: { from: string; to: string; opening: Figures },
): MonthReport['days'] {
  const changes = Map.groupBy(sums, ({ day }) => day)
  let stocks = STOCKS.map((name) => ({ name: name as Sum['name'], value: opening[name] }))
  return daysBetween(from, to).map((day) => {
    const changed = changes.get(day) ?? []
    const figures = figuresOf([...stocks, ...changed])
    stocks = STOCKS.map((name) => ({ name, value: figures[name] }))
    return { day, figures }
  })
}
