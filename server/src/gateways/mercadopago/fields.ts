import { type Stated, statedDecimal } from '../adapter-kit/money.ts'

/** The value at a path of unknown JSON; `undefined` where there is none. */
export function valueAt(json: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), json)
}

export function listAt(json: unknown, ...path: string[]): readonly unknown[] {
  const list = valueAt(json, ...path)
  return Array.isArray(list) ? list : []
}

/** Text that is not empty. Mercado Pago sends some attributes as number or as text; both become text here. */
export function textAt(json: unknown, ...path: string[]): string | undefined {
  const value = valueAt(json, ...path)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** A valid id. */
export function idAt(json: unknown, ...path: string[]): string | undefined {
  return parseId(textAt(json, ...path))
}

/**
 * Ids are put into the paths of requests with the merchant's access token, so no character with a meaning there is allowed. Real ids are
 * digits, UUIDs and ULIDs; the underscore is in their samples.
 */
export function parseId(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : undefined
}

/** Ms, by the stated offset. A time without an offset is ambiguous. */
export function timeAt(json: unknown, ...path: string[]): number | undefined {
  const text = textAt(json, ...path)
  const time = text !== undefined && /T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** Other currencies have other units: their amounts stand apart. */
export function amountAt(thing: unknown, name: string): Stated {
  return statedDecimal(textAt(thing, 'currency_id') ?? 'BRL', valueAt(thing, name))
}

/** All that was given back of an order so far; unknown where one of its refunds does not say how much. */
export function givenBackOf(order: unknown): { amount: number | undefined } {
  const amounts = listAt(order, 'transactions', 'refunds').map((refund) => amountAt(refund, 'amount').amount)
  if (amounts.length === 0) return { amount: undefined }
  return { amount: amounts.reduce<number | undefined>((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0) }
}
