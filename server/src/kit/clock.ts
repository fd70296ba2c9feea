/** Milliseconds since 1970, as a function, so that a test owns the time. */
export type Now = () => number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
