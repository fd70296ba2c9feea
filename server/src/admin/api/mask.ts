/** Replaces personal data. */
export const MASKED = '•••'

/** Fields with a fixed word of ours, unless the user who resolved it typed another text. */
const TYPED: ReadonlySet<string> = new Set(['why', 'detail'])
const NAME = /^[a-z]+(?:_[a-z]+)+$/

/** A mail address anywhere in a text: in a mail server's message, in a sender's invented name, in free text. */
const ADDRESS = /\S@\S/

/**
 * An answer as a viewer sees it: events, times, amounts and users' names, but nothing by which a user can be reached, found elsewhere or
 * traced. Fields with these names, at any depth, lose their text; so does any text with a mail address in it, and a name that is only the
 * beginning of one. Numbers, states and ids stay.
 */
export function mask(value: unknown, fields: readonly string[]): unknown {
  if (typeof value === 'string') return ADDRESS.test(value) ? MASKED : value
  if (Array.isArray(value)) return value.map((one) => mask(one, fields))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const email = entries.find(([name]) => name === 'email')?.[1]
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      const isHidden =
        typeof inner === 'string' &&
        (fields.includes(name) || (TYPED.has(name) && !NAME.test(inner)) || (name === 'name' && isOfAddress(inner, email)))
      return [name, isHidden ? MASKED : mask(inner, fields)]
    }),
  )
}

/** A user without a name is called by their address, up to its `@`. */
export function isOfAddress(name: string, email: unknown): boolean {
  return typeof email === 'string' && email.startsWith(`${name}@`)
}

/** Fields of an audit entry that hold only Portaria's own words and ids. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set(
  'role state status kind audience checkout handoff scopes slug plan product gateway method source session user_id'.split(' '),
)

/**
 * The changes of an action without personal data: the fields' names, and the values of fields that hold Portaria's own words. Other text is
 * removed.
 */
export function maskChange(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskValue(value, name)]))
}

function maskValue(value: unknown, field: string): unknown {
  if (typeof value === 'string') return PLAIN_FIELDS.has(field) && !ADDRESS.test(value) ? value : MASKED
  if (Array.isArray(value)) return value.map((one) => maskValue(one, field))
  return typeof value === 'object' && value !== null ? maskChange({ ...value }) : value
}
