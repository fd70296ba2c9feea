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
  refunds: Pick<PaymentEvent, 'at' | 'amount' | 'foreign'>[]
  /** The time when it was lost in a dispute, disputed, or known to be noted by mistake. */
  lostAt: number | undefined
  disputedAt: number | undefined
  undoneAt: number | undefined
}

/** A payment of which only the name is known yet. */
export function newPayment(id: string | undefined, facts: Facts | undefined): Payment {
  const still = { number: undefined, madeAt: 0, begin: 0, end: 0, lostAt: undefined, disputedAt: undefined, undoneAt: undefined }
  return { ...still, ...facts, id, refunds: [] }
}

/** Notes what became of a payment's money. */
export function reverse(payment: Payment, { kind, at, amount, foreign }: PaymentEvent): void {
  if (kind === 'refunded') payment.refunds.push({ at, amount, foreign })
  else if (kind === 'refund_failed') payment.refunds = withoutFailed(payment.refunds, amount)
  else if (kind === 'dispute_lost') payment.lostAt ??= at
  else if (kind === 'disputed') payment.disputedAt ??= at
  else if (kind === 'dispute_won')
    Object.assign(payment, { disputedAt: undefined, lostAt: undefined }) // on appeal, even after it was lost
  else if (kind === 'payment_undone' && payment.number !== undefined) payment.undoneAt ??= at
}

/** A refund that failed is one of several where another one has just its amount, as of two charges of one bill. Else it is of all. */
function withoutFailed(refunds: Payment['refunds'], failed: number | undefined): Payment['refunds'] {
  const one = refunds.findIndex(({ amount }) => amount !== undefined && amount === failed)
  return one === -1 ? [] : refunds.toSpliced(one, 1)
}

/** Whether a payment was given back in full, for good. */
export function isGivenBack({ refunds, amount, foreign, lostAt }: Payment): boolean {
  if (lostAt !== undefined) return true
  const paid = amount ?? foreign?.amount
  const parts = refunds.map((refund) => (amount !== undefined ? refund.amount : statedIn(foreign, refund)))
  const isPart = paid !== undefined && parts.every(Boolean)
  const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0)
  return refunds.length > 0 && !(isPart && sum < paid)
}

/** An amount in another currency than the payment's says nothing of how much of it was given back. */
function statedIn(paid: Facts['foreign'], { foreign }: Pick<PaymentEvent, 'foreign'>): number | undefined {
  return foreign?.currency === paid?.currency ? foreign?.amount : undefined
}

export function isMade({ number, undoneAt }: Payment): boolean {
  return number !== undefined && undoneAt === undefined
}

/** The time since which the money of a payment is gone. */
export function goneAt(payment: Payment): number | undefined {
  const { refunds, lostAt, disputedAt, undoneAt } = payment
  const taken = [...(isGivenBack(payment) ? [...refunds.map(({ at }) => at), lostAt] : []), disputedAt, undoneAt]
  const times = taken.filter((at) => at !== undefined)
  return times.length > 0 ? Math.max(payment.madeAt, ...times) : undefined
}
