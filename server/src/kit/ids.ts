import { getRandomValues } from 'node:crypto'
import { v7, validate } from 'uuid'

const RANDOM_BYTES = 16
/** Made for many ids at once: a call takes longer than the rest of an id, and for many hardly longer than for one. */
const pool = new Uint8Array(256 * RANDOM_BYTES)
let used = pool.length

/** Of the last id: its moment in ms, and its number within that moment, 31 bits with a random start. */
let msecs = 0
let seq = 0

/** A fresh UUIDv7 (RFC 9562 §5.7): sorts by the time it was made, and after all earlier ones of this process, whatever the clock does. */
export function newId(): string {
  const random = nextRandom()
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else if (++seq >= 2 ** 32) {
    msecs++
    seq = 0
  }
  return v7({ random, msecs, seq })
}

function nextRandom(): Uint8Array {
  if (used === pool.length) {
    getRandomValues(pool)
    used = 0
  }
  used += RANDOM_BYTES
  return pool.subarray(used - RANDOM_BYTES, used)
}

/** The least id of a moment (ms): greater ids were made then, or later. */
export function firstIdAt(at: number): string {
  const hex = Math.max(0, Math.trunc(at)).toString(16).padStart(12, '0').slice(-12)
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The time of an id of ours (ms): its first 48 bits (RFC 9562 §5.7). */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

export function isUuid(text: string): boolean {
  return validate(text)
}
