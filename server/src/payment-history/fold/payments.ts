import type { Method } from '../../subscriptions/index.ts'
import type { ForeignAmount } from '../events/foreign-amount.ts'
import type { PaymentEvent } from '../events/payment-event.ts'

/**
 * The facts of one payment. If events differ, the first counts, but for the amount: the largest, since an event may name a part of a
 * payment with two cards.
 */
interface Facts {
  planId?: string | undefined
  email?: string | undefined
  /** The address from the own checkout. */
  buyer?: string | undefined
  method?: Method | undefined
  amount?: number | undefined
  foreign?: ForeignAmount | undefined
  periodStart?: number | undefined
  periodEnd?: number | undefined
  /** Nobody paid: the operator gave it. */
  isGranted?: boolean
}

const COVERS: ReadonlySet<PaymentEvent['kind']> = new Set(['paid', 'granted', 'payment_waived'])

/** One payment of a stream: its period, and what became of its money. Times in ms. */
export interface Payment extends Facts {
  id: string | undefined
  /** The place among the payments of a stream, in the order in which they were made; `undefined` until it is made. */
  number: number | undefined
  madeAt: number
  begin: number
  /** `Infinity` where nobody stated an end. */
  end: number
  refunds: { at: number; amount: number | undefined }[]
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

/** The name of an event's payment. A payment that its sender does not name is another one with each event. */
export function nameOf({ paymentId, key }: PaymentEvent): string {
  return paymentId === undefined ? `unnamed ${key}` : `named ${paymentId}`
}

/** The facts of all payments of a stream, by their names. */
export function readFacts(events: readonly PaymentEvent[]): Map<string, Facts> {
  const all = new Map<string, Facts>()
  for (const event of events) {
    if (!COVERS.has(event.kind)) continue
    const known = all.get(nameOf(event)) ?? {}
    all.set(nameOf(event), {
      planId: known.planId ?? (event.kind === 'payment_waived' ? undefined : event.planId),
      email: known.email ?? event.email,
      buyer: known.buyer ?? (event.isOwn ? event.email : undefined),
      method: known.method ?? event.method,
      amount: largest(known.amount, event.amount),
      foreign: largestForeign(known.foreign, event.foreign),
      periodStart: known.periodStart ?? event.periodStart,
      periodEnd: known.periodEnd ?? event.periodEnd,
      isGranted: known.isGranted ?? event.kind === 'granted',
    })
  }
  return all
}

function largest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)
}

function largestForeign(one: ForeignAmount | undefined, other: ForeignAmount | undefined): ForeignAmount | undefined {
  return one && other ? (other.currency === one.currency && other.amount > one.amount ? other : one) : (one ?? other)
}

/**
 * The period of a payment made at a time. A beginning that is not before the end is ignored: the payment pays from the moment that it is
 * made.
 */
export function periodOf({ periodStart, periodEnd = Number.POSITIVE_INFINITY }: Facts, at: number): { begin: number; end: number } {
  return { begin: periodStart !== undefined && periodStart < periodEnd ? periodStart : at, end: periodEnd }
}

/** Notes what became of a payment's money. */
export function reverse(payment: Payment, { kind, at, amount }: PaymentEvent): void {
  if (kind === 'refunded') payment.refunds.push({ at, amount })
  else if (kind === 'refund_failed') payment.refunds = []
  else if (kind === 'dispute_lost') payment.lostAt ??= at
  else if (kind === 'disputed') payment.disputedAt ??= at
  else if (kind === 'dispute_won')
    Object.assign(payment, { disputedAt: undefined, lostAt: undefined }) // on appeal, even after it was lost
  else if (kind === 'payment_undone' && payment.number !== undefined) payment.undoneAt ??= at
}

/** Whether a payment was given back in full, for good. */
export function isGivenBack({ refunds, amount, lostAt }: Payment): boolean {
  if (lostAt !== undefined) return true
  const isPart = amount !== undefined && refunds.every((refund) => refund.amount)
  const sum = refunds.reduce((total, refund) => total + (refund.amount ?? 0), 0)
  return refunds.length > 0 && !(isPart && sum < amount)
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

/**
 * The current payment, of several in the order in which they were made: the last that is no back payment. It need not pay for the longest
 * time: a month that is bought in a year's place counts at once.
 */
export function latest(made: readonly Payment[]): Payment | undefined {
  return made.reduce<Payment | undefined>((current, payment) => (current && isBackPayment(payment, current) ? current : payment), undefined)
}

/** Whether a payment made later is for a period before the current one, or for one that was over when it was paid. */
function isBackPayment({ begin, end, madeAt }: Payment, current: Payment): boolean {
  // If both begin at once the stated end counts, in either order: senders' times are whole seconds.
  if (begin === current.begin && (end === Number.POSITIVE_INFINITY) !== (current.end === Number.POSITIVE_INFINITY))
    return end === Number.POSITIVE_INFINITY
  if (end > current.end) return false
  if (end <= madeAt) return true
  return begin < current.begin || (begin === current.begin && end < current.end)
}

/**
 * The current payment whose money is here. If newer ones were taken back, an older one goes on if it still paid at that moment. Else the
 * lost ones were the current ones.
 */
export function currentOf(made: readonly Payment[]): Payment | undefined {
  const last = latest(made)
  if (!last || goneAt(last) === undefined) return last
  const held = latest(made.filter((payment) => goneAt(payment) === undefined))
  const end = held ? endAmong(made, held) : 0
  return held && end > Math.max(...made.map((payment) => goneAt(payment) ?? 0)) ? { ...held, end } : undefined
}

/** The end of a payment. One without an end pays until the next one begins, if the stream states periods. */
function endAmong(made: readonly Payment[], { begin, end }: Payment): number {
  if (end !== Number.POSITIVE_INFINITY) return end
  return Math.min(...made.filter((other) => other.end < end && other.begin > begin).map((other) => other.begin), end)
}
