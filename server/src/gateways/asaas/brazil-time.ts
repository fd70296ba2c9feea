import { DAY_MS, HOUR_MS } from '../../kit/index.ts'

/**
 * Brasília is always three hours behind UTC: there has been no daylight saving time since 2019. Older summer times are read an hour late,
 * which does not matter for present purchases.
 */
const BEHIND_UTC_MS = 3 * HOUR_MS

/** `2026-11-20 18:30:00`, without a zone, in ms. `undefined` for anything else, and for a day that no calendar has. */
export function parseBrazilTime(text: string | undefined): number | undefined {
  const [, day, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/.exec(text ?? '') ?? []
  const start = startOfBrazilDay(day)
  return start === undefined ? undefined : start + Number(hours) * HOUR_MS + (Number(minutes) * 60 + Number(seconds)) * 1_000
}

/**
 * The beginning of a day in Brasília, in ms: of `2026-11-20` or `20/11/2026`. An event with only a day is read so: never in the future, and
 * before all other events of that day.
 */
export function startOfBrazilDay(day: string | undefined): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(toIsoDay(day ?? '')) ?? []
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(date))
  const isInCalendar = new Date(midnight).getUTCDate() === Number(date) && Number(month) >= 1 && Number(month) <= 12
  return isInCalendar ? midnight + BEHIND_UTC_MS : undefined
}

/** The end of a day, which is the beginning of the next. A due date is read so: a payment on that day is in time. */
export function endOfBrazilDay(day: string | undefined): number | undefined {
  const start = startOfBrazilDay(day)
  return start === undefined ? undefined : start + DAY_MS
}

/** The present day in Brasília, as `2026-11-20`. */
export function toBrazilDay(at: number): string {
  return new Date(at - BEHIND_UTC_MS).toISOString().slice(0, 10)
}

function toIsoDay(day: string): string {
  return day.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1')
}
