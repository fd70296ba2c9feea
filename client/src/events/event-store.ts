import { BoundedMap } from '../bounded-map.ts'

/**
 * Remembers the events that were handled. A `Set` of texts is one. An app of several processes, or with a handler that must not run twice,
 * keeps the ids in its database.
 */
export interface EventStore {
  has(id: string): boolean | Promise<boolean>
  /** Called when the handler is done. Portaria repeats an event for about a day, and later if an operator replays it. */
  add(id: string): unknown
}

/** The last 10,000, of this process alone. */
export function createMemoryStore(): EventStore {
  const ids = new BoundedMap<string, true>()
  return { has: (id) => ids.has(id), add: (id) => ids.set(id, true) }
}
