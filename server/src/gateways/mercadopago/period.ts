import { DAY_MS } from '../../kit/index.ts'
import { addCycles, type Cycle, nextOf } from '../adapter-kit/calendar.ts'
import { textAt, timeAt, valueAt } from './fields.ts'

/** The beginning and end of a paid period, in ms. */
export interface Period {
  periodStart: number
  periodEnd: number
}

/**
 * The period that a subscription's payment pays. `next_payment_date` belongs to the subscription at the time of the request: before the
 * charge is booked it is the day of the charge itself, and for an old payment it is far ahead. So the period ends a whole number of cycles
 * before or after that day; without that day, one cycle after the bill. Without the time of the bill (`billedAt`), the payment counts as
 * made in time, and a day more than a cycle later belongs to a later charge. `undefined` without a cycle: then nothing shows the length.
 */
export function periodOf(preapproval: unknown, paidAt: number, billedAt: number | undefined): Period | undefined {
  const cycle = cycleAt(preapproval, 'auto_recurring')
  if (!cycle) return undefined
  const from = billedAt ?? paidAt
  const { lengthMs, blur } = measure(cycle, from)
  const next = timeAt(preapproval, 'next_payment_date')
  const latest = from + (billedAt === undefined ? lengthMs + blur : 1.5 * lengthMs)
  const isNext = next !== undefined && next > from + blur && next < latest
  const periodEnd = next === undefined ? addCycles(from, cycle) : isNext ? next : nextOf(next, cycle, from + blur)
  return { periodStart: Math.min(addCycles(periodEnd, cycle, -1), paidAt), periodEnd }
}

/** The length of a cycle from a time on, and the allowed distance of a charge from its day, in ms. */
function measure(cycle: Cycle, from: number): { lengthMs: number; blur: number } {
  const lengthMs = addCycles(from, cycle) - from
  return { lengthMs, blur: Math.min(1.5 * DAY_MS, lengthMs / 4) }
}

/**
 * The time of a payment's bill, by the day that the payment states: the distances are equal. A first payment states the day when the
 * subscription was written, and its buyer may pay later; its period begins with the payment.
 */
export function billedAtOf(payment: unknown, paidAt: number): number | undefined {
  const stated = valueAt(payment, 'point_of_interaction', 'transaction_data')
  const [billed, paid] = [textAt(stated, 'billing_date'), textAt(payment, 'date_approved')].map((text) => dayOf(text))
  if (valueAt(stated, 'first_time_use') === true || billed === undefined || paid === undefined) return undefined
  return paidAt - Math.max(0, paid - billed)
}

/** Their days begin by the offset of their times. */
function dayOf(text: string | undefined): number | undefined {
  const day = text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text.slice(0, 10)) : Number.NaN
  return Number.isNaN(day) ? undefined : day
}

/** Whether a subscription is billed at this time, by the day that it states; `undefined` where it states none. */
export function isBillingDay(preapproval: unknown, at: number): boolean | undefined {
  const cycle = cycleAt(preapproval, 'auto_recurring')
  const next = timeAt(preapproval, 'next_payment_date')
  if (!cycle || next === undefined) return undefined
  const { blur } = measure(cycle, at)
  return nextOf(next, cycle, at - blur) <= at + blur
}

/** The trial days before the first charge; they begin with the subscription. */
export function trialOf(preapproval: unknown): Period | undefined {
  const trial = cycleAt(preapproval, 'auto_recurring', 'free_trial')
  const begunAt = timeAt(preapproval, 'date_created')
  return trial && begunAt !== undefined ? { periodStart: begunAt, periodEnd: addCycles(begunAt, trial) } : undefined
}

function cycleAt(preapproval: unknown, ...path: string[]): Cycle | undefined {
  const count = valueAt(preapproval, ...path, 'frequency')
  const unit = valueAt(preapproval, ...path, 'frequency_type')
  const isCount = typeof count === 'number' && Number.isInteger(count) && count > 0 && count <= 1_000
  return isCount && (unit === 'months' || unit === 'days') ? { count, unit } : undefined
}
