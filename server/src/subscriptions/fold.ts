import { inOrder, type Method, type PaymentEvent, type PaymentKind } from './payment-event.ts'
import { moveOf, type SubscriptionState } from './subscription-moves.ts'

/** What all the news about a subscription comes to. */
export interface FoldedSubscription {
  state: SubscriptionState
  planId: string | undefined
  email: string | undefined
  method: Method | undefined
  /** The payment of the current period. */
  paymentId: string | undefined
  /** Until when it is paid, in ms; `undefined` where nobody stated an end. */
  periodEnd: number | undefined
  /** When it fell behind, in ms; until it is paid again. */
  pastDueSince: number | undefined
  /** When it was ended outright, in ms; until it goes on. */
  endedAt: number | undefined
  /** When the newest news happened, in ms. */
  changedAt: number
}

interface Unfolding extends FoldedSubscription {
  /** Where it stands behind an open dispute. */
  behindDispute: SubscriptionState
  /** Where it stood when it was canceled. */
  beforeCancel: SubscriptionState
}

/** The payments of a line that have been made, and those that were given back. */
interface Payments {
  paid: Set<string>
  reversed: Set<string>
}

/**
 * The subscriptions that a line of news amounts to, oldest first: a payment after a refund opens the next one. Pure: any order of arrival and any
 * repetition give the same.
 */
export function foldEvents(events: readonly PaymentEvent[]): FoldedSubscription[] {
  const folded: Unfolding[] = []
  const payments: Payments = { paid: new Set(), reversed: new Set() }
  for (const event of inOrder(events)) {
    const isOld = isOldNews(event, payments)
    let current = folded.at(-1)
    if (!current || (!isOld && moveOf(current.state, event.kind) === 'new')) {
      current = begin(event)
      folded.push(current)
    }
    if (isOld) learnMore(current, event)
    else if (!isOfOtherPayment(current, event)) take(current, event)
    current.changedAt = event.at
    remember(event, payments)
  }
  return folded.map(({ behindDispute: _, beforeCancel: __, ...subscription }) => subscription)
}

function begin({ at, planId, email }: PaymentEvent): Unfolding {
  return {
    state: 'pending',
    behindDispute: 'pending',
    beforeCancel: 'pending',
    planId,
    email,
    method: undefined,
    paymentId: undefined,
    periodEnd: undefined,
    pastDueSince: undefined,
    endedAt: undefined,
    changedAt: at,
  }
}

/** A payment grants once, and never after it was given back. One that was made no longer waits or fails: senders' times can be as coarse as a second. */
function isOldNews({ kind, paymentId }: PaymentEvent, { paid, reversed }: Payments): boolean {
  if (paymentId === undefined || !UP_TO_PAYMENT.has(kind)) return false
  return paid.has(paymentId) || reversed.has(paymentId)
}

const UP_TO_PAYMENT: ReadonlySet<PaymentKind> = new Set<PaymentKind>(['payment_pending', 'paid', 'payment_failed', 'payment_expired'])

function remember({ kind, paymentId }: PaymentEvent, { paid, reversed }: Payments): void {
  if (paymentId === undefined) return
  if (kind === 'paid') paid.add(paymentId)
  if (kind === 'payment_undone') paid.delete(paymentId)
  if (kind === 'refunded' || kind === 'dispute_lost') reversed.add(paymentId)
}

/**
 * A payment told of again moves nothing; the second telling may know what the first did not. So may one whose own time lies behind that of its refund, as the clocks of
 * a vendor's servers have it: it grants nothing, and says whose it was.
 */
function learnMore(subscription: Unfolding, { kind, paymentId, planId, email, method, periodEnd }: PaymentEvent): void {
  if (kind !== 'paid' || (subscription.paymentId !== undefined && paymentId !== subscription.paymentId)) return
  subscription.planId ??= planId
  subscription.email ??= email
  subscription.method ??= method
  subscription.periodEnd ??= periodEnd
}

/** Refunds and disputes of a payment that is not the current period's are recorded only. */
function isOfOtherPayment({ paymentId }: Unfolding, event: PaymentEvent): boolean {
  if (!REVERSALS.has(event.kind) || event.paymentId === undefined || paymentId === undefined) return false
  return event.paymentId !== paymentId
}

const REVERSALS: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  'disputed',
  'dispute_won',
  'dispute_lost',
  'partially_refunded',
  'payment_undone',
  'refunded',
])

function take(subscription: Unfolding, event: PaymentEvent): void {
  subscription.email = event.email ?? subscription.email
  subscription.planId ??= event.planId
  const { state } = subscription
  const isBehind = state === 'disputed' && moveOf(state, event.kind) === undefined
  const from = isBehind ? subscription.behindDispute : state
  const move = moveOf(from, event.kind)
  if (move === undefined || move === 'new') return
  const to = move === 'back' ? wayBack(subscription, from) : move
  if (to === 'disputed' && from !== 'disputed') subscription.behindDispute = from
  if (to === 'canceled' && from !== 'canceled' && from !== 'disputed') subscription.beforeCancel = from
  if (event.kind === 'paid') buy(subscription, event)
  if (to === 'past_due') subscription.pastDueSince ??= event.at
  if (event.kind === 'ended') subscription.endedAt ??= event.at
  if (event.kind === 'resumed') subscription.endedAt = undefined
  if (isBehind) subscription.behindDispute = to
  else subscription.state = to
}

function wayBack({ behindDispute, beforeCancel }: Unfolding, from: SubscriptionState): SubscriptionState {
  return from === 'disputed' ? behindDispute : beforeCancel
}

/** What is paid for is what a payment says, and no other news: what is merely asked for, or canceled, was not bought. */
function buy(subscription: Unfolding, { planId, paymentId, periodEnd, method }: PaymentEvent): void {
  subscription.planId = planId ?? subscription.planId
  subscription.method = method ?? subscription.method
  subscription.paymentId = paymentId
  subscription.periodEnd = periodEnd
  subscription.pastDueSince = undefined
  subscription.endedAt = undefined
}
