import { type Bill, type Contract, DAY, type HistoryEvent, type Payment, START } from './simulation/simulation.ts'

/** One line that describes an event, for the report of a failure. */
export function describeEvent(historyEvent: HistoryEvent): string {
  return `day ${dayOf(historyEvent.at)}: ${describe(historyEvent)}`
}

function describe(historyEvent: HistoryEvent): string {
  const whose = historyEvent.is === 'check' ? '' : `${historyEvent.contract.kind} ${historyEvent.contract.n}`
  switch (historyEvent.is) {
    case 'check':
      return 'a check'
    case 'begun':
      return begun(whose, historyEvent.contract, historyEvent.bill)
    case 'billed':
      return `${whose} is billed: ${billed(historyEvent.bill)}`
    case 'paid':
      return `${whose}: ${billed(historyEvent.bill)} is paid`
    case 'failed':
      return `${whose}: the payment of ${billed(historyEvent.bill)} fails`
    case 'voided':
      return `${whose}: bill ${historyEvent.bill.n} is voided`
    case 'changed':
      return `${whose} changes from ${historyEvent.before.plan} by the ${historyEvent.before.cycle} to ${historyEvent.contract.plan} by the ${historyEvent.contract.cycle}`
    case 'canceled':
      return `${whose} will not be renewed`
    case 'resumed':
      return `${whose} will be renewed after all`
    case 'ended':
      return `${whose} ends`
    case 'never_began':
      return `${whose} was never paid and lapses`
    case 'refunded':
      return `${whose}: ${historyEvent.refund.amount} of ${paid(historyEvent.payment)} are given back`
    case 'refund_failed':
      return `${whose}: the refund of ${paid(historyEvent.payment)} fails`
    case 'disputed':
      return `${whose}: ${paid(historyEvent.payment)} is disputed${historyEvent.dispute.isInquiry ? ', an inquiry' : ''}`
    case 'decided':
      return `${whose}: the dispute of ${paid(historyEvent.payment)} is ${historyEvent.dispute.outcome}`
  }
}

function begun(whose: string, { plan, kind, cycle, method, addOn }: Contract, bill: Bill): string {
  const often = kind === 'sale' ? '' : ` by the ${cycle}`
  return `${whose} of ${plan}${often}, by ${method}, begins${addOn ? ', with a yearly add-on' : ''}: ${billed(bill)}`
}

function billed({ n, why, plan, from, to, amount }: Bill): string {
  return `bill ${n}, ${why}, ${plan}, ${amount}, day ${dayOf(from)} to ${to === Number.POSITIVE_INFINITY ? 'ever' : dayOf(to)}`
}

function paid({ bill, amount }: Payment): string {
  return `the ${amount} paid for bill ${bill.n}`
}

export function dayOf(at: number): string {
  return ((at - START) / DAY).toFixed(2)
}
