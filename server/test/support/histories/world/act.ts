import { begin, dropBills, end, fail, finalUsage, isNear, makeBill, neverBegan, nextPeriod, pay, renew } from './billing.ts'
import {
  type Action,
  addCycle,
  billsOf,
  type Contract,
  DAY,
  HOUR,
  isPayable,
  later,
  leftOf,
  paymentsOf,
  pick,
  priceOf,
  type StoryEvent,
  type World,
} from './world.ts'

export function* act(world: World, does: Action): Generator<StoryEvent> {
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
