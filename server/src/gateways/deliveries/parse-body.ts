/** Gateways nest about ten deep; a much deeper payload is meant to break its later readers. */
const MAX_DEPTH = 100

export function parseBody(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value, MAX_DEPTH) ? { value } : undefined
  } catch {
    return undefined // not JSON: the caller chooses the refusal
  }
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every((part) => isShallow(part, depth - 1))
  for (const key in value) if (!isShallow(Reflect.get(value, key), depth - 1)) return false
  return true
}
