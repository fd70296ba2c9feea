import type { Figures } from '../../reports/index.ts'
import { placesOf } from '../command/money.ts'
import { AMOUNTS, FIGURES, type Report } from './month-text.ts'

/** Amounts with a point, in the row's currency. No cell can begin a formula: names are slugs and codes, the others are numbers and days. */
export function monthCsv({ from, to, figures, before, plans, other_currencies, days }: Report): string {
  const cells = (of: Figures, currency = 'BRL') => [
    currency,
    ...FIGURES.map((name) => (AMOUNTS.has(name) ? (of[name] / 10 ** placesOf(currency)).toFixed(placesOf(currency)) : String(of[name]))),
  ]
  const rows = [
    ['scope', 'from', 'to', 'product', 'plan', 'currency', ...FIGURES],
    ['month', from, to, '', '', ...cells(figures)],
    ['month before', before.from, before.to, '', '', ...cells(before.figures)],
    ...plans.flatMap((plan) => [
      ['plan', from, to, plan.product ?? '', plan.plan_slug ?? '', ...cells(plan.figures)],
      ['plan before', before.from, before.to, plan.product ?? '', plan.plan_slug ?? '', ...cells(plan.before)],
    ]),
    ...other_currencies.flatMap(({ currency, figures: of, before: then }) => [
      ['currency', from, to, '', '', ...cells(of, currency)],
      ['currency before', before.from, before.to, '', '', ...cells(then, currency)],
    ]),
    ...days.map(({ day, figures: of }) => ['day', day, day, '', '', ...cells(of)]),
  ]
  return rows.map((row) => row.join(',')).join('\n')
}
