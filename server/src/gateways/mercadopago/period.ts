import { DAY_MS } from '../../kit/index.ts'
import { addCycles, type Cycle, nextOf } from '../adapter-kit/calendar.ts'
import { textAt, timeAt, valueAt } from './fields.ts'

/** From when until when something pays, in ms. */
export interface Period {
  periodStart: number
  periodEnd: number
}

/**
 * What a payment of a subscription pays for. `next_payment_date` is that of the subscription as it stands when it is asked for: until the
 * charge is booked it is the day of the charge itself, and of an old payment it is far away. The period then ends so many cycles before or
 * after that day; where no day is told, one cycle after the bill. Where nobody says when the bill was made (`billedAt`), the payment counts
 * as made in time, and a day that is more than a cycle after it as that of a later charge. `undefined` where no cycle is told: then nothing
 * says how long it pays.
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

/** How long a cycle is from a time on, and how far from its day a charge may be booked, in ms. */
function measure(cycle: Cycle, from: number): { lengthMs: number; blur: number } {
  const lengthMs = addCycles(from, cycle) - from
  return { lengthMs, blur: Math.min(1.5 * DAY_MS, lengthMs / 4) }
}

/**
 * When the bill of a payment was made, by the day that the payment states: as long before it as that day is before its own. A first payment
 * states the day on which the subscription was written, which its buyer may have let lie; it pays for what begins with it.
 */
export function billedAtOf(payment: unknown, paidAt: number): number | undefined {
  const stated = valueAt(payment, 'point_of_interaction', 'transaction_data')
  const [billed, paid] = [textAt(stated, 'billing_date'), textAt(payment, 'date_approved')].map((text) => dayOf(text))
  if (valueAt(stated, 'first_time_use') === true || billed === undefined || paid === undefined) return undefined
  return paidAt - Math.max(0, paid - billed)
}

/** Their days begin by the offset that their times are written with. */
function dayOf(text: string | undefined): number | undefined {
  const day = text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text.slice(0, 10)) : Number.NaN
  return Number.isNaN(day) ? undefined : day
}

/** Whether a time is one at which a subscription is billed, by the day that it states; `undefined` where it states none. */
export function isBillingDay(preapproval: unknown, at: number): boolean | undefined {
  const cycle = cycleAt(preapproval, 'auto_recurring')
  const next = timeAt(preapproval, 'next_payment_date')
  if (!cycle || next === undefined) return undefined
  const { blur } = measure(cycle, at)
  return nextOf(next, cycle, at - blur) <= at + blur
}

/** The days for which a subscription is served before its first charge: it begins with the subscription. */
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
