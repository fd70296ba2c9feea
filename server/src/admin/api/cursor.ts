import { createSealer } from '../../kit/index.ts'
import type { PageAfter } from '../../storage/index.ts'

/**
 * Opaque cursors: the end of a page, bound to its list and order, so that nobody can forge one or use it for another list. Sealed and not
 * only signed, since they appear in the addresses of requests and may hold a user's address.
 */
export interface Cursors {
  write(list: string, place: PageAfter): string
  /** `undefined` for any text that we have not made for this list. */
  read(list: string, cursor: string): PageAfter | undefined
}

/** `key`: 32 bytes. */
export function createCursors(key: Uint8Array): Cursors {
  const sealer = createSealer([key])
  return {
    write: (list, { value, id }) => sealer.seal(JSON.stringify([value, id]), list),
    read(list, cursor) {
      const text = sealer.open(cursor, list)
      if (text === undefined) return undefined
      const [value, id] = JSON.parse(text)
      return { value, id }
    },
  }
}
