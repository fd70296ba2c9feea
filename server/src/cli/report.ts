import type { Command } from 'commander'
import { readNames, reportJson } from '../admin/index.ts'
import type { AppContext } from '../context.ts'
import { countStreams, type Figures, monthAt, parseMonth, parseZone, readMonth, readZone, setZone } from '../reports/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { parsedBy } from './command/input.ts'
import { fields, paragraphs, table } from './command/layout.ts'
import { money, placesOf } from './command/money.ts'
import { withContext } from './command/open-context.ts'
import type { Outcome } from './command/output.ts'

type Report = ReturnType<typeof reportJson>

/** `portaria report …`: the figures of a month, and the zone of its days. */
export function reportCommands(program: Command, cli: CliContext): void {
  const report = program.command('report').description('what was sold, received and lost, by month, plan and day')
  const month = parsedBy(parseMonth, 'a month like 2026-10')
  addVerb(report, 'monthly', {
    summary: 'show the figures of a month beside those of the month before',
    example: 'report monthly --month 2026-10',
  })
    .option('--month <month>', 'as 2026-10 (default: this month, up to today)', month)
    .option('--csv', 'print CSV: a row for the month, each plan, each other currency and each day')
    .action((options: MonthlyOptions) => cli.print(options, monthly(options, cli)))
  const zone = parsedBy(parseZone, 'a time zone like America/Sao_Paulo')
  addVerb(report, 'zone', {
    summary: 'show the time zone of reports and of times in texts, or set it',
    example: 'report zone America/Manaus',
  })
    .argument('[zone]', 'a name of the tz database; all figures are then counted anew', zone)
    .action((name: string | undefined, options: { json?: boolean }) => cli.onDatabase(options, (context) => changeZone(name, context)))
}

interface MonthlyOptions {
  json?: boolean
  csv?: boolean
  month?: string
}

async function monthly({ json, csv, month }: MonthlyOptions, cli: CliContext): Promise<Outcome> {
  if (json && csv) return { misuse: 'choose --json or --csv' }
  return withContext(cli, async (context) => {
    const { storage, now } = context
    await countStreams(context)
    const at = now()
    const read = await readMonth(storage.db, month ?? (await monthAt(storage.db, at)), at)
    const report = reportJson(read, await readNames(context))
    return { json: report, text: csv ? toCsv(report) : toText(report) }
  })
}

async function changeZone(zone: string | undefined, context: AppContext): Promise<Outcome> {
  const { storage, now } = context
  if (zone !== undefined) {
    await setZone(zone, { storage, now, actor: OPERATOR })
    await countStreams(context)
  }
  const is = await readZone(storage.db)
  return { json: { time_zone: is }, text: `Days are those of ${is}.` }
}

const LABELS = {
  active: 'active subscriptions',
  active_paid: '  paid',
  active_trial: '  in a trial',
  active_granted: '  granted',
  active_unpriced: '  paid, not in the revenue below',
  mrr: 'monthly recurring revenue',
  new: 'new',
  returned: 'returned',
  lost: 'lost',
  plan_changed: 'changed plan',
  payments: 'payments',
  payments_without_amount: '  of unknown amount',
  received: 'received',
  refunds: 'refunds',
  refunded: 'refunded',
  disputes: 'disputes opened',
  disputed: '  their amount',
  lost_in_disputes: 'lost in disputes',
  net: 'received, refunds and losses taken off',
} as const satisfies Record<keyof Figures, string>
const FIGURES = Object.keys(LABELS) as Array<keyof Figures>
const AMOUNTS: ReadonlySet<keyof Figures> = new Set(['mrr', 'received', 'refunded', 'disputed', 'lost_in_disputes', 'net'])

/** The figures of a plan in one row, and of a currency. */
const OF_PLAN = ['active', 'mrr', 'new', 'returned', 'lost', 'received', 'net'] as const
const OF_CURRENCY = ['active', 'mrr', 'new', 'lost', 'received', 'refunded', 'lost_in_disputes', 'net'] as const

function toText(report: Report): string {
  const { month, time_zone, from, to, is_complete, is_counting, figures, before, plans } = report
  const state = is_counting ? 'Some purchases are not counted yet.' : is_complete ? undefined : 'The month is not over.'
  const all = FIGURES.map((name) => [LABELS[name], written(figures, name), written(before.figures, name)])
  const byPlan = plans.map((plan) => [plan.product ?? '-', plan.plan_slug ?? '-', ...OF_PLAN.map((name) => written(plan.figures, name))])
  return paragraphs(
    fields([
      ['month', month],
      ['days', `${from} to ${to}, ${time_zone}`],
      ['before', `${before.from} to ${before.to}`],
    ]),
    table(['figure', 'month', 'before'], all),
    byPlan.length === 0 ? 'No plans.' : table(['product', 'plan', ...OF_PLAN], byPlan),
    otherCurrencies(report),
    state,
  )
}

function written(of: Figures, name: keyof Figures, currency = 'BRL'): string {
  return AMOUNTS.has(name) ? money(of[name], currency) : String(of[name])
}

/** Each has two rows: of the month, and of the one before. */
function otherCurrencies({ other_currencies: all }: Report): string | undefined {
  if (all.length === 0) return undefined
  const rows = all.flatMap(({ currency, figures, before }) => [
    [currency, 'month', ...OF_CURRENCY.map((name) => written(figures, name, currency))],
    [currency, 'before', ...OF_CURRENCY.map((name) => written(before, name, currency))],
  ])
  return `In other currencies, which are not in the amounts above:\n\n${table(['currency', 'period', ...OF_CURRENCY], rows)}`
}

/** Amounts with a point, in the row's currency. No cell can begin a formula: names are slugs and codes, the others are numbers and days. */
function toCsv({ from, to, figures, before, plans, other_currencies, days }: Report): string {
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
