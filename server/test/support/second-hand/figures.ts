// Every figure of docs/reports.md, from that page, docs/purchases.md and decision 90 alone. Nothing of the service is imported here.
import { changesOf, currentOf, NOTHING, type State } from './access.ts'
import type { Fact, Purchase } from './facts.ts'
import { type Move, readFacts } from './ledger.ts'

/** The figures of the end of a day. All others are of what happened in some days. */
const STOCKS = ['active', 'active_paid', 'active_trial', 'active_granted', 'active_unpriced', 'mrr']
export const AMOUNTS = ['mrr', 'received', 'refunded', 'disputed', 'lost_in_disputes', 'net']

/** Figures by what they are of: `plan loja basic before: mrr`. One that is missing is 0. */
export type Figures = Map<string, number | string>

/** Each change of a figure that follows from what was delivered by some time. */
export function movesOf(purchases: readonly Purchase[], knownAt: number): Move[] {
  return purchases.flatMap((purchase) => {
    const facts = factsOf(purchase, knownAt)
    const moves: Move[] = [...readFacts(facts, currentOf).moves]
    let [before, hasPaid] = [NOTHING, false]
    for (const { at, state } of changesOf(facts)) {
      const add = (name: string, { plan, currency }: State, by = 1) => moves.push({ at, name, by, plan, currency })
      for (const [name, by] of stocksOf(before)) add(name, before, -by)
      for (const [name, by] of stocksOf(state)) add(name, state, by)
      const [was, is] = [before.on === 'paid', state.on === 'paid']
      if (is && !was) add(hasPaid ? 'returned' : 'new', state)
      if (was && !is) add('lost', before)
      if (was && is && before.plan !== state.plan) add('plan_changed', state)
      hasPaid ||= is
      before = state
    }
    return moves.map((move) => ({ ...move, plan: `${purchase.product ?? '-'} ${move.plan}` }))
  })
}

/** What is known of a purchase, in order. A payment that names no plan is of the plan before it. */
function factsOf({ deliveries, opensWith }: Purchase, knownAt: number): Fact[] {
  const delivered = deliveries.flatMap(({ due, facts }) => (due <= knownAt ? facts : []))
  const ofOne = [...Map.groupBy(delivered, ({ id }) => id).values()]
  // The gateway alone knows the price behind a payment.
  const joined = ofOne.map((said): Fact => Object.assign({}, ...said, { price: said.find(({ price }) => price !== undefined)?.price }))
  const facts = joined.sort((one, other) => one.at - other.at)
  if (opensWith !== undefined && !facts.some(({ id }) => id === opensWith)) return []
  let plan: string | undefined
  return facts.map((fact) => {
    if (fact.kind !== 'paid') return fact
    plan = fact.plan ?? plan
    return { ...fact, plan }
  })
}

function stocksOf({ on, monthly }: State): Array<[string, number]> {
  if (on === 'nothing') return []
  const paid: Array<[string, number]> = on === 'paid' ? [monthly === undefined ? ['active_unpriced', 1] : ['mrr', monthly]] : []
  return [['active', 1], [`active_${on}`, 1], ...paid]
}

/** The report of a month like `2026-10`, of days in a zone, as it is at some time. */
export function reportOf(moves: readonly Move[], month: string, zone: string, now: number): Figures {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const dated = moves.map((move) => ({ ...move, day: format.format(move.at) }))
  const lastDayOf = (of: string) => new Date(Date.UTC(Number(of.slice(0, 4)), Number(of.slice(5)), 0)).toISOString().slice(0, 10)
  const monthBefore = new Date(Date.parse(month) - 1).toISOString().slice(0, 7)
  const [today, last, lastBefore] = [format.format(now), lastDayOf(month), lastDayOf(monthBefore)]
  const to = today < last ? today : last
  const sameDay = monthBefore + to.slice(7)
  const spans = [
    ['', `${month}-01`, to],
    [' before', `${monthBefore}-01`, to === last || sameDay > lastBefore ? lastBefore : sameDay],
  ] as const
  const report: Figures = new Map()
  const put = (of: string, first: string, end: string, chosen: typeof dated, currency?: string) => {
    const sums: Record<string, number> = {}
    for (const { name, day, by, currency: paidIn } of chosen) {
      const isOfDays = day <= end && (day >= first || STOCKS.includes(name))
      if (isOfDays && (!AMOUNTS.includes(name) || paidIn === currency)) sums[name] = (sums[name] ?? 0) + by
    }
    const { received = 0, refunded = 0, lost_in_disputes = 0 } = sums
    sums.net = received - refunded - lost_in_disputes
    for (const [name, sum] of Object.entries(sums)) report.set(`${of}: ${name}`, sum)
  }
  for (const [suffix, first, end] of spans) {
    report.set(`days${suffix}`, `${first} to ${end}`)
    put(`month${suffix}`, first, end, dated)
    for (const [plan, chosen] of Map.groupBy(dated, (move) => move.plan)) put(`plan ${plan}${suffix}`, first, end, chosen)
    for (const [currency, chosen] of Map.groupBy(dated, (move) => move.currency))
      if (currency !== undefined) put(`currency ${currency}${suffix}`, first, end, chosen, currency)
  }
  for (let day = 1; day <= Number(to.slice(8)); day++) {
    const date = `${month}-${String(day).padStart(2, '0')}`
    put(`day ${date}`, date, date, dated)
  }
  return report
}
