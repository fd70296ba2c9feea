/** No field of ours is nested as deep; deeper input could overflow a recursive reader. */
const DEEPEST = 20

export function holdsUnstorable(value: unknown, left = DEEPEST): boolean {
  if (typeof value === 'string') return isUnstorable(value)
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.entries(value).some(([key, inner]) => isUnstorable(key) || holdsUnstorable(inner, left - 1))
}

/** PostgreSQL's text can't hold a NUL, nor UTF-8 half of a surrogate pair: a text with either can neither be found nor stored. */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}
