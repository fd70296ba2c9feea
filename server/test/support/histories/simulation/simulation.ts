/**
 * Buyers who buy, pay, fall behind, change their minds and ask for their money back, in time and without a gateway. A history is a list of
 * actions. Events that need no action, such as a month's renewal, happen by themselves. An action that makes no sense when its turn comes
 * is skipped, so any list of actions is a history.
 */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const START = Date.UTC(2026, 0, 10, 14, 5, 7)

export type PlanName = 'basic' | 'pro' | 'unregistered'
export type Cycle = 'month' | 'year'
export type Method = 'card' | 'boleto' | 'pix'

export const PRICES: Record<PlanName, number> = { basic: 4_900, pro: 9_900, unregistered: 7_700 }

/** `of` picks among the things that the action could be about. */
export type Action =
  | { action: 'subscribe'; plan: PlanName; cycle: Cycle; method: Method; trialDays: number; addOn: boolean; pays: boolean }
  | { action: 'buy'; plan: PlanName; method: Method; pays: boolean }
  | { action: 'break_card'; of: number; days: number; pays: boolean }
  | { action: 'resume' | 'void' | 'check'; of: number }
  | { action: 'pay_open' | 'pay_ahead'; of: number }
  | { action: 'change_plan'; of: number; plan: PlanName; cycle: Cycle; bills: 'now' | 'next_time' | 'no_proration' }
  | { action: 'cancel'; of: number }
  | { action: 'cancel_now'; of: number; usage: boolean }
  | { action: 'refund'; of: number; share: 'all' | 'part'; fails: boolean }
  | { action: 'dispute'; of: number; isInquiry: boolean }
  | { action: 'decide'; of: number; outcome: 'won' | 'lost' }

export interface Step {
  /** Hours since the step before. */
  after: number
  does: Action
}

/** A subscription, or a single sale. */
export interface Contract {
  n: number
  kind: 'subscription' | 'sale'
  plan: PlanName
  cycle: Cycle
  method: Method
  addOn: boolean
  startedAt: number
  trialEnd: number | undefined
  /** `begun`: nothing was paid yet. */
  state: 'begun' | 'running' | 'over'
  /** The period that was billed last. */
  period: { from: number; to: number }
  /** From when periods are counted, and how many have begun since: of a month that begins on the 31st the next has its own last day. */
  anchor: number
  turns: number
  /** Whether what is billed next will be paid. */
  isGood: boolean
  /** Will not be renewed. */
  canceledAt: number | undefined
  endedAt: number | undefined
  /** The next bill, where it was paid before its time. */
  ahead: Bill | undefined
  /** Changes of the plan that the next bill charges for. */
  prorations: { plan: PlanName; from: number; to: number }[]
  bills: Bill[]
}

export interface Bill {
  n: number
  contract: Contract
  why: 'trial' | 'first' | 'renewal' | 'change' | 'usage' | 'sale'
  plan: PlanName
  cycle: Cycle
  /** The time that it pays for. */
  from: number
  to: number
  amount: number
  madeAt: number
  attempts: number
  state: 'open' | 'paid' | 'void'
  /** The credit that a change of plan gives for time that was already paid. */
  credits: { plan: PlanName; cycle: Cycle; amount: number; of: Bill } | undefined
  prorations: Contract['prorations']
  payment: Payment | undefined
}

export interface Payment {
  n: number
  bill: Bill
  at: number
  amount: number
  refunds: { n: number; at: number; amount: number; failedAt: number | undefined }[]
  disputes: { n: number; at: number; isInquiry: boolean; closedAt: number | undefined; outcome: 'won' | 'lost' | undefined }[]
}

type About = { contract: Contract; bill: Bill; payment: Payment; refund: Payment['refunds'][number]; dispute: Payment['disputes'][number] }

/** An event that has just happened. Its objects have their present state. */
export type HistoryEvent = { at: number } & (
  | ({ is: 'begun' | 'billed' | 'failed' | 'voided' } & Pick<About, 'contract' | 'bill'>)
  | ({ is: 'paid' } & Pick<About, 'contract' | 'bill' | 'payment'>)
  | ({ is: 'changed' } & Pick<About, 'contract'> & { before: { plan: PlanName; cycle: Cycle } })
  | ({ is: 'never_began' | 'canceled' | 'resumed' | 'ended' } & Pick<About, 'contract'>)
  | ({ is: 'refunded' | 'refund_failed' } & Pick<About, 'contract' | 'payment' | 'refund'>)
  | ({ is: 'disputed' | 'decided' } & Pick<About, 'contract' | 'payment' | 'dispute'>)
  | { is: 'check' }
)

/** In what gateways differ. */
export interface Rules {
  /** Whether a subscription that will not be renewed can be renewed after all. */
  resumes: boolean
  /** Whether bills that are open when it is canceled are dropped. */
  dropsBills: boolean
  /** For how many days a bill can be paid late. */
  lateDays: number
  /** Whether it says how a payment was made. */
  namesMethod: boolean
}

export interface Simulation {
  now: number
  rules: Rules
  contracts: Contract[]
  paymentCount: number
  reversalCount: number
  agenda: { at: number; run: () => Iterable<HistoryEvent> }[]
}

export function newSimulation(rules: Rules): Simulation {
  return { now: START, rules, contracts: [], paymentCount: 0, reversalCount: 0, agenda: [] }
}

export function billsOf(simulation: Simulation): Bill[] {
  return simulation.contracts.flatMap(({ bills }) => bills)
}

export function paymentsOf(simulation: Simulation): Payment[] {
  return billsOf(simulation).flatMap(({ payment }) => payment ?? [])
}

export function addCycle(at: number, cycle: Cycle, times = 1): number {
  const date = new Date(at)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + times * (cycle === 'year' ? 12 : 1))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

export function later(simulation: Simulation, at: number, run: () => Iterable<HistoryEvent>): void {
  simulation.agenda.push({ at, run })
}

export function isPayable({ now, rules }: Simulation, { from }: Bill): boolean {
  return now <= from + rules.lateDays * DAY
}

export function pick<T>(list: readonly T[], of: number): T | undefined {
  return list[of % Math.max(list.length, 1)]
}

export function priceOf({ plan, cycle }: Pick<Contract, 'plan' | 'cycle'>): number {
  return PRICES[plan] * (cycle === 'year' ? 10 : 1)
}

/** The part of a payment that was not refunded. */
export function leftOf({ amount, refunds }: Payment): number {
  return refunds.reduce((left, refunded) => left - (refunded.failedAt === undefined ? refunded.amount : 0), amount)
}
