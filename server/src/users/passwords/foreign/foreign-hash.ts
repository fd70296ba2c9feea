import { randomBytes } from 'node:crypto'
import { costText, PREFIX, parseCost } from './foreign-cost.ts'
import { type Derivation, findLimit } from './foreign-limits.ts'

/**
 * A password's hash that another system made, until its user signs in. It is stored as `$f$KIND$PARAMETERS$SALT$TAG`, the last two in
 * base64url. Everything before the salt is its *cost*: hashes with one cost take the same time.
 */
export interface ForeignHash {
  cost: string
  salt: Buffer
  tag: Buffer
}

export type TooDear = { tooDear: string }

const SALT_BYTES = 16

/** A stored text that is a foreign hash; `undefined` for a hash of ours and for anything else. */
export function parseForeignHash(stored: string): ForeignHash | undefined {
  if (!stored.startsWith(PREFIX)) return undefined
  const parts = stored.split('$')
  const [, , kind, parameters, salt, tag] = parts
  if (parts.length !== 6 || !kind || !salt || !tag) return undefined
  return { cost: `${PREFIX}${kind}$${parameters}`, salt: Buffer.from(salt, 'base64url'), tag: Buffer.from(tag, 'base64url') }
}

export function isForeignHash(stored: string): boolean {
  return parseForeignHash(stored) !== undefined
}

/** The text to store, or the limit that the hash is beyond. */
export function storedForeignHash(derivation: Derivation, salt: Buffer, tag: Buffer): string | TooDear {
  const limit = findLimit(derivation)
  if (limit !== undefined) return { tooDear: limit }
  return `${costText(derivation)}$${salt.toString('base64url')}$${tag.toString('base64url')}`
}

/** A hash of this cost that no password has. */
export function decoyOf(cost: string): ForeignHash {
  return { cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(parseCost(cost)?.length ?? SALT_BYTES) }
}
