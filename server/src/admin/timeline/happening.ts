import { isoTime } from '../../kit/index.ts'
import type { PageAfter } from '../../storage/index.ts'

export const HAPPENING_KINDS = ['sign_in', 'session_end', 'purchase', 'notification', 'mail', 'change'] as const

/** One thing that happened to a person, or that they did. */
export interface Happening {
  id: string
  kind: (typeof HAPPENING_KINDS)[number]
  /** In the words of its own kind: why a session ended, what became of a payment, a sender's event, which mail, which deed. */
  what: string
  /** Ms. */
  at: number
  /** By what it is ordered, in ms: its time, or that of its id, of which there is an index. They differ by what it takes to write a row. */
  order: number
  details: Readonly<Record<string, string | number | null>>
  /** Where the console shows it. */
  path: string | undefined
}

export function happeningJson({ id, kind, what, at, details, path }: Happening) {
  return { id, kind, what, at: isoTime(at), details, path: path ?? null }
}

export function placeOf({ order, id }: Happening): PageAfter {
  return { value: order, id }
}

/** Newest first; of one millisecond, by id. */
export function newestFirst(a: Happening, b: Happening): number {
  if (a.order !== b.order) return b.order - a.order
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
}

export function isBefore({ order, id }: Happening, after: PageAfter | undefined): boolean {
  return after === undefined || order < Number(after.value) || (order === after.value && id < after.id)
}
