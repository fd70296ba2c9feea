import { isoTime } from '../../kit/index.ts'
import type { PageAfter } from '../../storage/index.ts'

export const TIMELINE_KINDS = ['sign_in', 'session_end', 'purchase', 'notification', 'mail', 'change'] as const

/** One event of a user's history, or one action of theirs. */
export interface TimelineEntry {
  id: string
  kind: (typeof TIMELINE_KINDS)[number]
  /** Depends on the kind: the cause of a session's end, the outcome of a payment, a sender's event, the kind of a mail, an action. */
  what: string
  /** Ms. */
  at: number
  /** The sort key, in ms: its time, or that of its id, which has an index. The two differ by the time of a write. */
  order: number
  details: Readonly<Record<string, string | number | null>>
  /** Its page in the console. */
  path: string | undefined
}

export function timelineEntryJson({ id, kind, what, at, details, path }: TimelineEntry) {
  return { id, kind, what, at: isoTime(at), details, path: path ?? null }
}

export function placeOf({ order, id }: TimelineEntry): PageAfter {
  return { value: order, id }
}

/** Newest first; of one millisecond, by id. */
export function newestFirst(a: TimelineEntry, b: TimelineEntry): number {
  if (a.order !== b.order) return b.order - a.order
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
}

export function isBefore({ order, id }: TimelineEntry, after: PageAfter | undefined): boolean {
  return after === undefined || order < Number(after.value) || (order === after.value && id < after.id)
}
