/** Milliseconds since 1970, as a function, so that a test owns the time. */
export type Now = () => number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A time in ms as ISO 8601 in UTC, as answers and lists show it; `null` for none. */
export function isoTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}
