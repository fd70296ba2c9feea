import type { Method } from '../../subscriptions/index.ts'
import type { ForeignAmount } from '../events/foreign-amount.ts'
import { agreedAmount, type PaymentEvent } from '../events/payment-event.ts'

/**
 * The facts of one payment. If events differ, the first counts, but for the amount: the largest, since an event may name a part of a
 * payment with two cards.
 */
export interface Facts {
  planId?: string | undefined
  email?: string | undefined
  /** The address from the own checkout. */
  buyer?: string | undefined
  method?: Method | undefined
  /** Of the whole purchase, where it is paid in parts. */
  amount?: number | undefined
  foreign?: ForeignAmount | undefined
  periodPrice?: number | undefined
  periodStart?: number | undefined
  periodEnd?: number | undefined
  /** That end is a due day. */
  isByDueDays?: boolean | undefined
  /** The operator gave it, so nobody paid. */
  isGranted?: boolean
  /** The seller serves its period and asks for nothing. `wasWaived`: so it was said, whatever was paid after all. */
  isWaived?: boolean
  wasWaived?: boolean
  /** When it was first paid or granted, in ms. */
  paidAt?: number | undefined
}

const COVERS: ReadonlySet<PaymentEvent['kind']> = new Set(['paid', 'granted', 'payment_waived'])

/** The name of an event's payment. A payment that its sender does not name is another one with each event. */
export function nameOf({ paymentId, key }: PaymentEvent): string {
  return paymentId === undefined ? `unnamed ${key}` : `named ${paymentId}`
}

/** The facts of all payments of a stream, by their names. */
export function readFacts(events: readonly PaymentEvent[]): Map<string, Facts> {
  const all = new Map<string, Facts>()
  for (const event of events) noteFacts(all, event)
  return all
}

/** Adds what an event says of its payment to what the events before it say. Answers the facts as they are then, if it says anything. */
export function noteFacts(all: Map<string, Facts>, event: PaymentEvent): Facts | undefined {
  if (!COVERS.has(event.kind)) return undefined
  const known = all.get(nameOf(event)) ?? {}
  const { periodEnd, isByDueDays } = known.periodEnd === undefined ? event : known
  const facts = {
    planId: known.planId ?? (event.kind === 'payment_waived' ? undefined : event.planId),
    email: known.email ?? event.email,
    buyer: known.buyer ?? (event.isOwn ? event.email : undefined),
    method: known.method ?? event.method,
    amount: largest(known.amount, agreedAmount(event)),
    foreign: largestForeign(known.foreign, event.foreign),
    periodPrice: largest(known.periodPrice, event.periodPrice),
    periodStart: known.periodStart ?? event.periodStart,
    periodEnd,
    isByDueDays: periodEnd === undefined ? undefined : isByDueDays,
    isGranted: known.isGranted ?? event.kind === 'granted',
    isWaived: (known.isWaived ?? true) && event.kind === 'payment_waived',
    wasWaived: (known.wasWaived ?? false) || event.kind === 'payment_waived',
    paidAt: event.kind === 'payment_waived' ? known.paidAt : Math.min(known.paidAt ?? event.at, event.at),
  }
  all.set(nameOf(event), facts)
  return facts
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
