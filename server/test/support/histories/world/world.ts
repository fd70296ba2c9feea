/**
 * People who buy, pay, fall behind, change their minds and ask for their money back, in time, with no gateway in sight. A story is a list
 * of actions; what nobody has to do, as a month's renewal, happens by itself. An action that makes no sense when its turn comes is passed
 * over, so any list of actions is a story.
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
  | { action: 'resume' | 'void' | 'look'; of: number }
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
  /** Changes of the plan that the next bill settles. */
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
  /** What a change of plan takes back of the time of others. */
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

/** What has just happened. The things it is about are as they are now. */
export type StoryEvent = { at: number } & (
  | ({ is: 'begun' | 'billed' | 'failed' | 'voided' } & Pick<About, 'contract' | 'bill'>)
  | ({ is: 'paid' } & Pick<About, 'contract' | 'bill' | 'payment'>)
  | ({ is: 'changed' } & Pick<About, 'contract'> & { before: { plan: PlanName; cycle: Cycle } })
  | ({ is: 'never_began' | 'canceled' | 'resumed' | 'ended' } & Pick<About, 'contract'>)
  | ({ is: 'refunded' | 'refund_failed' } & Pick<About, 'contract' | 'payment' | 'refund'>)
  | ({ is: 'disputed' | 'decided' } & Pick<About, 'contract' | 'payment' | 'dispute'>)
  | { is: 'look' }
)

/** In what gateways differ. */
export interface Rules {
  /** Whether a subscription that will not be renewed can be renewed after all. */
  resumes: boolean
  /** Whether bills that are open when it is canceled are dropped. */
  dropsBills: boolean
  /** For how many days a bill can be paid late. */
  lateDays: number
  /** Whether it tells how a payment was made. */
  tellsMethod: boolean
}

export interface World {
  now: number
  rules: Rules
  contracts: Contract[]
  paymentCount: number
  reversalCount: number
  agenda: { at: number; run: () => Iterable<StoryEvent> }[]
}

export function emptyWorld(rules: Rules): World {
  return { now: START, rules, contracts: [], paymentCount: 0, reversalCount: 0, agenda: [] }
}

/** Lives the story: everything that happens, in order. At the end there are looks for two months more. */
export function* live(world: World, steps: readonly Step[]): Generator<StoryEvent> {
  for (const { after, does } of steps) {
    yield* waitUntil(world, world.now + after * HOUR)
    yield* act(world, does)
  }
  for (const hours of [5, 13 * 24 + 1, 29 * 24 + 7, 20 * 24 + 3]) {
    yield* waitUntil(world, world.now + hours * HOUR)
    yield { is: 'look', at: world.now }
  }
}

export function billsOf(world: World): Bill[] {
  return world.contracts.flatMap(({ bills }) => bills)
}

export function paymentsOf(world: World): Payment[] {
  return billsOf(world).flatMap(({ payment }) => payment ?? [])
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

function* waitUntil(world: World, until: number): Generator<StoryEvent> {
  for (;;) {
    const due = world.agenda.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
    if (!due) break
    world.agenda.splice(world.agenda.indexOf(due), 1)
    world.now = Math.max(world.now, due.at)
    yield* due.run()
  }
  world.now = until
}

function later(world: World, at: number, run: () => Iterable<StoryEvent>): void {
  world.agenda.push({ at, run })
}

function isPayable({ now, rules }: World, { from }: Bill): boolean {
  return now <= from + rules.lateDays * DAY
}

function pick<T>(list: readonly T[], of: number): T | undefined {
  return list[of % Math.max(list.length, 1)]
}

function* act(world: World, does: Action): Generator<StoryEvent> {
  const at = world.now
  const subscriptions = world.contracts.filter(({ kind, state }) => kind === 'subscription' && state === 'running')
  switch (does.action) {
    case 'look':
      return yield { is: 'look', at }
    case 'subscribe':
      return yield* subscribe(world, does)
    case 'buy':
      return yield* buy(world, does)
    case 'break_card': {
      const contract = pick(
        subscriptions.filter(({ isGood }) => isGood),
        does.of,
      )
      if (!contract) return
      contract.isGood = false
      later(world, at + does.days * DAY, () => {
        contract.isGood = true
        const open = contract.bills.find(({ state, attempts }) => state === 'open' && attempts > 0)
        return does.pays && open && isPayable(world, open) ? pay(world, open) : []
      })
      return
    }
    case 'pay_open': {
      const open = billsOf(world).filter(
        ({ state, attempts, madeAt, why }) => state === 'open' && (attempts > 0 || at > madeAt + 12 * HOUR || why === 'sale'),
      )
      const bill = pick(open, does.of)
      if (!bill || !isPayable(world, bill)) return
      if (bill.contract.state !== 'over' || bill.contract.kind === 'subscription') yield* pay(world, bill)
      return
    }
    case 'pay_ahead': {
      const able = subscriptions.filter(
        (each) => each.canceledAt === undefined && !each.ahead && at > each.startedAt + HOUR && isNear(each, at),
      )
      const contract = pick(able, does.of)
      if (!contract) return
      const period = nextPeriod(contract)
      const bill = makeBill(world, contract, { why: 'renewal', amount: priceOf(contract), period })
      contract.ahead = bill
      yield { is: 'billed', at, contract, bill }
      return yield* pay(world, bill)
    }
    case 'void': {
      const open = billsOf(world).filter(
        ({ state, why, attempts }) => state === 'open' && attempts > 0 && (why === 'renewal' || why === 'change'),
      )
      const bill = pick(open, does.of)
      if (bill) {
        bill.state = 'void'
        yield { is: 'voided', at, contract: bill.contract, bill }
      }
      return
    }
    case 'change_plan':
      return yield* changePlan(world, does, subscriptions)
    case 'cancel': {
      const contract = pick(
        subscriptions.filter(({ canceledAt }) => canceledAt === undefined),
        does.of,
      )
      if (!contract) return
      contract.canceledAt = at
      dropBills(world, contract)
      yield { is: 'canceled', at, contract }
      return
    }
    case 'resume': {
      const contract = pick(
        subscriptions.filter(({ canceledAt }) => canceledAt !== undefined),
        does.of,
      )
      if (contract && world.rules.resumes) {
        contract.canceledAt = undefined
        yield { is: 'resumed', at, contract }
      }
      return
    }
    case 'cancel_now': {
      const contract = pick(subscriptions, does.of)
      if (contract) {
        yield end(world, contract, at)
        if (does.usage && contract.isGood) later(world, at + HOUR, () => finalUsage(world, contract))
      }
      return
    }
    case 'refund':
      return yield* refund(world, does)
    case 'dispute': {
      const payment = pick(
        paymentsOf(world).filter(
          (each) => each.amount > 0 && each.refunds.length === 0 && each.disputes.length === 0 && each.bill.contract.method === 'card',
        ),
        does.of,
      )
      if (payment) {
        const dispute = { n: ++world.reversalCount, at, isInquiry: does.isInquiry, closedAt: undefined, outcome: undefined }
        payment.disputes.push(dispute)
        yield { is: 'disputed', at, contract: payment.bill.contract, payment, dispute }
      }
      return
    }
    case 'decide': {
      const open = paymentsOf(world).flatMap((payment) =>
        payment.disputes.filter(({ closedAt }) => closedAt === undefined).map((dispute) => ({ payment, dispute })),
      )
      const found = pick(open, does.of)
      if (found) {
        const { payment, dispute } = found
        Object.assign(dispute, { closedAt: at, outcome: dispute.isInquiry ? 'won' : does.outcome })
        yield { is: 'decided', at, contract: payment.bill.contract, payment, dispute }
      }
    }
  }
}

function* subscribe(
  world: World,
  { plan, cycle, method, trialDays, addOn, pays }: Action & { action: 'subscribe' },
): Generator<StoryEvent> {
  const at = world.now
  const trialEnd = trialDays > 0 ? at + trialDays * DAY : undefined
  const period = { from: at, to: trialEnd ?? addCycle(at, cycle) }
  const contract = begin(world, { kind: 'subscription', plan, cycle, method, addOn, trialEnd, period })
  const bill = makeBill(world, contract, { why: trialEnd ? 'trial' : 'first', amount: trialEnd ? 0 : priceOf(contract) })
  yield { is: 'begun', at, contract, bill }
  if (trialEnd || (pays && method === 'card')) return yield* pay(world, bill)
  if (pays) later(world, at + 20 * HOUR, () => (bill.state === 'open' ? pay(world, bill) : []))
  else if (method === 'card') yield fail(world, bill)
  later(world, at + (method === 'card' ? 23 : 10 * 24) * HOUR, () => neverBegan(contract, bill, world.now))
}

function* buy(world: World, { plan, method, pays }: Action & { action: 'buy' }): Generator<StoryEvent> {
  const at = world.now
  const period = { from: at, to: Number.POSITIVE_INFINITY }
  const contract = begin(world, { kind: 'sale', plan, cycle: 'month', method, addOn: false, trialEnd: undefined, period })
  const bill = makeBill(world, contract, { why: 'sale', amount: priceOf(contract) })
  yield { is: 'begun', at, contract, bill }
  if (pays && method === 'card') return yield* pay(world, bill)
  if (pays) later(world, at + 20 * HOUR, () => (bill.state === 'open' ? pay(world, bill) : []))
  later(world, at + 4 * DAY, () => neverBegan(contract, bill, world.now))
}

function begin(world: World, facts: Pick<Contract, 'kind' | 'plan' | 'cycle' | 'method' | 'addOn' | 'trialEnd' | 'period'>): Contract {
  const { trialEnd } = facts
  const contract: Contract = {
    ...facts,
    anchor: trialEnd ?? world.now,
    turns: trialEnd === undefined ? 1 : 0,
    n: world.contracts.length + 1,
    startedAt: world.now,
    state: 'begun',
    isGood: true,
    canceledAt: undefined,
    endedAt: undefined,
    ahead: undefined,
    prorations: [],
    bills: [],
  }
  world.contracts.push(contract)
  return contract
}

export function priceOf({ plan, cycle }: Pick<Contract, 'plan' | 'cycle'>): number {
  return PRICES[plan] * (cycle === 'year' ? 10 : 1)
}

function makeBill(
  world: World,
  contract: Contract,
  {
    why,
    amount,
    credits,
    period = contract.period,
  }: Pick<Bill, 'why' | 'amount'> & Partial<Pick<Bill, 'credits'> & Pick<Contract, 'period'>>,
): Bill {
  const { plan, cycle } = contract
  const n = billsOf(world).length + 1
  const made: Bill = {
    ...{ n, contract, why, plan, cycle, amount, credits, ...period },
    ...{ madeAt: world.now, attempts: 0, state: 'open', prorations: contract.prorations, payment: undefined },
  }
  if (why === 'renewal') contract.prorations = []
  else made.prorations = []
  contract.bills.push(made)
  return made
}

function* pay(world: World, bill: Bill): Generator<StoryEvent> {
  const { contract } = bill
  const at = world.now
  const payment: Payment = { n: ++world.paymentCount, bill, at, amount: bill.amount, refunds: [], disputes: [] }
  bill.payment = payment
  bill.state = 'paid'
  bill.attempts++
  const isFirst = contract.state === 'begun'
  if (isFirst) contract.state = 'running'
  if (contract.kind === 'sale') bill.from = at
  yield { is: 'paid', at, contract, bill, payment }
  // In the days of grace, and when they are over: what is wrong about an end shows there.
  for (const after of [40 * HOUR, 9 * DAY])
    if (bill.to < Number.POSITIVE_INFINITY) later(world, bill.to + after, () => lookAfter(world, bill))
  if (isFirst && contract.kind === 'subscription') later(world, contract.period.to, () => renew(world, contract))
}

function* lookAfter({ now }: World, { contract, to }: Bill): Generator<StoryEvent> {
  if (contract.bills.every((other) => other.state !== 'paid' || other.to <= to)) yield { is: 'look', at: now }
}

function fail(world: World, bill: Bill): StoryEvent {
  bill.attempts++
  return { is: 'failed', at: world.now, contract: bill.contract, bill }
}

function* neverBegan(contract: Contract, bill: Bill, at: number): Generator<StoryEvent> {
  if (contract.state !== 'begun') return
  contract.state = 'over'
  bill.state = 'void'
  yield { is: 'never_began', at, contract }
}

/** A period was over when this was put down; it may have been moved meanwhile. */
function* renew(world: World, contract: Contract): Generator<StoryEvent> {
  const at = world.now
  if (contract.state !== 'running' || at < contract.period.to) return
  const isPaidAhead = contract.ahead?.from === contract.period.to
  if (contract.canceledAt !== undefined && !isPaidAhead) return yield end(world, contract, at)
  contract.period = nextPeriod(contract)
  contract.turns++
  if (isPaidAhead) {
    contract.ahead = undefined
    return later(world, contract.period.to, () => renew(world, contract))
  }
  const bill = makeBill(world, contract, { why: 'renewal', amount: priceOf(contract) + 100 * contract.prorations.length })
  later(world, contract.period.to, () => renew(world, contract))
  yield { is: 'billed', at, contract, bill }
  const isCard = contract.method === 'card'
  later(world, at + (isCard ? HOUR : 30 * HOUR), function* () {
    if (bill.state !== 'open' || contract.state === 'over') return
    if (contract.isGood) yield* pay(world, bill)
    else yield fail(world, bill)
  })
}

function dropBills({ rules }: World, { bills }: Contract): void {
  if (rules.dropsBills) for (const bill of bills) if (bill.state === 'open') bill.state = 'void'
}

function nextPeriod({ period, anchor, cycle, turns }: Contract): Contract['period'] {
  return { from: period.to, to: addCycle(anchor, cycle, turns + 1) }
}

/** Charges are made some weeks before they are due. */
function isNear({ period }: Contract, at: number): boolean {
  return period.to - at < 30 * DAY
}

function end(world: World, contract: Contract, at: number): StoryEvent {
  dropBills(world, contract)
  contract.state = 'over'
  contract.endedAt = at
  return { is: 'ended', at, contract }
}

function* finalUsage(world: World, contract: Contract): Generator<StoryEvent> {
  const bill = makeBill(world, contract, { why: 'usage', amount: 700 })
  bill.to = contract.endedAt ?? bill.to
  yield { is: 'billed', at: world.now, contract, bill }
  yield* pay(world, bill)
}

function* changePlan(
  world: World,
  { of, plan, cycle, bills }: Action & { action: 'change_plan' },
  subscriptions: readonly Contract[],
): Generator<StoryEvent> {
  const at = world.now
  const able = subscriptions.filter(
    (each) => each.canceledAt === undefined && each.bills.every(({ state }) => state !== 'open') && at > each.startedAt,
  )
  const contract = pick(able, of)
  const paid = contract?.bills.findLast(({ state, from, to, why }) => state === 'paid' && from <= at && at < to && why !== 'usage')
  if (!contract || !paid || paid.why === 'trial') return
  const isOtherCycle = contract.cycle !== cycle
  if ((plan === contract.plan && !isOtherCycle) || (isOtherCycle && bills !== 'now')) return
  const before = { plan: contract.plan, cycle: contract.cycle }
  Object.assign(contract, { plan, cycle })
  if (bills === 'next_time') contract.prorations.push({ plan, from: at, to: contract.period.to })
  if (bills === 'now') contract.period = { from: at, to: isOtherCycle ? addCycle(at, cycle) : contract.period.to }
  yield { is: 'changed', at, contract, before }
  if (bills !== 'now') return
  if (isOtherCycle) Object.assign(contract, { anchor: at, turns: 1 })
  if (isOtherCycle) later(world, contract.period.to, () => renew(world, contract))
  const rest = (end: number, whole: number) => (end - at) / whole
  const credit = Math.round(priceOf(before) * rest(paid.to, addCycle(paid.from, before.cycle) - paid.from))
  const charge = Math.round(
    priceOf(contract) * (isOtherCycle ? 1 : rest(contract.period.to, contract.period.to - addCycle(contract.period.to, cycle, -1))),
  )
  const bill = makeBill(world, contract, {
    why: 'change',
    amount: Math.max(0, charge - credit),
    credits: { ...before, amount: credit, of: paid },
  })
  yield { is: 'billed', at, contract, bill }
  if (contract.isGood || bill.amount === 0) yield* pay(world, bill)
  else yield fail(world, bill)
}

function* refund(world: World, { of, share, fails }: Action & { action: 'refund' }): Generator<StoryEvent> {
  const at = world.now
  const able = paymentsOf(world).filter((each) => each.amount > 0 && each.disputes.length === 0 && leftOf(each) > 0)
  const payment = pick(able, of)
  if (!payment) return
  const left = leftOf(payment)
  const refunded = {
    n: ++world.reversalCount,
    at,
    amount: share === 'all' ? left : Math.ceil(left / 3),
    failedAt: undefined as number | undefined,
  }
  payment.refunds.push(refunded)
  const { contract } = payment.bill
  yield { is: 'refunded', at, contract, payment, refund: refunded }
  later(world, at + HOUR, () => [{ is: 'look', at: world.now }])
  if (!fails) return
  later(world, at + 2 * DAY, function* () {
    refunded.failedAt = world.now
    yield { is: 'refund_failed', at: world.now, contract, payment, refund: refunded }
  })
}

/** What of a payment was not given back. */
export function leftOf({ amount, refunds }: Payment): number {
  return refunds.reduce((left, refunded) => left - (refunded.failedAt === undefined ? refunded.amount : 0), amount)
}
