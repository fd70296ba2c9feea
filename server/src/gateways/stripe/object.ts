/** Readers of uncertain JSON: each answers `undefined` where the value is missing, and none throws. */

/** Stripe's ids, and no text that a database could refuse. */
const ID = /^[\w-]{1,200}$/

/** Any value. */
export function partAt(value: unknown, ...path: string[]): unknown {
  let found = value
  for (const key of path) {
    if (!isObject(found)) return undefined
    found = found[key]
  }
  return found
}

export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = partAt(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** Stripe uses whole numbers for centavos and seconds. */
export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const found = partAt(value, ...path)
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined
}

/** A flag that is set; absent counts as not set. */
export function isSetAt(value: unknown, ...path: string[]): boolean {
  return partAt(value, ...path) === true
}

export function hasKey(value: unknown, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key)
}

/** An id, or the id of the object that stands in its place where the request asked to expand it. */
export function idAt(value: unknown, ...path: string[]): string | undefined {
  const found = partAt(value, ...path)
  const id = isObject(found) ? partAt(found, 'id') : found
  return typeof id === 'string' && ID.test(id) ? id : undefined
}

/** A time in ms; Stripe states seconds. */
export function timeAt(value: unknown, ...path: string[]): number | undefined {
  const seconds = numberAt(value, ...path)
  return seconds !== undefined && seconds > 0 && seconds < 1e11 ? seconds * 1000 : undefined
}

/** The items of an array, or of a `list` of the API. */
export function listAt(value: unknown, ...path: string[]): readonly unknown[] {
  const found = partAt(value, ...path)
  const members = isObject(found) ? partAt(found, 'data') : found
  return Array.isArray(members) ? members : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
