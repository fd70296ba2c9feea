import {
  type Bill,
  type Contract,
  DAY,
  leftOf,
  type Method,
  type Payment,
  type PlanName,
  PRICES,
  paymentsOf,
  type Simulation,
} from './simulation/simulation.ts'

/**
 * The definition: a buyer whose payments cover now has access now, to the plan of the payment that covers it; a buyer none of whose
 * payments covers now has none. Beside it stands one allowance: for some days after the end of what was paid, an ongoing subscription may
 * be served still.
 */
export interface Truth {
  access: 'has' | 'has_not' | 'either'
  /** Where access is had: to any of these. */
  plans: ReadonlySet<PlanName>
}

/** Decisions §6: card 3 days, boleto 5, recurring PIX 7. */
const GRACE: Record<Method, number> = { card: 3, boleto: 5, pix: 7 }

/** In ms. A method that the gateway does not name has the shortest. */
function graceOf({ rules }: Simulation, { method }: Pick<Contract, 'method'>): number {
  return GRACE[rules.namesMethod ? method : 'card'] * DAY
}

/** How far a gateway's words may be from the moment itself, in ms: seconds cut off, days instead of hours, clocks that are wrong. */
export interface Blur {
  early: number
  late: number
}

export function truthOf(simulation: Simulation, { early, late }: Blur): Truth {
  const { now } = simulation
  const payments = paymentsOf(simulation)
  const covers = payments.filter(
    (payment) => stands(payment) && isWithin(payment, now, spanOf(payment).to - early) && payment.bill.from <= now,
  )
  const spared = payments.filter((payment) => mustBeSpared(simulation, payment, early))
  const mayCover = payments.filter((payment) => stands(payment) && isWithin(payment, now, longestOf(payment) + late))
  const waived = waivedBills(simulation, late)
  const isSpared = waived.length > 0 || simulation.contracts.some((contract) => isInGrace(simulation, contract, payments, late))
  if (covers.length > 0) return { access: 'has', plans: new Set([...plansOf(covers, mayCover), ...waived.map(({ plan }) => plan)]) }
  if (spared.length > 0) return { access: 'has', plans: new Set([...spared, ...mayCover].map(({ bill }) => bill.plan)) }
  return { access: mayCover.length > 0 || isSpared ? 'either' : 'has_not', plans: new Set() }
}

/** Neither given back nor in dispute. An inquiry is a question of the bank's, and no dispute yet. */
export function stands(payment: Payment): boolean {
  if (payment.amount > 0 && leftOf(payment) <= 0) return false
  return payment.disputes.every(({ isInquiry, outcome, closedAt }) => isInquiry || (closedAt !== undefined && outcome === 'won'))
}

function isWithin({ at, bill }: Payment, now: number, to: number): boolean {
  return bill.why !== 'usage' && at <= now && now < to
}

/**
 * From when to when a payment pays. A change of plan that was paid takes the rest of the old plan's time; who ends a subscription at once
 * gives up the rest.
 */
function spanOf({ bill }: Payment): { to: number } {
  const change = bill.contract.bills.find(({ credits, payment }) => credits?.of === bill && payment !== undefined)
  const ends = [bill.to, bill.contract.endedAt ?? Number.POSITIVE_INFINITY, change?.payment?.at ?? Number.POSITIVE_INFINITY]
  return { to: Math.min(...ends) }
}

/** Where the change of plan was given back, it is not said whether the old plan's time is the buyer's again. */
function longestOf(payment: Payment): number {
  const { bill } = payment
  const change = bill.contract.bills.find(({ credits, payment: paid }) => credits?.of === bill && paid !== undefined)
  if (!change?.payment || stands(change.payment)) return spanOf(payment).to
  return Math.min(bill.to, bill.contract.endedAt ?? Number.POSITIVE_INFINITY)
}

/** The days of grace are owed to an ongoing subscription of which nothing was ever taken back. */
function mustBeSpared(simulation: Simulation, payment: Payment, early: number): boolean {
  const { contract } = payment.bill
  if (contract.kind === 'sale' || contract.state !== 'running' || contract.canceledAt !== undefined) return false
  const isPlain = contract.bills.every(
    ({ why, payment: made }) => why !== 'change' && (!made || (made.refunds.length === 0 && made.disputes.length === 0)),
  )
  return isPlain && isWithin(payment, simulation.now, payment.bill.to + graceOf(simulation, contract) - early)
}

function isInGrace(simulation: Simulation, contract: Contract, payments: readonly Payment[], late: number): boolean {
  if (contract.kind === 'sale' || contract.state !== 'running' || contract.canceledAt !== undefined) return false
  return payments.some((payment) => {
    if (payment.bill.contract !== contract || !stands(payment)) return false
    return isWithin(payment, simulation.now, longestOf(payment) + graceOf(simulation, contract) + late)
  })
}

/** A bill that the seller has waived: nothing was paid, and nothing is owed. */
/** Bills that the seller has waived: nothing was paid, and nothing is owed. */
function waivedBills(simulation: Simulation, late: number): Bill[] {
  const { contracts, now } = simulation
  return contracts.flatMap(({ canceledAt, endedAt, bills, method }) => {
    if (canceledAt !== undefined || (endedAt !== undefined && now > endedAt + late)) return []
    const isWaived = ({ state, why, from, to }: Bill) =>
      state === 'void' && (why === 'renewal' || why === 'change') && from - late <= now && now < to + late + graceOf(simulation, { method })
    return bills.filter(isWaived)
  })
}

function plansOf(covers: readonly Payment[], mayCover: readonly Payment[]): ReadonlySet<PlanName> {
  const contracts = [...new Set(covers.map(({ bill }) => bill.contract))]
  const newest = (contract: Contract) => {
    const own = mayCover.filter(({ bill }) => bill.contract === contract)
    const latest = Math.max(...own.filter((payment) => covers.includes(payment)).map(({ bill }) => bill.from))
    return own.filter(({ bill }) => bill.from >= latest).map(({ bill }) => bill.plan)
  }
  const ongoing = contracts.filter(({ state, canceledAt }) => state === 'running' && canceledAt === undefined)
  // Of a period that is just over, or just begins, a gateway's words may say more.
  const blurred = mayCover.filter(({ bill }) => !contracts.includes(bill.contract)).map(({ bill }) => bill.plan)
  const best = (ongoing.length === 0 ? contracts : ongoing).flatMap(newest)
  const owed = ongoing.filter(({ bills }) => bills.every((bill) => bill.state !== 'open')).flatMap(newest)
  if (owed.includes('unregistered')) return new Set([...best, ...blurred])
  // A subscription that owes an older bill may count as behind, or not.
  const least = Math.max(0, ...owed.map((plan) => PRICES[plan]))
  return new Set([...best.filter((plan) => plan === 'unregistered' || PRICES[plan] >= least), ...blurred])
}
