import {
  addCycle,
  type Bill,
  billsOf,
  type Contract,
  DAY,
  HOUR,
  later,
  type Payment,
  priceOf,
  type StoryEvent,
  type World,
} from './world.ts'

export function begin(
  world: World,
  facts: Pick<Contract, 'kind' | 'plan' | 'cycle' | 'method' | 'addOn' | 'trialEnd' | 'period'>,
): Contract {
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

export function makeBill(
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

export function* pay(world: World, bill: Bill): Generator<StoryEvent> {
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

export function fail(world: World, bill: Bill): StoryEvent {
  bill.attempts++
  return { is: 'failed', at: world.now, contract: bill.contract, bill }
}

export function* neverBegan(contract: Contract, bill: Bill, at: number): Generator<StoryEvent> {
  if (contract.state !== 'begun') return
  contract.state = 'over'
  bill.state = 'void'
  yield { is: 'never_began', at, contract }
}

/** A period was over when this was put down; it may have been moved meanwhile. */
export function* renew(world: World, contract: Contract): Generator<StoryEvent> {
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

export function dropBills({ rules }: World, { bills }: Contract): void {
  if (rules.dropsBills) for (const bill of bills) if (bill.state === 'open') bill.state = 'void'
}

export function nextPeriod({ period, anchor, cycle, turns }: Contract): Contract['period'] {
  return { from: period.to, to: addCycle(anchor, cycle, turns + 1) }
}

/** Charges are made some weeks before they are due. */
export function isNear({ period }: Contract, at: number): boolean {
  return period.to - at < 30 * DAY
}

export function end(world: World, contract: Contract, at: number): StoryEvent {
  dropBills(world, contract)
  contract.state = 'over'
  contract.endedAt = at
  return { is: 'ended', at, contract }
}

export function* finalUsage(world: World, contract: Contract): Generator<StoryEvent> {
  const bill = makeBill(world, contract, { why: 'usage', amount: 700 })
  bill.to = contract.endedAt ?? bill.to
  yield { is: 'billed', at: world.now, contract, bill }
  yield* pay(world, bill)
}
