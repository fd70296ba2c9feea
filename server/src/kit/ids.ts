import { v7, validate } from 'uuid'

/** A fresh UUIDv7 (RFC 9562 §5.7): sorts by the time it was made. */
export function newId(): string {
  return v7()
}

export function isUuid(text: string): boolean {
  return validate(text)
}
