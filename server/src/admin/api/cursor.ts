import { constantTimeEqual, hmacSha256 } from '../../kit/index.ts'
import type { PageAfter } from '../../storage/index.ts'

/** Opaque places in lists: where a page ended, bound to its list and order, so that none is made up or taken to another list. */
export interface Cursors {
  write(list: string, place: PageAfter): string
  /** `undefined` for whatever we have not written for this list. */
  read(list: string, cursor: string): PageAfter | undefined
}

/** Half of a SHA-256: enough against guessing, and addresses stay short. */
const MAC_BYTES = 16

export function createCursors(key: Uint8Array): Cursors {
  const macOf = (list: string, text: string) => hmacSha256(key, `${list}\n${text}`).subarray(0, MAC_BYTES).toString('base64url')
  return {
    write(list, { value, id }) {
      const text = Buffer.from(JSON.stringify([value, id])).toString('base64url')
      return `${text}.${macOf(list, text)}`
    },
    read(list, cursor) {
      const [text = '', mac = '', ...rest] = cursor.split('.')
      if (rest.length > 0 || !constantTimeEqual(mac, macOf(list, text))) return undefined
      const [value, id] = JSON.parse(Buffer.from(text, 'base64url').toString())
      return { value, id }
    },
  }
}
