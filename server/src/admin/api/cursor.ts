import { createSealer } from '../../kit/index.ts'
import type { PageAfter } from '../../storage/index.ts'

/**
 * Opaque places in lists: where a page ended, bound to its list and order, so that none is made up or taken to another list. Sealed and not
 * only signed, since the place can be somebody's address, and cursors stand in the addresses of requests.
 */
export interface Cursors {
  write(list: string, place: PageAfter): string
  /** `undefined` for whatever we have not written for this list. */
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
