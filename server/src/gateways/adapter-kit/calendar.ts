/** How long one period of a subscription is. */
export interface Cycle {
  count: number
  unit: 'days' | 'months'
}

/**
 * A time in ms so many cycles further on (or back). A day that a month does not have is its last: from January 31 it is one month to
 * February 28.
 */
export function addCycles(at: number, { count, unit }: Cycle, cycles = 1): number {
  const date = new Date(at)
  if (unit === 'days') return date.setUTCDate(date.getUTCDate() + count * cycles)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count * cycles)
  return date.setUTCDate(Math.min(day, daysOfMonth(date)))
}

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

/** The first of the days on which a subscription is billed that comes after a time, where one of them (before or after) is known. */
export function nextOf(billedAt: number, cycle: Cycle, after: number): number {
  const lengthMs = addCycles(billedAt, cycle) - billedAt
  let cycles = Math.floor((after - billedAt) / lengthMs) - 1
  while (addCycles(billedAt, cycle, cycles) <= after) cycles++
  return addCycles(billedAt, cycle, cycles)
}
