/** One event of a user's history, in the API's form. */
export interface TimelineEntry {
  id: string
  kind: 'sign_in' | 'session_end' | 'purchase' | 'notification' | 'mail' | 'change'
  /** In the words of its kind. */
  what: string
  at: string
  details: Record<string, string | number | null>
  path: string | null
}

export interface TimelinePage {
  data: TimelineEntry[]
  next_cursor: string | null
}

/** A label for one of the API's names; the name itself if there is none. */
export function labelOf(labels: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(labels, name) ? labels[name] : undefined) ?? name
}

/** A detail that is a text. */
export function textIn({ details }: TimelineEntry, name: string): string | undefined {
  const value = details[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The amount that was paid, as an entry states it. */
export function amountsOf(entry: TimelineEntry): { amount: number | null; foreign_amount: string | null } {
  const { amount } = entry.details
  return { amount: typeof amount === 'number' ? amount : null, foreign_amount: textIn(entry, 'foreign_amount') ?? null }
}
