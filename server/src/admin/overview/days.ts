import { DAY_MS, HOUR_MS } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { type Counted, dailyCountStore, FAILED_SIGN_INS } from './daily-count-store.ts'

export const MAX_DAYS = 90
/** A request begun before midnight may be written after it. */
const FINISHED_AFTER_MS = DAY_MS + HOUR_MS

/** A day in UTC, as `2026-11-20`, with its counts. */
export interface Day extends Counted {
  day: string
  failed_sign_ins: number
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Counts the finished days that are not counted yet, each once and for good: the counted rows are removed later. */
export async function keepDays(db: Queryable, days: number, now: number): Promise<void> {
  const starts = startsOf(days, now)
  const kept = await dailyCountStore(db).list(dayOf(starts[0] ?? now))
  for (const start of starts) {
    if (isKept(kept.get(dayOf(start))) || start + FINISHED_AFTER_MS > now) continue
    await dailyCountStore(db).keep(dayOf(start), await dailyCountStore(db).count(start, start + DAY_MS))
  }
}

/** The last days, the oldest first, with today so far. */
export async function readDays(db: Queryable, days: number, now: number): Promise<Day[]> {
  await keepDays(db, days, now)
  const starts = startsOf(days, now)
  const kept = await dailyCountStore(db).list(dayOf(starts[0] ?? now))
  const read: Day[] = []
  for (const start of starts) {
    const day = dayOf(start)
    const known = kept.get(day)
    const counted = isKept(known) ? known : await dailyCountStore(db).count(start, start + DAY_MS)
    read.push({ day, ...toCounted(counted), failed_sign_ins: known?.get(FAILED_SIGN_INS) ?? 0 })
  }
  return read
}

function startsOf(days: number, now: number): number[] {
  const today = now - (now % DAY_MS)
  return Array.from({ length: days }, (_, index) => today - (days - 1 - index) * DAY_MS)
}

function isKept(known: Map<string, number> | undefined): known is Map<string, number> {
  return known?.has('sign_ins') ?? false
}

function toCounted(counted: Map<string, number> | Counted): Counted {
  if (!(counted instanceof Map)) return counted
  const of = (name: keyof Counted) => counted.get(name) ?? 0
  return {
    sign_ins: of('sign_ins'),
    new_users: of('new_users'),
    purchases: of('purchases'),
    failed_notifications: of('failed_notifications'),
    dead_jobs: of('dead_jobs'),
  }
}
