import type { z } from 'zod'

/** The errors of an invalid purchase notification, field by field, as in `data.amount missing`. Quotes no field's value. */
export function purchaseFaults(error: z.ZodError, body: unknown): string[] {
  return error.issues.map(({ path, code }) => `${path.join('.')} ${faultOf(code, valueAt(body, path), path)}`.trim())
}

function faultOf(code: z.core.$ZodIssue['code'], value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined || value === null) return 'missing'
  if (path.length === 1 && path[0] === 'event') return typeof value === 'string' ? 'unknown' : 'wrong_type'
  return code === 'invalid_type' ? 'wrong_type' : 'malformed'
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value)
}
