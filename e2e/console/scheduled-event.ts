import { DAY_MS, HOUR_MS } from '../../server/src/kit/index.ts'

/** When every picture of the console is taken: a Friday afternoon in São Paulo. */
export const NOW = Date.UTC(2026, 10, 20, 17, 32)

/** The user with most purchases, changes and sign-ins: their page shows all that there is. */
export const REGULAR = 'beatriz.souza@exemplo.com.br'

/** Something that comes in at a time (ms). */
export interface ScheduledEvent {
  at: number
  happen: () => Promise<unknown>
}

/** A time before now, in days and hours. */
export function ago(days: number, hours = 0): number {
  return NOW - days * DAY_MS - hours * HOUR_MS
}
