import { normaliseEmail } from '../../kit/index.ts'
import type { PaymentKind } from '../../payment-history/index.ts'
import type { Method } from '../../subscriptions/index.ts'
import type { GatewayEvent } from '../gateway.ts'
import { amountAt, givenBackOf, idAt, isObject, listAt, textAt, timeAt, valueAt } from './fields.ts'
import { periodOf, trialOf } from './period.ts'
import { planOf } from './plan.ts'

/** A state of theirs, alone or with its `status_detail`, and its event here. */
type Kinds = ReadonlyMap<string, PaymentKind>

const CHARGEBACKS = [
  ['charged_back', 'disputed'],
  ['charged_back/settled', 'dispute_lost'],
  ['charged_back/reimbursed', 'dispute_won'],
] as const

const PAYMENTS: Kinds = new Map<string, PaymentKind>([
  ['pending', 'payment_pending'],
  ['in_process', 'payment_pending'],
  ['authorized', 'payment_pending'],
  ['approved', 'paid'],
  ['approved/partially_refunded', 'partially_refunded'],
  ['rejected', 'payment_failed'],
  ['cancelled', 'payment_expired'],
  ['refunded', 'refunded'],
  ['in_mediation', 'disputed'],
  ...CHARGEBACKS,
])

const ORDERS: Kinds = new Map<string, PaymentKind>([
  ['created', 'payment_pending'],
  ['processing', 'payment_pending'],
  ['action_required', 'payment_pending'],
  ['at_terminal', 'payment_pending'],
  ['processed', 'paid'],
  ['closed/paid', 'paid'],
  ['processed/partially_refunded', 'partially_refunded'],
  // Orders of Checkout Pro stay `processed` after a full refund.
  ['processed/refunded', 'refunded'],
  // "The transaction was not successful and will not be completed."
  ['failed', 'payment_expired'],
  ['canceled', 'payment_expired'],
  ['cancelled', 'payment_expired'],
  ['expired', 'payment_expired'],
  ['refunded', 'refunded'],
  ...CHARGEBACKS,
])

/** `authorized` means that charging is allowed, not that anything was paid. It takes back a pause and grants nothing. */
const PREAPPROVALS: Kinds = new Map<string, PaymentKind>([
  ['pending', 'payment_pending'],
  ['authorized', 'resumed'],
  ['paused', 'canceled'],
  ['cancelled', 'canceled'],
])

/** Charges without a payment so far. */
const INVOICES: Kinds = new Map<string, PaymentKind>([
  ['recycling', 'payment_failed'],
  ['cancelled', 'payment_expired'],
])

/** The payment's subscription, when its bill was made (ms, if known), and the time (ms) that counts where the payment states none. */
export interface Known {
  preapproval: unknown
  billedAt?: number | undefined
  otherwiseAt: number
}

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

/** GET /v1/orders/{id}. The order is what is paid, by one card or several; its payments are its other names. */
export function toOrderEvent(order: unknown, { otherwiseAt }: Pick<Known, 'otherwiseAt'>): GatewayEvent | 'ignored' {
  const orderId = idAt(order, 'id')
  const kind = kindOf(order, ORDERS)
  if (orderId === undefined || kind === undefined) return 'ignored'
  const payments = listAt(order, 'transactions', 'payments')
  const times = ['last_updated_date', 'date_last_updated', ...ORDER_CREATED].map((name) => timeAt(order, name))
  return {
    key: `order ${orderId} ${stateOf(order, kind, listAt(order, 'transactions', 'refunds').length)}`,
    kind,
    subscriptionId: undefined,
    paymentId: orderId,
    paymentAliases: payments.flatMap((payment) => [idAt(payment, 'id'), idAt(payment, 'reference', 'id')]).filter((id) => id !== undefined),
    buyer: buyerOf(order, undefined),
    ...(kind === 'partially_refunded' ? givenBackOf(order) : amountAt(order, 'total_amount')),
    method: methodOf(valueAt(payments[0], 'payment_method', 'type'), valueAt(payments[0], 'payment_method', 'id')),
    occurredAt: times.find((time) => time !== undefined) ?? otherwiseAt,
    periodEnd: undefined,
    plan: planOf(order, undefined, { isOffer: false, isOfSubscription: false }),
  }
}

const ORDER_CREATED = ['created_date', 'date_created'] as const
const PAID_BEFORE: ReadonlySet<PaymentKind> = new Set(['partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost'])

/**
 * The events that an order implies, oldest first. A refund or dispute implies a purchase first: how much of it remains is known by the
 * whole amount.
 */
export function historyOfOrder(order: unknown, known: Pick<Known, 'otherwiseAt'>): GatewayEvent[] {
  const now = toOrderEvent(order, known)
  if (now === 'ignored') return []
  if (!PAID_BEFORE.has(now.kind) || !isObject(order)) return [now]
  const made = toOrderEvent({ ...order, status: 'processed', status_detail: 'accredited' }, known)
  const createdAt = ORDER_CREATED.map((name) => timeAt(order, name)).find((time) => time !== undefined)
  return made === 'ignored' ? [now] : [{ ...made, occurredAt: createdAt ?? made.occurredAt }, now]
}

/** GET /preapproval/{id}. It shows the paid end only where no payment does: `next_payment_date` is the day of the next charge. */
export function toPreapprovalEvent(preapproval: unknown, { otherwiseAt }: Pick<Known, 'otherwiseAt'>): GatewayEvent | 'ignored' {
  const changedAt = timeAt(preapproval, 'last_modified') ?? timeAt(preapproval, 'date_created') ?? otherwiseAt
  const event = toSubscriptionEvent(preapproval, { preapproval, kinds: PREAPPROVALS, topic: 'preapproval', changedAt })
  const next = timeAt(preapproval, 'next_payment_date')
  return event !== 'ignored' && event.kind === 'canceled' && next !== undefined && next > changedAt ? { ...event, periodEnd: next } : event
}

/** The events that a subscription implies, oldest first. A trial begins with the authorization and counts as a payment of nothing. */
export function historyOfPreapproval(preapproval: unknown, known: Pick<Known, 'otherwiseAt'>): GatewayEvent[] {
  const now = toPreapprovalEvent(preapproval, known)
  const trial = textAt(preapproval, 'status') === 'authorized' ? trialOf(preapproval) : undefined
  if (now === 'ignored') return []
  if (trial === undefined || now.subscriptionId === undefined) return [now]
  const paymentId = `trial ${now.subscriptionId}`
  const begun = {
    ...now,
    key: paymentId,
    kind: 'paid' as const,
    paymentId,
    buyer: buyerOf(preapproval, preapproval),
    amount: 0,
    foreign: undefined,
  }
  return [{ ...begun, occurredAt: trial.periodStart, ...trial }, now]
}

/** GET /authorized_payments/{id}, for one that names no payment. */
export function toInvoiceEvent(invoice: unknown, { preapproval, otherwiseAt }: Known): GatewayEvent | 'ignored' {
  const changedAt = timeAt(invoice, 'last_modified') ?? timeAt(invoice, 'debit_date') ?? otherwiseAt
  return toSubscriptionEvent(invoice, { preapproval, kinds: INVOICES, topic: 'invoice', changedAt })
}

function toSubscriptionEvent(
  thing: unknown,
  { preapproval, kinds, topic, changedAt }: { preapproval: unknown; kinds: Kinds; topic: 'preapproval' | 'invoice'; changedAt: number },
): GatewayEvent | 'ignored' {
  const id = idAt(thing, 'id')
  const subscriptionId = idAt(preapproval, 'id')
  const kind = kindOf(thing, kinds)
  if (id === undefined || subscriptionId === undefined || kind === undefined) return 'ignored'
  return {
    // A subscription can be paused and resumed many times: each time is an event of its own.
    key: `${topic} ${id} ${textAt(thing, 'status')} ${changedAt}`,
    kind,
    subscriptionId,
    paymentId: undefined,
    paymentAliases: [],
    // `payer_email` belongs to a Mercado Pago account: it replaces no address that the buyer paid with.
    buyer: kind === 'canceled' ? undefined : buyerOf(thing, preapproval),
    ...amountAt(thing, 'transaction_amount'),
    method: undefined,
    occurredAt: changedAt,
    periodEnd: undefined,
    plan: planOf(thing, preapproval, { isOffer: true, isOfSubscription: true }),
  }
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

function kindOf(thing: unknown, kinds: Kinds): PaymentKind | undefined {
  const status = textAt(thing, 'status')
  return kinds.get(`${status}/${textAt(thing, 'status_detail')}`) ?? kinds.get(`${status}`)
}

/** Two copies with an equal state are duplicates. A mediation and a chargeback are two disputes, two partial refunds are two events. */
function stateOf(thing: unknown, kind: PaymentKind, refunded: number | undefined): string {
  return `${textAt(thing, 'status')} ${kind}${kind === 'partially_refunded' ? ` ${refunded}` : ''}`
}

/** A payment can be disputed and decided more than once: the time of its last change distinguishes the disputes. */
function since(payment: unknown, kind: PaymentKind): string {
  return kind === 'disputed' || kind === 'dispute_won' ? ` ${timeAt(payment, 'date_last_updated') ?? ''}` : ''
}

/** In the order in which they are filled reliably. An address hidden from the merchant reads as a row of X, which is no address. */
function buyerOf(thing: unknown, preapproval: unknown): string | undefined {
  const metadata = ['buyer_email', 'email', 'payer_email', 'user_email'].map((name) => textAt(thing, 'metadata', name))
  const addresses = [textAt(thing, 'payer', 'email'), textAt(preapproval, 'payer_email'), ...metadata]
  return addresses.find((address) => address !== undefined && normaliseEmail(address) !== undefined)
}

function methodOf(type: unknown, id: unknown): Method | undefined {
  if (id === 'pix') return 'pix'
  if (type === 'ticket') return 'boleto'
  return type === 'credit_card' || type === 'debit_card' || type === 'prepaid_card' ? 'card' : undefined
}
