/** The length of one period of a subscription. */
export interface Cycle {
  count: number
  unit: 'days' | 'months'
}

/**
 * A time in ms moved by a number of cycles, forward or back. A day that a month lacks becomes its last: one month after January 31 is
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

/** The first billing day of a subscription after a time, where any of its billing days is known. */
export function nextOf(billedAt: number, cycle: Cycle, after: number): number {
  const lengthMs = addCycles(billedAt, cycle) - billedAt
  let cycles = Math.floor((after - billedAt) / lengthMs)
  // Years ahead, a length that was taken from a short month is some cycles too far.
  while (addCycles(billedAt, cycle, cycles - 1) > after) cycles--
  while (addCycles(billedAt, cycle, cycles) <= after) cycles++
  return addCycles(billedAt, cycle, cycles)
}
