import type { PaymentKind } from '../../../payment-history/index.ts'
import type { GatewayEvent } from '../../gateway-event.ts'
import { amountAt, idAt, isObject, textAt, timeAt, valueAt } from '../fields.ts'
import { periodOf } from '../period.ts'
import { planOf } from '../plan.ts'
import { kindOf, PAYMENTS, stateOf } from './kinds.ts'
import type { Known } from './known.ts'
import { buyerOf, methodOf } from './payer.ts'

/** GET /v1/payments/{id} */
export function toPaymentEvent(payment: unknown, { preapproval, billedAt, otherwiseAt }: Known): GatewayEvent | 'ignored' {
  const paymentId = idAt(payment, 'id')
  const subscriptionId = subscriptionOf(payment) ?? idAt(preapproval, 'id')
  const kind = kindOfPayment(payment, subscriptionId)
  if (paymentId === undefined || kind === undefined || textAt(payment, 'operation_type') === 'card_validation') return 'ignored'
  const approvedAt = kind === 'paid' ? timeAt(payment, 'date_approved') : undefined
  const occurredAt = approvedAt ?? timeAt(payment, 'date_last_updated') ?? timeAt(payment, 'date_created') ?? otherwiseAt
  const isOfLink = textAt(payment, 'point_of_interaction', 'business_info', 'sub_unit') === 'payment_link'
  return {
    key: `payment ${paymentId} ${stateOf(payment, kind, amountAt(payment, 'transaction_amount_refunded').amount)}${since(payment, kind)}`,
    kind,
    subscriptionId,
    paymentId,
    paymentAliases: [],
    buyer: buyerOf(payment, preapproval),
    ...amountAt(payment, kind === 'partially_refunded' ? 'transaction_amount_refunded' : 'transaction_amount'),
    method: methodOf(valueAt(payment, 'payment_type_id'), valueAt(payment, 'payment_method_id')),
    occurredAt,
    periodEnd: undefined,
    ...(kind === 'paid' && periodOf(preapproval, occurredAt, billedAt)),
    plan: planOf(payment, preapproval, {
      isOffer: subscriptionId !== undefined || isOfLink,
      isOfSubscription: subscriptionId !== undefined,
    }),
  }
}

/** The events that a payment implies, oldest first: its creation, and its present state. */
export function historyOfPayment(payment: unknown, known: Known): GatewayEvent[] {
  const now = toPaymentEvent(payment, known)
  if (now === 'ignored') return []
  const state = standsAgain(payment, now)
  if (now.kind === 'paid' || !isObject(payment) || timeAt(payment, 'date_approved') === undefined) return [...state, now]
  const made = toPaymentEvent({ ...payment, status: 'approved', status_detail: 'accredited' }, known)
  return made === 'ignored' ? [...state, now] : [made, ...state, now]
}

/** An approved payment that changed later is no longer disputed. The end of its claim may never arrive: reconciliation does not list it. */
function standsAgain(payment: unknown, event: GatewayEvent): GatewayEvent[] {
  const [approvedAt, changedAt] = [timeAt(payment, 'date_approved'), timeAt(payment, 'date_last_updated')]
  if (textAt(payment, 'status') !== 'approved' || approvedAt === undefined || changedAt === undefined || changedAt <= approvedAt) return []
  const ended = { kind: 'dispute_won' as const, occurredAt: changedAt, periodStart: undefined, periodEnd: undefined }
  return [{ ...event, ...ended, key: `payment ${event.paymentId} stands ${changedAt}`, onlyIfDisputed: true }]
}

/** The subscription that a payment names. */
export function subscriptionOf(payment: unknown): string | undefined {
  return idAt(payment, 'point_of_interaction', 'transaction_data', 'subscription_id') ?? idAt(payment, 'metadata', 'preapproval_id')
}

/** A rejected month is tried again. A rejected single purchase is final: another try is another payment. */
function kindOfPayment(payment: unknown, subscriptionId: string | undefined): PaymentKind | undefined {
  const kind = kindOf(payment, PAYMENTS)
  return kind === 'payment_failed' && subscriptionId === undefined ? 'payment_expired' : kind
}

/** A payment can be disputed and decided more than once: the time of its last change distinguishes the disputes. */
function since(payment: unknown, kind: PaymentKind): string {
  return kind === 'disputed' || kind === 'dispute_won' ? ` ${timeAt(payment, 'date_last_updated') ?? ''}` : ''
}
