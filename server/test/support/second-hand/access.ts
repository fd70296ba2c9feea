import { DAY, type Fact } from './facts.ts'
import { type Ledger, type Payment, readFacts } from './ledger.ts'

/** What a subscription rests on. */
export interface State {
  on: 'nothing' | 'paid' | 'trial' | 'granted'
  plan: string
  currency: string | undefined
  /** What the payment is for one month. Undefined: nobody knows. */
  monthly: number | undefined
}

export const NOTHING: State = { on: 'nothing', plan: '', currency: undefined, monthly: undefined }

const NEVER = Number.POSITIVE_INFINITY
const MONTH = 30.436875 * DAY
/** Days of grace by what is paid with. */
const GRACE = { card: 3, boleto: 5, pix: 7 }

/** Each change of what a subscription rests on, in order. */
export function changesOf(facts: readonly Fact[]): Array<{ at: number; state: State }> {
  const ends = facts.flatMap(({ at, until = at }) => [0, ...Object.values(GRACE)].map((days) => until + days * DAY))
  const moments = [...new Set([...facts.map(({ at }) => at), ...ends])].sort((one, other) => one - other)
  const states = moments.map((at) => ({ at, state: stateAt(facts, at) }))
  return states.filter(({ state }, index) => JSON.stringify(state) !== JSON.stringify(states[index - 1]?.state ?? NOTHING))
}

function stateAt(facts: readonly Fact[], at: number): State {
  const known = facts.filter((fact) => fact.at <= at)
  const ledger = readFacts(known, currentOf)
  const current = currentOf(ledger)?.made
  if (!current || at >= accessUntil(ledger, current)) return NOTHING
  const { until, kind, plan = '', price = current.amount } = current
  const on = kind === 'granted' ? kind : price === 0 ? 'trial' : 'paid'
  const isPriced = on === 'paid' && price !== undefined && until !== undefined
  return { on, plan, currency: current.currency, monthly: isPriced ? monthlyOf(price, beginOf(current), until) : undefined }
}

/** The last payment that was made, without those for an older period and those whose money is gone. */
export function currentOf({ payments }: Ledger): Payment | undefined {
  const line: Payment[] = []
  for (const payment of payments) {
    const { made } = payment
    const last = line.at(-1)?.made
    const isBack = last && (beginOf(made) < beginOf(last) || (made.until ?? NEVER) <= made.at)
    if (!isBack || (made.until ?? NEVER) > (last.until ?? NEVER)) line.push(payment)
  }
  const index = line.findLastIndex(({ givenBackAt, dispute }) => givenBackAt === undefined && (dispute?.is ?? 'won') === 'won')
  const [found, gone] = [line[index], line.slice(index + 1)]
  // In a line where ends are stated, one without an end lasts until the next begins.
  const next = payments.some(({ made }) => made.until !== undefined) ? gone[0]?.made : undefined
  const until = found?.made.until ?? (next ? Math.min(beginOf(next), next.at) : NEVER)
  const goneAt = gone.map(({ givenBackAt = 0, dispute }) => Math.max(givenBackAt, dispute && dispute.is !== 'won' ? dispute.at : 0))
  return until > Math.max(0, ...goneAt) ? found : undefined
}

function accessUntil({ endedAt = 0, canceledAt, unpaidAt = NEVER }: Ledger, current: Fact): number {
  const { kind, until, method = 'card' } = current
  // Only a payment that is made later, for a period that begins later, lifts an end.
  if (Math.min(beginOf(current), current.at) <= endedAt) return 0
  if (kind === 'granted') return until ?? NEVER
  if (canceledAt !== undefined) return until ?? 0
  return (until ?? unpaidAt) + GRACE[method] * DAY
}

function beginOf({ from, at }: Fact): number {
  return from ?? at
}

/** An amount for one month: by whole months where four days make no difference, else by the days. Halves are rounded up. */
function monthlyOf(amount: number, from: number, until: number): number {
  const exact = (until - from) / MONTH
  const whole = Math.max(1, Math.round(exact))
  const months = Math.abs(exact - whole) * MONTH <= 4 * DAY ? whole : exact
  return Math.floor(amount / months + 0.5)
}
