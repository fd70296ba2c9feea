/** The first moment of a day (`2026-11-21`) in the user's zone, as ISO; `undefined` for an invalid day. */
export function startOfDay(day: string): string | undefined {
  const at = new Date(`${day}T00:00:00`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The last millisecond of a day. */
export function endOfDay(day: string): string | undefined {
  const at = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The day of an ISO time in the user's zone, as inputs of type `date` need it; empty for an invalid time. */
export function dayOf(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
