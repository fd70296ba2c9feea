import { type Contract, type HistoryEvent, leftOf, type Payment } from '../simulation/simulation.ts'
import { type Build, seconds } from './stripe-objects.ts'

export function toIntent(payment: Payment, { ids }: Build): object {
  const { amount, bill } = payment
  const charge = ids.charge(payment)
  return {
    id: ids.intent(payment),
    object: 'payment_intent',
    status: 'succeeded',
    amount,
    currency: 'brl',
    latest_charge: charge,
    customer: bill.why === 'sale' ? null : ids.customer,
    metadata: {},
  }
}

export function toCharge(payment: Payment, { ids, isOld, email }: Build): object {
  const { bill, amount } = payment
  const refunded = amount - leftOf(payment)
  const isSale = bill.why === 'sale'
  return {
    id: ids.charge(payment),
    object: 'charge',
    payment_intent: ids.intent(payment),
    ...(isOld && { invoice: isSale ? null : ids.invoice(bill) }),
    customer: isSale ? null : ids.customer,
    amount,
    amount_captured: amount,
    amount_refunded: refunded,
    refunded: refunded >= amount,
    captured: true,
    disputed: payment.disputes.length > 0,
    currency: 'brl',
    status: 'succeeded',
    billing_details: { email },
    payment_method_details: { type: bill.contract.method },
    metadata: {},
  }
}

export function toRefund({ payment, refund }: Pick<HistoryEvent & { is: 'refunded' }, 'payment' | 'refund'>, { ids, name }: Build): object {
  return {
    id: `re_${name}${refund.n}`,
    object: 'refund',
    amount: refund.amount,
    currency: 'brl',
    charge: ids.charge(payment),
    payment_intent: ids.intent(payment),
    status: refund.failedAt === undefined ? 'succeeded' : 'failed',
    created: seconds(refund.at),
    metadata: {},
  }
}

export function toDispute(
  { payment, dispute }: Pick<HistoryEvent & { is: 'disputed' }, 'payment' | 'dispute'>,
  { ids, name }: Build,
): object {
  const { isInquiry, outcome } = dispute
  const decided = isInquiry ? 'warning_closed' : outcome
  return {
    id: `dp_${name}${dispute.n}`,
    object: 'dispute',
    amount: payment.amount,
    currency: 'brl',
    charge: ids.charge(payment),
    payment_intent: ids.intent(payment),
    status: outcome === undefined ? (isInquiry ? 'warning_needs_response' : 'needs_response') : decided,
    created: seconds(dispute.at),
    metadata: {},
  }
}

export function toSession(contract: Contract, { ids, email }: Build): object {
  const isSale = contract.kind === 'sale'
  const [bill] = contract.bills
  const isPaid = bill?.state === 'paid'
  return {
    id: ids.session(contract),
    object: 'checkout.session',
    mode: isSale ? 'payment' : 'subscription',
    status: 'complete',
    payment_status: isPaid ? (bill.amount > 0 ? 'paid' : 'no_payment_required') : 'unpaid',
    payment_intent: isSale && bill ? `pi_${ids.invoice(bill).slice(3)}` : null,
    subscription: isSale ? null : ids.subscription(contract),
    invoice: !isSale && bill ? ids.invoice(bill) : null,
    customer: isSale ? null : ids.customer,
    customer_details: { email },
    amount_total: bill?.amount ?? 0,
    currency: 'brl',
    payment_method_types: [contract.method],
    metadata: {},
  }
}
