import { type Bill, type Contract, DAY, type Happening, type Payment, START } from './world.ts'

/** One line of a story as a person would tell it. */
export function tellStory(happening: Happening): string {
  return `day ${dayOf(happening.at)}: ${words(happening)}`
}

function words(happening: Happening): string {
  const whose = happening.is === 'look' ? '' : `${happening.contract.kind} ${happening.contract.n}`
  switch (happening.is) {
    case 'look':
      return 'a look'
    case 'begun':
      return begun(whose, happening.contract, happening.bill)
    case 'billed':
      return `${whose} is billed: ${billed(happening.bill)}`
    case 'paid':
      return `${whose}: ${billed(happening.bill)} is paid`
    case 'failed':
      return `${whose}: the payment of ${billed(happening.bill)} fails`
    case 'voided':
      return `${whose}: bill ${happening.bill.n} is voided`
    case 'changed':
      return `${whose} changes from ${happening.before.plan} by the ${happening.before.cycle} to ${happening.contract.plan} by the ${happening.contract.cycle}`
    case 'canceled':
      return `${whose} will not be renewed`
    case 'resumed':
      return `${whose} will be renewed after all`
    case 'ended':
      return `${whose} ends`
    case 'never_began':
      return `${whose} was never paid and lapses`
    case 'refunded':
      return `${whose}: ${happening.refund.amount} of ${paid(happening.payment)} are given back`
    case 'refund_failed':
      return `${whose}: the refund of ${paid(happening.payment)} fails`
    case 'disputed':
      return `${whose}: ${paid(happening.payment)} is disputed${happening.dispute.isInquiry ? ', an inquiry' : ''}`
    case 'decided':
      return `${whose}: the dispute of ${paid(happening.payment)} is ${happening.dispute.outcome}`
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
