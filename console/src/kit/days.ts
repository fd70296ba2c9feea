/** A zone's clock at a moment, as if that were UTC, in ms. */
function clockOf(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const milliseconds = ((at % 1000) + 1000) % 1000
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) + milliseconds
}

/** The moment at which a zone's clock shows this. Within an hour that is skipped it is a moment beside it. */
function momentAt(clock: number, zone: string): number {
  const near = clock - (clockOf(clock, zone) - clock)
  return near - (clockOf(near, zone) - clock)
}

/** The first moment of a day (`2026-11-21`) in a zone, as ISO; `undefined` for an invalid day. Clocks may go forward at midnight. */
export function startOfDay(day: string, zone: string): string | undefined {
  const clock = clockIn(`${day}T00:00`)
  if (clock === undefined) return undefined
  const at = momentAt(clock, zone)
  return new Date(clockOf(at, zone) < clock ? at + (clock - clockOf(at, zone)) : at).toISOString()
}

/** The last millisecond of a day. */
export function endOfDay(day: string, zone: string): string | undefined {
  const clock = clockIn(`${day}T00:00`)
  const next = clock === undefined ? undefined : startOfDay(new Date(clock + DAY_MS).toISOString().slice(0, 10), zone)
  return next && new Date(Date.parse(next) - 1).toISOString()
}

/** The day of an ISO time in a zone, as inputs of type `date` need it; empty for an invalid time. */
export function dayOf(iso: string, zone: string): string {
  return fieldOf(iso, zone).slice(0, 10)
}

/** An ISO time in a zone, as inputs of type `datetime-local` need it; empty for an invalid time. */
export function fieldOf(iso: string, zone: string): string {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? '' : new Date(clockOf(at, zone)).toISOString().slice(0, 16)
}

/** The moment of such a field, as ISO; `undefined` while it is not whole. */
export function momentOf(field: string, zone: string): string | undefined {
  const clock = clockIn(field)
  return clock === undefined ? undefined : new Date(momentAt(clock, zone)).toISOString()
}

const DAY_MS = 86_400_000

function clockIn(field: string): number | undefined {
  const clock = Date.parse(`${field}Z`)
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(field) && !Number.isNaN(clock) ? clock : undefined
}
