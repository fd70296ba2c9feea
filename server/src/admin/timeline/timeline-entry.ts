import { isoTime } from '../../kit/index.ts'
import type { PageAfter } from '../../storage/index.ts'

export const TIMELINE_KINDS = ['sign_in', 'session_end', 'purchase', 'notification', 'mail', 'change'] as const

/** One thing that happened to a person, or that they did. */
export interface TimelineEntry {
  id: string
  kind: (typeof TIMELINE_KINDS)[number]
  /** In the words of its own kind: why a session ended, what became of a payment, a sender's event, which mail, which action. */
  what: string
  /** Ms. */
  at: number
  /** By what it is ordered, in ms: its time, or that of its id, of which there is an index. They differ by what it takes to write a row. */
  order: number
  details: Readonly<Record<string, string | number | null>>
  /** Where the console shows it. */
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
