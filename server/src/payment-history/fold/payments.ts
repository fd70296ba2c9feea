import type { PaymentEvent } from '../events/payment-event.ts'
import type { Facts } from './payment-facts.ts'

/** One payment of a stream: its period, and what became of its money. Times in ms. */
export interface Payment extends Facts {
  id: string | undefined
  /** The place among the payments of a stream, in the order in which they were made; `undefined` until it is made. */
  number: number | undefined
  madeAt: number
  begin: number
  /** `Infinity` where nobody stated an end. */
  end: number
  refunds: Refund[]
  /** What the own checkout says to be parts. They end nothing by themselves. */
  parts: Refund[]
  /** The time when it was lost in a dispute, disputed, or known to be noted by mistake. */
  lostAt: number | undefined
  disputedAt: number | undefined
  undoneAt: number | undefined
}

type Refund = Pick<PaymentEvent, 'at' | 'amount' | 'foreign'>

/** A payment of which only the name is known yet. */
export function newPayment(id: string | undefined, facts: Facts | undefined): Payment {
  const still = { number: undefined, madeAt: 0, begin: 0, end: 0, lostAt: undefined, disputedAt: undefined, undoneAt: undefined }
  return { ...still, ...facts, id, refunds: [], parts: [] }
}

/** Notes what became of a payment's money. */
export function reverse(payment: Payment, { kind, at, amount, foreign, isOwn }: PaymentEvent): void {
  if (kind === 'refunded') payment.refunds.push({ at, amount, foreign })
  // A gateway says with each refund what it has given back so far, so its last one says all.
  else if (kind === 'partially_refunded' && isOwn) payment.parts.push({ at, amount, foreign })
  else if (kind === 'refund_failed') payment.refunds = withoutFailed(payment.refunds, { at, amount, foreign })
  else if (kind === 'dispute_lost') payment.lostAt ??= at
  else if (kind === 'disputed') payment.disputedAt ??= at
  else if (kind === 'dispute_won')
    Object.assign(payment, { disputedAt: undefined, lostAt: undefined }) // on appeal, even after it was lost
  else if (kind === 'payment_undone' && payment.number !== undefined) payment.undoneAt ??= at
}

/** A refund that failed is one of several where another one has just its amount, as of two charges of one bill. Else it is of all. */
function withoutFailed(refunds: Refund[], { amount, foreign }: Refund): Refund[] {
  const one = refunds.findIndex((refund) =>
    amount === undefined ? foreign && statedIn(foreign, refund) === foreign.amount : refund.amount === amount,
  )
  return one === -1 ? [] : refunds.toSpliced(one, 1)
}

/** Whether a payment was given back in full, for good. */
export function isGivenBack(payment: Payment): boolean {
  return payment.lostAt !== undefined || refundsInFull(payment).length > 0
}

/**
 * The refunds by which a payment was given back in full, none where it was not: any without an amount, or those that come to what was paid,
 * with the parts of the own checkout where it takes them. A part that states the whole amount states that of the payment.
 */
function refundsInFull({ refunds, parts, amount, foreign }: Payment): Refund[] {
  const paid = amount ?? foreign?.amount
  const stated = (refund: Refund) => (amount !== undefined ? refund.amount : statedIn(foreign, refund))
  const sum = (all: Refund[]) => all.reduce((total, refund) => total + (stated(refund) ?? 0), 0)
  if (paid === undefined || !refunds.every(stated) || sum(refunds) >= paid) return refunds
  const all = [...refunds, ...parts.filter((part) => (stated(part) ?? paid) < paid)]
  return refunds.length > 0 && sum(all) >= paid ? all : []
}

/** An amount in another currency than the payment's says nothing of how much of it was given back. */
function statedIn(paid: Facts['foreign'], { foreign }: Refund): number | undefined {
  return foreign?.currency === paid?.currency ? foreign?.amount : undefined
}

export function isMade({ number, undoneAt }: Payment): boolean {
  return number !== undefined && undoneAt === undefined
}

/** The time since which the money of a payment is gone. */
export function goneAt(payment: Payment): number | undefined {
  const { lostAt, disputedAt, undoneAt } = payment
  const taken = [...refundsInFull(payment).map(({ at }) => at), lostAt, disputedAt, undoneAt]
  const times = taken.filter((at) => at !== undefined)
  return times.length > 0 ? Math.max(payment.madeAt, ...times) : undefined
}
