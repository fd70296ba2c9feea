import { v7, validate } from 'uuid'

/** A fresh UUIDv7 (RFC 9562 §5.7): sorts by the time it was made. */
export function newId(): string {
  return v7()
}

/** The least id that could be made at a moment (ms): ids from there on are of it, or later. */
export function firstIdAt(at: number): string {
  const hex = Math.max(0, Math.trunc(at)).toString(16).padStart(12, '0').slice(-12)
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** When an id of ours was made (ms): its first 48 bits (RFC 9562 §5.7). */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

export function isUuid(text: string): boolean {
  return validate(text)
}
