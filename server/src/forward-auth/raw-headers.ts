/** The two fields that decide an answer from memory. */
export interface RawQuestion {
  /** `X-Forwarded-Host`. */
  name: string | undefined
  cookie: string | undefined
}

const NOTHING: RawQuestion = { name: undefined, cookie: undefined }
const NAME = 'x-forwarded-host'
const COOKIE = 'cookie'

/**
 * Reads both from the list of names and values as they came. Node builds its object of all headers only when it is asked for, and a
 * browser's dozen, which a proxy passes on, cost more than all else here. Where one of the two is doubled, neither is answered.
 */
export function questionOf(rawHeaders: readonly string[]): RawQuestion {
  let name: string | undefined
  let cookie: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at] ?? ''
    if (isField(field, NAME)) {
      if (name !== undefined) return NOTHING
      name = rawHeaders[at + 1]
    } else if (isField(field, COOKIE)) {
      if (cookie !== undefined) return NOTHING
      cookie = rawHeaders[at + 1]
    }
  }
  return { name, cookie }
}

function isField(field: string, name: string): boolean {
  return field.length === name.length && field.toLowerCase() === name
}
