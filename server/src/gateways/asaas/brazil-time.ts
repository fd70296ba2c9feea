import { DAY_MS, HOUR_MS } from '../../kit/index.ts'

/**
 * Brasília is three hours behind UTC, always: there has been no daylight saving time since 2019. Summers before that are read an hour late,
 * which is of no consequence to what is bought now.
 */
const BEHIND_UTC_MS = 3 * HOUR_MS

/** `2026-11-20 18:30:00`, which names no zone, as a moment in ms. `undefined` for anything else, and for a day that is in no calendar. */
export function parseBrazilTime(text: string | undefined): number | undefined {
  const [, day, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/.exec(text ?? '') ?? []
  const start = startOfBrazilDay(day)
  return start === undefined ? undefined : start + Number(hours) * HOUR_MS + (Number(minutes) * 60 + Number(seconds)) * 1_000
}

/**
 * When a day begins in Brasília, in ms: of `2026-11-20` or `20/11/2026`. This is how something that happened is read where only its day is
 * known: never in the future, and before whatever else happened on that day.
 */
export function startOfBrazilDay(day: string | undefined): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(toIsoDay(day ?? '')) ?? []
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(date))
  const isInCalendar = new Date(midnight).getUTCDate() === Number(date) && Number(month) >= 1 && Number(month) <= 12
  return isInCalendar ? midnight + BEHIND_UTC_MS : undefined
}

/** When a day ends, which is when the next begins. This is how a due date is read: who pays on that day pays in time. */
export function endOfBrazilDay(day: string | undefined): number | undefined {
  const start = startOfBrazilDay(day)
  return start === undefined ? undefined : start + DAY_MS
}

/** The day that it is in Brasília, as `2026-11-20`. */
export function toBrazilDay(at: number): string {
  return new Date(at - BEHIND_UTC_MS).toISOString().slice(0, 10)
}

function toIsoDay(day: string): string {
  return day.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1')
}
