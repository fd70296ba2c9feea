/** What stands in place of something personal. */
export const VEILED = '•••'

/** Fields with a word of ours, where whoever settled it may have typed something else. */
const TYPED: ReadonlySet<string> = new Set(['why', 'detail'])
const WORD = /^[a-z]+(?:_[a-z]+)+$/

/** An address of mail, wherever it stands: in what a mail server said, in a name that a sender made up, in free text. */
const ADDRESS = /\S@\S/

/**
 * An answer as a viewer sees it: what happened, when, how much, and to whom by name, and nothing by which that person is reached, found
 * elsewhere or traced. Fields with these names, at any depth, keep no text; nor does any text with a mail address in it, nor a name that is
 * only the beginning of one. Numbers, states and ids stay.
 */
export function mask(value: unknown, fields: readonly string[]): unknown {
  if (typeof value === 'string') return ADDRESS.test(value) ? VEILED : value
  if (Array.isArray(value)) return value.map((one) => mask(one, fields))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const email = entries.find(([name]) => name === 'email')?.[1]
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      const isHidden =
        typeof inner === 'string' &&
        (fields.includes(name) || (TYPED.has(name) && !WORD.test(inner)) || (name === 'name' && isOfAddress(inner, email)))
      return [name, isHidden ? VEILED : mask(inner, fields)]
    }),
  )
}

/** Who has given no name is called by their address, up to its `@`. */
export function isOfAddress(name: string, email: unknown): boolean {
  return typeof email === 'string' && email.startsWith(`${name}@`)
}

/** Of an audit entry: what these fields hold are words of ours, and ids of theirs. */
const WORDS: ReadonlySet<string> = new Set(
  'role state status kind audience checkout handoff scopes slug plan product gateway method source session user_id'.split(' '),
)

/** What an action changed, without what it says of a person: which fields, and of those with words of ours, what. Other text goes. */
export function maskChange(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskValue(value, name)]))
}

function maskValue(value: unknown, field: string): unknown {
  if (typeof value === 'string') return WORDS.has(field) && !ADDRESS.test(value) ? value : VEILED
  if (Array.isArray(value)) return value.map((one) => maskValue(one, field))
  return typeof value === 'object' && value !== null ? maskChange({ ...value }) : value
}
