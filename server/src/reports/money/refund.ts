import { actionOf, type PaymentEvent, subjectOf } from '../../payment-history/index.ts'
import { leftOf, type Moved, noRefunds, type Paid, type SoFar, statedBy } from './paid.ts'

/**
 * The gateway and the own checkout may report the same refund: what either of them reports in all counts, whichever is more. No more is
 * given back than was paid and not lost.
 */
export function refund(payment: Paid, event: PaymentEvent): Moved {
  const left = leftOf(payment)
  const { refunds, byGateway, byOwner } = payment
  if (refunds.isWhole || (payment.amount !== undefined && left === 0)) return {}
  if (event.isOwn || actionOf(event) !== undefined) noteOwn(payment, event)
  else noteSoFar(payment, event)
  const amount = Math.min(Math.max(byGateway.amount, byOwner.amount, refunds.amount) - refunds.amount, left)
  const count = Math.max(byGateway.count - refunds.count, byOwner.count - refunds.count, amount > 0 ? 1 : 0)
  Object.assign(refunds, { count: refunds.count + count, amount: refunds.amount + amount, isWhole: byGateway.isWhole || byOwner.isWhole })
  return { refunds: count, refunded: amount }
}

/** The own checkout and the operator say what they give back now. */
function noteOwn(payment: Paid, event: PaymentEvent): void {
  const { byOwner } = payment
  byOwner.count += 1
  const stated = statedBy(event, payment)
  if (stated === undefined) noteUnstated(payment, byOwner, event)
  else byOwner.amount += stated
}

/** A gateway says with every refund what it has given back of the charge so far. A bill can be paid by several charges. */
function noteSoFar(payment: Paid, event: PaymentEvent): void {
  const { byGateway } = payment
  const stated = statedBy(event, payment)
  const charge = subjectOf(event)
  if (stated === undefined) {
    byGateway.count += 1
    noteUnstated(payment, byGateway, event)
    return
  }
  const { soFar } = byGateway
  const before = sumOf(soFar)
  soFar.set(charge, Math.max(stated, soFar.get(charge) ?? 0))
  const more = sumOf(soFar) - before
  if (more === 0) return
  byGateway.count += 1
  byGateway.amount += more
  byGateway.isWhole ||= payment.amount === undefined && event.kind === 'refunded'
}

/** An order and its charges speak of the same money. */
function sumOf(soFar: SoFar): number {
  const ofCharges = [...soFar].reduce((sum, [charge, amount]) => sum + (charge === undefined ? 0 : amount), 0)
  return Math.max(ofCharges, soFar.get(undefined) ?? 0)
}

/** All of it, or a part that nobody knows. */
function noteUnstated(payment: Paid, refunds: { amount: number; isWhole: boolean }, { kind }: PaymentEvent): void {
  if (kind === 'partially_refunded') return
  refunds.amount = Math.max(refunds.amount, payment.amount ?? 0)
  refunds.isWhole = true
}

/** The money stayed with the seller: that of one refund, or of all where no amount is stated. */
export function takeRefundBack(payment: Paid, event: PaymentEvent): Moved {
  const { count, amount } = payment.refunds
  const stated = statedBy(event, payment)
  if (stated === undefined || stated >= amount) {
    const none = { refunds: noRefunds(), byOwner: noRefunds(), byGateway: { ...noRefunds(), soFar: new Map() } }
    Object.assign(payment, none)
    return { refunds: -count, refunded: -amount }
  }
  for (const refunds of [payment.refunds, payment.byOwner, payment.byGateway]) {
    refunds.count = Math.max(0, refunds.count - 1)
    refunds.amount = Math.max(0, refunds.amount - stated)
    refunds.isWhole = false
  }
  const { soFar } = payment.byGateway
  // The event names no charge. One that gave back the same amount is the likeliest, then the one that gave back most.
  const charges = [...soFar].filter(([charge]) => charge !== undefined).sort(([, one], [, other]) => other - one)
  const most = charges.find(([, amount]) => amount === stated) ?? charges[0]
  for (const charge of new Set([most?.[0], undefined]))
    if (soFar.has(charge)) soFar.set(charge, Math.max(0, (soFar.get(charge) ?? 0) - stated))
  return { refunds: -1, refunded: -stated }
}
