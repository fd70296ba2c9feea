import { begin, dropBills, end, fail, finalUsage, isNear, makeBill, neverBegan, nextPeriod, pay, renew } from './billing.ts'
import {
  type Action,
  addCycle,
  billsOf,
  type Contract,
  DAY,
  type HistoryEvent,
  HOUR,
  isPayable,
  later,
  leftOf,
  paymentsOf,
  pick,
  priceOf,
  type Simulation,
} from './simulation.ts'

export function* applyAction(simulation: Simulation, does: Action): Generator<HistoryEvent> {
  const at = simulation.now
  const subscriptions = simulation.contracts.filter(({ kind, state }) => kind === 'subscription' && state === 'running')
  switch (does.action) {
    case 'check':
      return yield { is: 'check', at }
    case 'subscribe':
      return yield* subscribe(simulation, does)
    case 'buy':
      return yield* buy(simulation, does)
    case 'break_card': {
      const contract = pick(
        subscriptions.filter(({ isGood }) => isGood),
        does.of,
      )
      if (!contract) return
      contract.isGood = false
      later(simulation, at + does.days * DAY, () => {
        contract.isGood = true
        const open = contract.bills.find(({ state, attempts }) => state === 'open' && attempts > 0)
        return does.pays && open && isPayable(simulation, open) ? pay(simulation, open) : []
      })
      return
    }
    case 'pay_open': {
      const open = billsOf(simulation).filter(
        ({ state, attempts, madeAt, why }) => state === 'open' && (attempts > 0 || at > madeAt + 12 * HOUR || why === 'sale'),
      )
      const bill = pick(open, does.of)
      if (!bill || !isPayable(simulation, bill)) return
      if (bill.contract.state !== 'over' || bill.contract.kind === 'subscription') yield* pay(simulation, bill)
      return
    }
    case 'pay_ahead': {
      const able = subscriptions.filter(
        (each) => each.canceledAt === undefined && !each.ahead && at > each.startedAt + HOUR && isNear(each, at),
      )
      const contract = pick(able, does.of)
      if (!contract) return
      const period = nextPeriod(contract)
      const bill = makeBill(simulation, contract, { why: 'renewal', amount: priceOf(contract), period })
      contract.ahead = bill
      yield { is: 'billed', at, contract, bill }
      return yield* pay(simulation, bill)
    }
    case 'void': {
      const open = billsOf(simulation).filter(
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
      return yield* changePlan(simulation, does, subscriptions)
    case 'cancel': {
      const contract = pick(
        subscriptions.filter(({ canceledAt }) => canceledAt === undefined),
        does.of,
      )
      if (!contract) return
      contract.canceledAt = at
      dropBills(simulation, contract)
      yield { is: 'canceled', at, contract }
      return
    }
    case 'resume': {
      const contract = pick(
        subscriptions.filter(({ canceledAt }) => canceledAt !== undefined),
        does.of,
      )
      if (contract && simulation.rules.resumes) {
        contract.canceledAt = undefined
        yield { is: 'resumed', at, contract }
      }
      return
    }
    case 'cancel_now': {
      const contract = pick(subscriptions, does.of)
      if (contract) {
        yield end(simulation, contract, at)
        if (does.usage && contract.isGood) later(simulation, at + HOUR, () => finalUsage(simulation, contract))
      }
      return
    }
    case 'refund':
      return yield* refund(simulation, does)
    case 'dispute': {
      const payment = pick(
        paymentsOf(simulation).filter(
          (each) => each.amount > 0 && each.refunds.length === 0 && each.disputes.length === 0 && each.bill.contract.method === 'card',
        ),
        does.of,
      )
      if (payment) {
        const dispute = { n: ++simulation.reversalCount, at, isInquiry: does.isInquiry, closedAt: undefined, outcome: undefined }
        payment.disputes.push(dispute)
        yield { is: 'disputed', at, contract: payment.bill.contract, payment, dispute }
      }
      return
    }
    case 'decide': {
      const open = paymentsOf(simulation).flatMap((payment) =>
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
  simulation: Simulation,
  { plan, cycle, method, trialDays, addOn, pays }: Action & { action: 'subscribe' },
): Generator<HistoryEvent> {
  const at = simulation.now
  const trialEnd = trialDays > 0 ? at + trialDays * DAY : undefined
  const period = { from: at, to: trialEnd ?? addCycle(at, cycle) }
  const contract = begin(simulation, { kind: 'subscription', plan, cycle, method, addOn, trialEnd, period })
  const bill = makeBill(simulation, contract, { why: trialEnd ? 'trial' : 'first', amount: trialEnd ? 0 : priceOf(contract) })
  yield { is: 'begun', at, contract, bill }
  if (trialEnd || (pays && method === 'card')) return yield* pay(simulation, bill)
  if (pays) later(simulation, at + 20 * HOUR, () => (bill.state === 'open' ? pay(simulation, bill) : []))
  else if (method === 'card') yield fail(simulation, bill)
  later(simulation, at + (method === 'card' ? 23 : 10 * 24) * HOUR, () => neverBegan(contract, bill, simulation.now))
}

function* buy(simulation: Simulation, { plan, method, pays }: Action & { action: 'buy' }): Generator<HistoryEvent> {
  const at = simulation.now
  const period = { from: at, to: Number.POSITIVE_INFINITY }
  const contract = begin(simulation, { kind: 'sale', plan, cycle: 'month', method, addOn: false, trialEnd: undefined, period })
  const bill = makeBill(simulation, contract, { why: 'sale', amount: priceOf(contract) })
  yield { is: 'begun', at, contract, bill }
  if (pays && method === 'card') return yield* pay(simulation, bill)
  if (pays) later(simulation, at + 20 * HOUR, () => (bill.state === 'open' ? pay(simulation, bill) : []))
  later(simulation, at + 4 * DAY, () => neverBegan(contract, bill, simulation.now))
}

function* changePlan(
  simulation: Simulation,
  { of, plan, cycle, bills }: Action & { action: 'change_plan' },
  subscriptions: readonly Contract[],
): Generator<HistoryEvent> {
  const at = simulation.now
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
  if (isOtherCycle) later(simulation, contract.period.to, () => renew(simulation, contract))
  const rest = (end: number, whole: number) => (end - at) / whole
  const credit = Math.round(priceOf(before) * rest(paid.to, addCycle(paid.from, before.cycle) - paid.from))
  const charge = Math.round(
    priceOf(contract) * (isOtherCycle ? 1 : rest(contract.period.to, contract.period.to - addCycle(contract.period.to, cycle, -1))),
  )
  const bill = makeBill(simulation, contract, {
    why: 'change',
    amount: Math.max(0, charge - credit),
    credits: { ...before, amount: credit, of: paid },
  })
  yield { is: 'billed', at, contract, bill }
  if (contract.isGood || bill.amount === 0) yield* pay(simulation, bill)
  else yield fail(simulation, bill)
}

function* refund(simulation: Simulation, { of, share, fails }: Action & { action: 'refund' }): Generator<HistoryEvent> {
  const at = simulation.now
  const able = paymentsOf(simulation).filter((each) => each.amount > 0 && each.disputes.length === 0 && leftOf(each) > 0)
  const payment = pick(able, of)
  if (!payment) return
  const left = leftOf(payment)
  const refunded = {
    n: ++simulation.reversalCount,
    at,
    amount: share === 'all' ? left : Math.ceil(left / 3),
    failedAt: undefined as number | undefined,
  }
  payment.refunds.push(refunded)
  const { contract } = payment.bill
  yield { is: 'refunded', at, contract, payment, refund: refunded }
  later(simulation, at + HOUR, () => [{ is: 'check', at: simulation.now }])
  if (!fails) return
  later(simulation, at + 2 * DAY, function* () {
    refunded.failedAt = simulation.now
    yield { is: 'refund_failed', at: simulation.now, contract, payment, refund: refunded }
  })
}
