/** What stands at a path of JSON of which nothing is known yet; `undefined` where there is no such place. */
export function valueAt(json: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), json)
}

export function listAt(json: unknown, ...path: string[]): readonly unknown[] {
  const list = valueAt(json, ...path)
  return Array.isArray(list) ? list : []
}

/** Text that says something. Mercado Pago sends the same attributes as a number here and as text there; both are text here. */
export function textAt(json: unknown, ...path: string[]): string | undefined {
  const value = valueAt(json, ...path)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** An id, as far as it is one. */
export function idAt(json: unknown, ...path: string[]): string | undefined {
  return parseId(textAt(json, ...path))
}

/**
 * Ids are put into the paths of requests that carry the merchant's access token, so nothing may stand in them that means anything there.
 * Their own are digits, UUIDs and ULIDs; the underscore is in their samples.
 */
export function parseId(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : undefined
}

/** Ms, by the offset that is stated. Without one there is no telling which moment is meant. */
export function timeAt(json: unknown, ...path: string[]): number | undefined {
  const text = textAt(json, ...path)
  const time = text !== undefined && /T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
