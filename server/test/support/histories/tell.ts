import { type Bill, type Contract, DAY, type Payment, START, type StoryEvent } from './world/world.ts'

/** One line of a story as a person would tell it. */
export function tellStory(storyEvent: StoryEvent): string {
  return `day ${dayOf(storyEvent.at)}: ${describe(storyEvent)}`
}

function describe(storyEvent: StoryEvent): string {
  const whose = storyEvent.is === 'look' ? '' : `${storyEvent.contract.kind} ${storyEvent.contract.n}`
  switch (storyEvent.is) {
    case 'look':
      return 'a look'
    case 'begun':
      return begun(whose, storyEvent.contract, storyEvent.bill)
    case 'billed':
      return `${whose} is billed: ${billed(storyEvent.bill)}`
    case 'paid':
      return `${whose}: ${billed(storyEvent.bill)} is paid`
    case 'failed':
      return `${whose}: the payment of ${billed(storyEvent.bill)} fails`
    case 'voided':
      return `${whose}: bill ${storyEvent.bill.n} is voided`
    case 'changed':
      return `${whose} changes from ${storyEvent.before.plan} by the ${storyEvent.before.cycle} to ${storyEvent.contract.plan} by the ${storyEvent.contract.cycle}`
    case 'canceled':
      return `${whose} will not be renewed`
    case 'resumed':
      return `${whose} will be renewed after all`
    case 'ended':
      return `${whose} ends`
    case 'never_began':
      return `${whose} was never paid and lapses`
    case 'refunded':
      return `${whose}: ${storyEvent.refund.amount} of ${paid(storyEvent.payment)} are given back`
    case 'refund_failed':
      return `${whose}: the refund of ${paid(storyEvent.payment)} fails`
    case 'disputed':
      return `${whose}: ${paid(storyEvent.payment)} is disputed${storyEvent.dispute.isInquiry ? ', an inquiry' : ''}`
    case 'decided':
      return `${whose}: the dispute of ${paid(storyEvent.payment)} is ${storyEvent.dispute.outcome}`
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
