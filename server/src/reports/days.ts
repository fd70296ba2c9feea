import { BoundedMap, DAY_MS, HOUR_MS } from '../kit/index.ts'

const formats = new BoundedMap<string, Intl.DateTimeFormat>(16)

/** The day of a moment (ms) in a zone, as `2026-11-20`, across daylight saving and what a zone was before. */
export function dayIn(zone: string): (at: number) => string {
  const known = formats.get(zone)
  const format = known ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  if (!known) formats.set(zone, format)
  return (at) => format.format(at)
}

/** Zones are less than this from UTC. */
const MAX_OFFSET_MS = 15 * HOUR_MS

/** The first moment (ms) of a day in a zone, which need not be midnight: clocks may go forward then. */
export function startOfDay(day: string, zone: string): number {
  const dayOf = dayIn(zone)
  let [before, from] = [Date.parse(day) - MAX_OFFSET_MS, Date.parse(day) + MAX_OFFSET_MS]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (dayOf(middle) < day) before = middle
    else from = middle
  }
  return from
}

/** The day that is so many days later, or earlier where negative. */
export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The days of a range, both ends included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

/** The first and the last day of a month, as `2026-10`. */
function daysOfMonth(month: string): { from: string; to: string } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) }
}

function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7)
}

/** A month up to today, and the days of the month before that it stands beside: as many of them where it is not over. Ends are included. */
export interface Period {
  from: string
  to: string
  state: 'to_come' | 'begun' | 'over'
  before: { from: string; to: string }
}

export function periodOf(month: string, today: string): Period {
  const { from, to: end } = daysOfMonth(month)
  const before = daysOfMonth(monthBefore(month))
  if (end < today) return { from, to: end, state: 'over', before }
  if (from > today) return { from, to: from, state: 'to_come', before }
  if (end === today) return { from, to: end, state: 'begun', before }
  const same = `${before.from.slice(0, 8)}${today.slice(8)}`
  return { from, to: today, state: 'begun', before: { from: before.from, to: same < before.to ? same : before.to } }
}
