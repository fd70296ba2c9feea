import { ACTIVITY, type Activity, type reportJson } from '../../admin/index.ts'
import type { Figures } from '../../reports/index.ts'
import { fields, paragraphs, type Text, table } from '../command/layout.ts'
import { money } from '../command/money.ts'

export type Report = ReturnType<typeof reportJson>

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
export const FIGURES = Object.keys(LABELS) as Array<keyof Figures>
export const AMOUNTS: ReadonlySet<keyof Figures> = new Set(['mrr', 'received', 'refunded', 'disputed', 'lost_in_disputes', 'net'])

const OF_ACTIVITY = {
  new_users: 'new users',
  sign_ins: 'sign-ins',
  failed_sign_ins: 'refused sign-ins',
  failed_notifications: 'stuck notifications',
} as const satisfies Record<(typeof ACTIVITY)[number], string>

/** The figures of a plan in one row, and of a currency. */
const OF_PLAN = ['active', 'mrr', 'new', 'returned', 'lost', 'received', 'net'] as const
const OF_CURRENCY = ['active', 'mrr', 'new', 'lost', 'received', 'refunded', 'lost_in_disputes', 'net'] as const

export function monthText(report: Report): Text {
  const { month, time_zone, from, to, is_complete, is_counting, figures, activity, before, plans } = report
  const state = is_counting ? 'Some purchases are not counted yet.' : is_complete ? undefined : 'The month is not over.'
  const all = FIGURES.map((name) => [LABELS[name], figureText(figures, name), figureText(before.figures, name)])
  const byPlan = plans.map((plan) => [plan.product ?? '-', plan.plan_slug ?? '-', ...OF_PLAN.map((name) => figureText(plan.figures, name))])
  return paragraphs(
    fields([
      ['month', month],
      ['days', `${from} to ${to}, ${time_zone}`],
      ['before', `${before.from} to ${before.to}`],
    ]),
    table(['figure', 'month', 'before'], [...all, ...activityRows(activity, before.activity)]),
    byPlan.length === 0 ? 'No plans.' : table(['product', 'plan', ...OF_PLAN], byPlan),
    otherCurrencies(report),
    state,
  )
}

/** Sign-ins are followed by their methods, refused ones by their kinds. */
function activityRows(now: Activity, before: Activity): string[][] {
  const parts = { sign_ins: 'sign_ins_by_method', failed_sign_ins: 'failed_sign_ins_by_kind' } as const
  return ACTIVITY.flatMap((name) => [
    [OF_ACTIVITY[name], String(now[name]), String(before[name])],
    ...(name === 'sign_ins' || name === 'failed_sign_ins' ? kindRows(now[parts[name]], before[parts[name]]) : []),
  ])
}

function kindRows(now: Record<string, number>, before: Record<string, number>): string[][] {
  const kinds = [...new Set([...Object.keys(now), ...Object.keys(before)])].toSorted()
  return kinds.map((kind) => [`  ${kind.replaceAll('_', ' ')}`, String(now[kind] ?? 0), String(before[kind] ?? 0)])
}

function figureText(of: Figures, name: keyof Figures, currency = 'BRL'): string {
  return AMOUNTS.has(name) ? money(of[name], currency) : String(of[name])
}

/** Each has two rows: of the month, and of the one before. */
function otherCurrencies({ other_currencies: all }: Report): Text | undefined {
  if (all.length === 0) return undefined
  const rows = all.flatMap(({ currency, figures, before }) => [
    [currency, 'month', ...OF_CURRENCY.map((name) => figureText(figures, name, currency))],
    [currency, 'before', ...OF_CURRENCY.map((name) => figureText(before, name, currency))],
  ])
  return paragraphs('In other currencies, which are not in the amounts above:', table(['currency', 'period', ...OF_CURRENCY], rows))
}
