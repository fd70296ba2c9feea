/** Readers of JSON from outside: each answers `undefined` or `null` for a value of another type. */
export type Json = Record<string, unknown>

export function asObject(value: unknown): Json | undefined {
  return isObject(value) ? value : undefined
}

function isObject(value: unknown): value is Json {
  return Object(value) === value && !Array.isArray(value)
}

/** The object in a JSON text; `undefined` for every other text, as a proxy's page. */
export function parseJson(text: string | undefined): Json | undefined {
  try {
    return asObject(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

export function textAt(object: Json | undefined, key: string): string | null {
  const value = object?.[key]
  return typeof value === 'string' ? value : null
}

export function numberAt(object: Json | undefined, key: string): number | undefined {
  const value = object?.[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
