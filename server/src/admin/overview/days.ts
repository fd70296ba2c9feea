import { HOUR_MS } from '../../kit/index.ts'
import { dayIn, daysBetween, periodOf, plusDays, readZone, startOfDay } from '../../reports/index.ts'
import { isReadOnly, type Queryable } from '../../storage/index.ts'
import { type Counted, type CountedDay, dailyCountStore, kindsIn } from './daily-count-store.ts'

export const MAX_DAYS = 90
/** A request begun before midnight may be written after it. */
const LATE_MS = HOUR_MS

/** A day in the operator's zone, as `2026-11-20`, with its counts. */
export interface Day extends CountedDay {
  day: string
  failed_sign_ins: number
  /** The same by kind. Failures from before kinds were counted are in none of them. */
  failed_sign_ins_by_kind: Record<string, number>
}

/** The days of a month up to today, and the days of the month before, to compare them with. */
export interface MonthOfDays {
  /** Its first moment, and the last one of its last day (ms). */
  since: number
  until: number
  days: Day[]
  before: { from: string; to: string; days: Day[] }
}

/** Counts the finished days that are not counted yet, each once and for good: the counted rows are removed later. */
export async function keepDays(db: Queryable, days: number, now: number): Promise<void> {
  await keep(db, await lastDays(db, days, now), now)
}

/** The last days, the oldest first, with today so far. */
export async function readDays(db: Queryable, days: number, now: number): Promise<Day[]> {
  return readSpans(db, await lastDays(db, days, now), now)
}

/** The days of a month; none if it has not begun. */
export async function readMonthOfDays(db: Queryable, month: string, now: number): Promise<MonthOfDays> {
  const zone = await readZone(db)
  const today = dayIn(zone)(now)
  const { from, to, state, before } = periodOf(month, today)
  const read = (first: string, last: string) => readSpans(db, spansBetween(zone, first, last), now)
  return {
    since: startOfDay(from, zone),
    until: startOfDay(plusDays(to, 1), zone) - 1,
    days: state === 'to_come' ? [] : await read(from, to),
    before: { ...before, days: state === 'to_come' ? [] : await read(before.from, before.to) },
  }
}

/** The sums of the counts of some days. */
export function sumOfDays(days: readonly Day[]): Omit<Day, 'day'> {
  const sum = (name: keyof Counted | 'failed_sign_ins') => days.reduce((all, day) => all + day[name], 0)
  return {
    sign_ins: sum('sign_ins'),
    sign_ins_by_method: sumOfKinds(days.map((day) => day.sign_ins_by_method)),
    new_users: sum('new_users'),
    purchases: sum('purchases'),
    failed_notifications: sum('failed_notifications'),
    dead_jobs: sum('dead_jobs'),
    failed_sign_ins: sum('failed_sign_ins'),
    failed_sign_ins_by_kind: sumOfKinds(days.map((day) => day.failed_sign_ins_by_kind)),
  }
}

/** The sums by kind, in the order of their names. */
function sumOfKinds(all: ReadonlyArray<Record<string, number>>): Record<string, number> {
  const sums = new Map<string, number>()
  for (const counts of all) for (const [kind, count] of Object.entries(counts)) sums.set(kind, (sums.get(kind) ?? 0) + count)
  return Object.fromEntries([...sums].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The activity of a month, and of the month before: sign-ins, new users and failures. The report has the sales. */
export async function readActivity(db: Queryable, month: string, now: number): Promise<{ activity: Activity; before: Activity }> {
  const { days, before } = await readMonthOfDays(db, month, now)
  return { activity: activityOf(days), before: activityOf(before.days) }
}

export type Activity = Pick<Day, (typeof ACTIVITY)[number] | 'failed_sign_ins_by_kind' | 'sign_ins_by_method'>
export const ACTIVITY = ['new_users', 'sign_ins', 'failed_sign_ins', 'failed_notifications'] as const

function activityOf(days: readonly Day[]): Activity {
  const { purchases: _purchases, dead_jobs: _deadJobs, ...activity } = sumOfDays(days)
  return activity
}

async function readSpans(db: Queryable, spans: readonly Span[], now: number): Promise<Day[]> {
  const oldest = plusDays(dayIn(await readZone(db))(now), 1 - MAX_DAYS)
  // Older days are kept already, or the service did not run yet. Reading such a day must not write it down as empty for good.
  await keep(
    db,
    spans.filter(({ day }) => day >= oldest),
    now,
  )
  const kept = await dailyCountStore(db).list(spans[0]?.day ?? '', spans.at(-1)?.day ?? '')
  const read: Day[] = []
  for (const { day, from, until } of spans) {
    const known = kept.get(day)
    const counted = isKept(known) ? known : await dailyCountStore(db).count(from, until)
    read.push({ day, ...toCounted(counted), ...failedOf(known) })
  }
  return read
}

async function keep(db: Queryable, spans: readonly Span[], now: number): Promise<void> {
  const kept = await dailyCountStore(db).list(spans[0]?.day ?? '', spans.at(-1)?.day ?? '')
  for (const { day, from, until } of spans) {
    if (isKept(kept.get(day)) || until + LATE_MS > now) continue
    const counted = await dailyCountStore(db).count(from, until)
    // A database that is being copied takes no writes, and its figures are read all the same.
    await dailyCountStore(db)
      .keep(day, counted)
      .catch((error) => isReadOnly(error) || Promise.reject(error))
  }
}

interface Span {
  day: string
  /** Ms. */
  from: number
  until: number
}

async function lastDays(db: Queryable, days: number, now: number): Promise<Span[]> {
  const zone = await readZone(db)
  const today = dayIn(zone)(now)
  return spansBetween(zone, plusDays(today, 1 - days), today)
}

/** Both ends included. */
function spansBetween(zone: string, first: string, last: string): Span[] {
  const starts = daysBetween(first, plusDays(last, 1)).map((day) => ({ day, from: startOfDay(day, zone) }))
  return starts.flatMap(({ day, from }, place) => {
    const next = starts[place + 1]
    return next ? [{ day, from, until: next.from }] : []
  })
}

function failedOf(known: Map<string, number> = new Map()): Pick<Day, 'failed_sign_ins' | 'failed_sign_ins_by_kind'> {
  const kinds = kindsIn(known, 'failed_sign_ins')
  const failed = [...kinds.values()].reduce((sum, count) => sum + count, 0)
  kinds.delete('')
  return { failed_sign_ins: failed, failed_sign_ins_by_kind: sumOfKinds([Object.fromEntries(kinds)]) }
}

function isKept(known: Map<string, number> | undefined): known is Map<string, number> {
  return known?.has('sign_ins') ?? false
}

function toCounted(counted: Map<string, number> | CountedDay): CountedDay {
  if (!(counted instanceof Map)) return counted
  const of = (name: keyof Counted) => counted.get(name) ?? 0
  return {
    sign_ins: of('sign_ins'),
    sign_ins_by_method: Object.fromEntries(kindsIn(counted, 'sign_ins_by')),
    new_users: of('new_users'),
    purchases: of('purchases'),
    failed_notifications: of('failed_notifications'),
    dead_jobs: of('dead_jobs'),
  }
}
