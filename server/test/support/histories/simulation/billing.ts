import {
  addCycle,
  type Bill,
  billsOf,
  type Contract,
  DAY,
  type HistoryEvent,
  HOUR,
  later,
  type Payment,
  priceOf,
  type Simulation,
} from './simulation.ts'

export function begin(
  simulation: Simulation,
  facts: Pick<Contract, 'kind' | 'plan' | 'cycle' | 'method' | 'addOn' | 'trialEnd' | 'period'>,
): Contract {
  const { trialEnd } = facts
  const contract: Contract = {
    ...facts,
    anchor: trialEnd ?? simulation.now,
    turns: trialEnd === undefined ? 1 : 0,
    n: simulation.contracts.length + 1,
    startedAt: simulation.now,
    state: 'begun',
    isGood: true,
    canceledAt: undefined,
    endedAt: undefined,
    ahead: undefined,
    prorations: [],
    bills: [],
  }
  simulation.contracts.push(contract)
  return contract
}

export function makeBill(
  simulation: Simulation,
  contract: Contract,
  {
    why,
    amount,
    credits,
    period = contract.period,
  }: Pick<Bill, 'why' | 'amount'> & Partial<Pick<Bill, 'credits'> & Pick<Contract, 'period'>>,
): Bill {
  const { plan, cycle } = contract
  const n = billsOf(simulation).length + 1
  const made: Bill = {
    ...{ n, contract, why, plan, cycle, amount, credits, ...period },
    ...{ madeAt: simulation.now, attempts: 0, state: 'open', prorations: contract.prorations, payment: undefined },
  }
  if (why === 'renewal') contract.prorations = []
  else made.prorations = []
  contract.bills.push(made)
  return made
}

export function* pay(simulation: Simulation, bill: Bill): Generator<HistoryEvent> {
  const { contract } = bill
  const at = simulation.now
  const payment: Payment = { n: ++simulation.paymentCount, bill, at, amount: bill.amount, refunds: [], disputes: [] }
  bill.payment = payment
  bill.state = 'paid'
  bill.attempts++
  const isFirst = contract.state === 'begun'
  if (isFirst) contract.state = 'running'
  if (contract.kind === 'sale') bill.from = at
  yield { is: 'paid', at, contract, bill, payment }
  // In the days of grace, and when they are over: what is wrong about an end shows there.
  for (const after of [40 * HOUR, 9 * DAY])
    if (bill.to < Number.POSITIVE_INFINITY) later(simulation, bill.to + after, () => lookAfter(simulation, bill))
  if (isFirst && contract.kind === 'subscription') later(simulation, contract.period.to, () => renew(simulation, contract))
}

function* lookAfter({ now }: Simulation, { contract, to }: Bill): Generator<HistoryEvent> {
  if (contract.bills.every((other) => other.state !== 'paid' || other.to <= to)) yield { is: 'check', at: now }
}

export function fail(simulation: Simulation, bill: Bill): HistoryEvent {
  bill.attempts++
  return { is: 'failed', at: simulation.now, contract: bill.contract, bill }
}

export function* neverBegan(contract: Contract, bill: Bill, at: number): Generator<HistoryEvent> {
  if (contract.state !== 'begun') return
  contract.state = 'over'
  bill.state = 'void'
  yield { is: 'never_began', at, contract }
}

/** A period was over when this was put down; it may have been moved meanwhile. */
export function* renew(simulation: Simulation, contract: Contract): Generator<HistoryEvent> {
  const at = simulation.now
  if (contract.state !== 'running' || at < contract.period.to) return
  const isPaidAhead = contract.ahead?.from === contract.period.to
  if (contract.canceledAt !== undefined && !isPaidAhead) return yield end(simulation, contract, at)
  contract.period = nextPeriod(contract)
  contract.turns++
  if (isPaidAhead) {
    contract.ahead = undefined
    return later(simulation, contract.period.to, () => renew(simulation, contract))
  }
  const bill = makeBill(simulation, contract, { why: 'renewal', amount: priceOf(contract) + 100 * contract.prorations.length })
  later(simulation, contract.period.to, () => renew(simulation, contract))
  yield { is: 'billed', at, contract, bill }
  const isCard = contract.method === 'card'
  later(simulation, at + (isCard ? HOUR : 30 * HOUR), function* () {
    if (bill.state !== 'open' || contract.state === 'over') return
    if (contract.isGood) yield* pay(simulation, bill)
    else yield fail(simulation, bill)
  })
}

export function dropBills({ rules }: Simulation, { bills }: Contract): void {
  if (rules.dropsBills) for (const bill of bills) if (bill.state === 'open') bill.state = 'void'
}

export function nextPeriod({ period, anchor, cycle, turns }: Contract): Contract['period'] {
  return { from: period.to, to: addCycle(anchor, cycle, turns + 1) }
}

/** Charges are made some weeks before they are due. */
export function isNear({ period }: Contract, at: number): boolean {
  return period.to - at < 30 * DAY
}

export function end(simulation: Simulation, contract: Contract, at: number): HistoryEvent {
  dropBills(simulation, contract)
  contract.state = 'over'
  contract.endedAt = at
  return { is: 'ended', at, contract }
}

export function* finalUsage(simulation: Simulation, contract: Contract): Generator<HistoryEvent> {
  const bill = makeBill(simulation, contract, { why: 'usage', amount: 700 })
  bill.to = contract.endedAt ?? bill.to
  yield { is: 'billed', at: simulation.now, contract, bill }
  yield* pay(simulation, bill)
}
