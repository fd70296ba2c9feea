import { daysBetween, plusDays, startOfDay } from '../../../src/reports/index.ts'
import { type Admin, listAll } from '../users/admins.ts'
import type { Purchase } from './facts.ts'
import { movesOf } from './figures.ts'
import type { PrintedReport } from './printed.ts'

type Figures = PrintedReport['figures']
type Asked = Pick<PrintedReport, 'from' | 'to' | 'figures' | 'other_currencies'> & {
  time_zone: string
  plans: Array<{ plan_id: string | null; product_id: string | null; plan_slug: string; product: string | null; figures: Figures }>
}
type Compare = (name: string, query: string, listed: number, figure: number | undefined) => void

const CHANGES = ['new', 'returned', 'lost', 'plan_changed'] as const
const MONEY = { net: '', received: '&figure=received', refunded: '&figure=refunded', lost_in_disputes: '&figure=lost_in_disputes' }

/**
 * How often a change was counted of a subscription that has a later one of the name on that day, which is in the list: of all plans, or of
 * one like `loja basic`.
 */
type Repeats = (name: string, plan: string | undefined) => number

/** A line for each figure of a report, of all, of a plan or of a currency, whose list comes to something else. */
export async function findUnlisted(admin: Admin, report: Asked, repeats: Repeats = () => 0): Promise<string[]> {
  const unlisted: string[] = []
  const compare: Compare = (name, query, listed, figure = 0) => {
    if (listed !== figure) unlisted.push(`the list of ${name}${query} comes to ${listed}, the figure to ${figure}`)
  }
  const plans = report.plans.map(({ plan_id, product_id, plan_slug, product, figures }) => ({
    repeated: (name: string) => repeats(name, `${product ?? '-'} ${plan_slug}`),
    query: `&plan_id=${plan_id ?? 'none'}&product_id=${product_id ?? 'none'}`,
    figures,
  }))
  const all = { repeated: (name: string) => repeats(name, undefined), query: '', figures: report.figures }
  for (const part of [all, ...plans]) {
    await compareSubscriptions(admin, report, { ...part, compare })
    await compareAmounts(admin, report, { ...part, compare })
  }
  const currencies = report.other_currencies.map(({ currency, figures }) => ({ query: `&currency=${currency}`, figures }))
  for (const { query, figures } of currencies) await compareAmounts(admin, report, { query, figures, compare })
  return unlisted
}

/** The repeated changes among those that are computed. */
export function repeatsOf(purchases: readonly Purchase[], knownAt: number, { from, to, time_zone }: Asked): Repeats {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const dated = purchases.map((purchase) => movesOf([purchase], knownAt).map((move) => ({ ...move, day: format.format(move.at) })))
  return (name, plan) =>
    dated.reduce((sum, moves) => {
      const found = moves.filter((move) => move.name === name && move.day >= from && move.day <= to)
      const last = new Map(found.map((move) => [move.day, move]))
      const isOf = (move: { plan: string }) => plan === undefined || move.plan === plan
      return sum + found.filter(isOf).length - [...last.values()].filter(isOf).length
    }, 0)
}

interface Part {
  query: string
  figures: Figures
  compare: Compare
}

async function compareSubscriptions(
  admin: Admin,
  { from, to, time_zone }: Asked,
  { query, figures, compare, repeated }: Part & { repeated: (name: string) => number },
): Promise<void> {
  const counted = async (filter: string) => (await listAll(admin, `/subscriptions?${filter}${query}`, 100)).length
  compare('active', query, await counted(`active_on=${to}`), figures.active)
  for (const name of CHANGES) {
    const changed = (first: string, last: string) => counted(`changed=${name}&${momentsOf(first, last, time_zone, 'changed_')}`)
    let listed = await changed(from, to)
    // A list has a subscription once, though it is lost on several days.
    if (listed < (figures[name] ?? 0)) {
      listed = 0
      for (const day of daysBetween(from, to)) listed += await changed(day, day)
      listed += repeated(name)
    }
    compare(name, query, listed, figures[name])
  }
}

async function compareAmounts(admin: Admin, { from, to, time_zone }: Asked, { query, figures, compare }: Part): Promise<void> {
  const sum = async (path: string, field: string) =>
    (await listAll(admin, path + query, 100)).reduce((all, row) => all + Number(row[field] ?? 0), 0)
  compare('mrr', query, await sum(`/subscriptions?active_on=${to}&figure=mrr`, 'monthly_amount'), figures.mrr)
  for (const [name, filter] of Object.entries(MONEY)) {
    const sign = name === 'refunded' || name === 'lost_in_disputes' ? -1 : 1
    const moved = await sum(`/transactions?${momentsOf(from, to, time_zone)}${filter}`, 'amount')
    // Without a negative zero.
    compare(name, query, moved === 0 ? 0 : sign * moved, figures[name])
  }
}

function momentsOf(first: string, last: string, zone: string, prefix = ''): string {
  const [since, until] = [startOfDay(first, zone), startOfDay(plusDays(last, 1), zone)].map((at) => new Date(at).toISOString())
  return `${prefix}since=${since}&${prefix}until=${until}`
}
