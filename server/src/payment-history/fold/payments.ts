import type { PaymentEvent } from '../events/payment-event.ts'
import { type Disputes, lostBy, noDisputes, openDispute, takeWon } from './disputes.ts'
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
  /** With the times when each was opened and lost. Several can be of one payment, as of its installments. */
  disputes: Disputes<{ openedAt: number; lostAt: number | undefined }>
  /** The time when it was known to be noted by mistake. */
  undoneAt: number | undefined
}

/** `isPart`: the own checkout said so. A part ends nothing by itself. */
type Refund = Pick<PaymentEvent, 'at' | 'amount' | 'foreign' | 'isOwn'> & { isPart: boolean }

/** A payment of which only the name is known yet. */
export function newPayment(id: string | undefined, facts: Facts | undefined): Payment {
  const still = { number: undefined, madeAt: 0, begin: 0, end: 0, undoneAt: undefined }
  return { ...still, ...facts, id, refunds: [], disputes: noDisputes() }
}

/** Notes what became of a payment's money. */
export function reverse(payment: Payment, event: PaymentEvent): void {
  const { kind, at, amount, foreign, isOwn = false } = event
  const open = () => ({ openedAt: at, lostAt: undefined })
  const refund = { at, amount, foreign, isOwn, isPart: kind === 'partially_refunded' }
  if (kind === 'refunded' || (refund.isPart && isOwn)) payment.refunds.push(refund)
  else if (kind === 'refund_failed') payment.refunds = bySender(payment.refunds).flatMap((refunds) => withoutFailed(refunds, refund))
  else if (kind === 'disputed') openDispute(payment.disputes, event, open)
  else if (kind === 'dispute_lost') for (const lost of lostBy(payment.disputes, event, open)) lost.lostAt ??= at
  else if (kind === 'dispute_won') takeWon(payment.disputes, event)
  else if (kind === 'payment_undone' && payment.number !== undefined) payment.undoneAt ??= at
}

/** The gateway and the own checkout may report the same money. */
function bySender(refunds: readonly Refund[]): Refund[][] {
  return [refunds.filter(({ isOwn }) => !isOwn), refunds.filter(({ isOwn }) => isOwn)]
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
  return timesOf(payment).lost.length > 0 || refundsInFull(payment).length > 0
}

/**
 * The refunds by which a payment was given back in full; none where it was not. A refund without an amount is of all. Refunds with amounts
 * are, where those of one sender come to what was paid, and one of them is no part.
 */
function refundsInFull({ refunds, amount, foreign }: Payment): Refund[] {
  const paid = amount ?? foreign?.amount
  const stated = (refund: Refund) => (amount !== undefined ? refund.amount : statedIn(foreign, refund))
  const closing = refunds.filter(({ isPart }) => !isPart)
  if (paid === undefined || !closing.every(stated)) return closing
  // Beside a part, some state the amount of the payment.
  const counts = (refund: Refund) => !refund.isPart || (stated(refund) ?? paid) < paid
  const inFull = (all: Refund[]) => all.some(({ isPart }) => !isPart) && all.reduce((sum, one) => sum + (stated(one) ?? 0), 0) >= paid
  return bySender(refunds.filter(counts)).filter(inFull).flat()
}

/** An amount in another currency than the payment's says nothing of how much of it was given back. */
function statedIn(paid: Facts['foreign'], { foreign }: Refund): number | undefined {
  return foreign?.currency === paid?.currency ? foreign?.amount : undefined
}

export function isMade({ number, undoneAt }: Payment): boolean {
  return number !== undefined && undoneAt === undefined
}

/** The time since which the money of a payment is gone, by what had happened until a time, in ms. */
export function goneAt(payment: Payment, until = Number.POSITIVE_INFINITY): number | undefined {
  const { opened, lost } = timesOf(payment)
  const refunds = payment.refunds.filter(({ at }) => at <= until)
  const taken = [
    ...refundsInFull({ ...payment, refunds }).map(({ at }) => at),
    ...opened.slice(0, 1),
    ...lost.slice(0, 1),
    payment.undoneAt,
  ]
  const times = taken.filter((at) => at !== undefined).filter((at) => at <= until)
  return times.length > 0 ? Math.max(payment.madeAt, ...times) : undefined
}

/** When its disputes were opened and lost, in ms: the first ones first. */
function timesOf({ disputes }: Payment): { opened: number[]; lost: number[] } {
  const inOrder = (times: number[]) => times.sort((a, b) => a - b)
  const all = [...disputes.all.values()]
  return { opened: inOrder(all.map(({ openedAt }) => openedAt)), lost: inOrder(all.flatMap(({ lostAt }) => lostAt ?? [])) }
}
