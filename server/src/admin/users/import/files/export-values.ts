import { languageOf } from '../../../../pages/index.ts'

/** The fields of a record, of another system's export or of ours. */
export type Fields = Record<string, unknown>

/** A language that has texts here; others are left out. */
export function language(value: unknown): string | undefined {
  return languageOf(text(value))
}

/** Objects in a list, or in the text of one, as tables have it. */
export function list(value: unknown): Fields[] {
  const found = object(value)
  return Array.isArray(found) ? found.map(object) : []
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Databases with numbers have numbers as ids. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : text(value)
}

export function joined(...values: unknown[]): string | undefined {
  return text(values.map((value) => text(value) ?? '').join(' '))
}

export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && ['true', 't', '1'].includes(value.trim().toLowerCase()))
}

/** An object, or the text of one, as tables have it. */
export function object(value: unknown): Fields {
  if (typeof value === 'object' && value !== null) return value as Fields
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
    return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : {}
  } catch {
    return {}
  }
}

/** Milliseconds, or a time as databases write it: UTC where it names no zone. */
export function time(value: unknown): string | undefined {
  const ms = typeof value === 'number' || (typeof value === 'string' && /^\d{12,14}$/.test(value)) ? Number(value) : undefined
  const written = text(value)
    ?.replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
    .replace(/([+-]\d\d)$/, '$1:00')
  if (written === undefined && ms === undefined) return undefined
  const at = ms ?? Date.parse(/T[\d:.]+$/.test(written ?? '') ? `${written}Z` : (written ?? ''))
  return Number.isFinite(at) && Math.abs(at) < 8e15 ? new Date(at).toISOString() : written
}
