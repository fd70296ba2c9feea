import { ACTIVITY, type Activity } from '../../admin/index.ts'
import type { Figures } from '../../reports/index.ts'
import { placesOf } from '../command/money.ts'
import { AMOUNTS, FIGURES, type Report } from './month-text.ts'

/** Amounts with a point, in the row's currency. No cell can begin a formula: names are slugs and codes, the others are numbers and days. */
export function monthCsv({ from, to, figures, activity, before, plans, other_currencies, days }: Report): string {
  const cells = (of: Figures, currency = 'BRL') => [
    currency,
    ...FIGURES.map((name) => (AMOUNTS.has(name) ? (of[name] / 10 ** placesOf(currency)).toFixed(placesOf(currency)) : String(of[name]))),
  ]
  const rows = [
    ['scope', 'from', 'to', 'product', 'plan', 'currency', ...FIGURES, ...ACTIVITY, 'failed_sign_ins_by_kind', 'sign_ins_by_method'],
    ['month', from, to, '', '', ...cells(figures), ...activityCells(activity)],
    ['month before', before.from, before.to, '', '', ...cells(before.figures), ...activityCells(before.activity)],
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
  const [head = []] = rows
  return rows.map((row) => [...row, ...Array<string>(head.length - row.length).fill('')].join(',')).join('\n')
}

/** The other rows have none of these: nobody signs in to a plan. */
function activityCells(of: Activity): string[] {
  const kindsOf = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([kind, count]) => `${kind} ${count}`)
      .join('; ')
  return [...ACTIVITY.map((name) => String(of[name])), kindsOf(of.failed_sign_ins_by_kind), kindsOf(of.sign_ins_by_method)]
}
