import { randomBytes } from 'node:crypto'
import { BCRYPT_TAG_BYTES, type BcryptForm, MIN_BCRYPT_LOG_ROUNDS } from './bcrypt.ts'

/**
 * A password's hash that another system made, until its user signs in. It is stored as `$f$KIND$PARAMETERS$SALT$TAG`, the last two in
 * base64url. Everything before the salt is its *cost*: hashes with one cost take the same time.
 */
export interface ForeignHash {
  cost: string
  salt: Buffer
  tag: Buffer
}

/** How a cost is computed. All numbers are within the limits. */
export type Derivation =
  | { kind: 'argon2id' | 'argon2i' | 'argon2d'; memory: number; passes: number; lanes: number; length: number }
  | { kind: 'scrypt'; logN: number; blockSize: number; lanes: number; length: number; form: 'as_typed' | 'nfkc' }
  | { kind: 'pbkdf2'; digest: 'sha1' | 'sha256' | 'sha512'; iterations: number; length: number }
  | { kind: 'firebase'; logN: number; blockSize: number; signerKey: Buffer; separator: Buffer; length: number }
  | { kind: 'phpass'; logRounds: number; length: number }
  | { kind: 'bcrypt'; logRounds: number; form: BcryptForm; length: number }

export type TooDear = { tooDear: string }

const PREFIX = '$f$'
const SALT_BYTES = 16

/** Every sign-in computes one hash of each cost, so an import adds no more costs than these. */
export const MAX_FOREIGN_COSTS = 4

/** What one sign-in may cost at most; every sign-in pays it while such a hash is stored. */
export const FOREIGN_LIMITS = {
  argonMemoryKib: 131_072,
  argonMemoryTimesPasses: 524_288,
  scryptMemoryBytes: 128 * 1024 * 1024,
  scryptWork: 1 << 20,
  pbkdf2Rounds: 2_000_000,
  phpassLogRounds: 16,
  bcryptLogRounds: 13,
  length: 128,
} as const

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

/** `undefined` for a text that is no cost, or one beyond a limit: such a hash is never computed. */
export function parseCost(cost: string): Derivation | undefined {
  const [, , kind = '', parameters = ''] = cost.split('$')
  const derivation = read(kind, new Map(parameters.split(',').map((pair) => [pair.slice(0, 1), pair.slice(2)])))
  return derivation && findLimit(derivation) === undefined ? derivation : undefined
}

function read(kind: string, values: ReadonlyMap<string, string>): Derivation | undefined {
  const number = (name: string) => Number(values.get(name))
  const bytes = (name: string) => Buffer.from(values.get(name) ?? '', 'base64url')
  const length = number('l')
  if (kind === 'argon2id' || kind === 'argon2i' || kind === 'argon2d')
    return { kind, memory: number('m'), passes: number('t'), lanes: number('p'), length }
  if (kind === 'scrypt') {
    const form = values.get('f') === 'nfkc' ? 'nfkc' : 'as_typed'
    return { kind, logN: number('n'), blockSize: number('r'), lanes: number('p'), length, form }
  }
  const digest = values.get('h')
  if (kind === 'pbkdf2' && (digest === 'sha1' || digest === 'sha256' || digest === 'sha512'))
    return { kind, digest, iterations: number('i'), length }
  if (kind === 'firebase') return { kind, logN: number('n'), blockSize: number('r'), signerKey: bytes('k'), separator: bytes('s'), length }
  if (kind === 'bcrypt') return { kind, logRounds: number('n'), form: values.get('f') === 'wordpress' ? 'wordpress' : 'as_typed', length }
  return kind === 'phpass' ? { kind, logRounds: number('n'), length } : undefined
}

function costText(derivation: Derivation): string {
  const { kind, length } = derivation
  const text = (parameters: string) => `${PREFIX}${kind}$${parameters},l=${length}`
  switch (derivation.kind) {
    case 'scrypt':
      return text(`n=${derivation.logN},r=${derivation.blockSize},p=${derivation.lanes},f=${derivation.form}`)
    case 'pbkdf2':
      return text(`h=${derivation.digest},i=${derivation.iterations}`)
    case 'firebase': {
      const [key, separator] = [derivation.signerKey.toString('base64url'), derivation.separator.toString('base64url')]
      return text(`n=${derivation.logN},r=${derivation.blockSize},k=${key},s=${separator}`)
    }
    case 'phpass':
      return text(`n=${derivation.logRounds}`)
    case 'bcrypt':
      return text(`n=${derivation.logRounds},f=${derivation.form}`)
    default:
      return text(`m=${derivation.memory},t=${derivation.passes},p=${derivation.lanes}`)
  }
}

/** The limit that a hash is beyond, for whoever imports it. */
function findLimit(derivation: Derivation): string | undefined {
  const { kind, length } = derivation
  if (!isWithin(length, FOREIGN_LIMITS.length)) return `the hash itself: ${FOREIGN_LIMITS.length} bytes at most`
  switch (kind) {
    case 'scrypt':
      return scryptLimit(derivation.logN, derivation.blockSize, derivation.lanes)
    case 'firebase':
      return scryptLimit(derivation.logN, derivation.blockSize, 1)
    case 'pbkdf2': {
      const blocks = Math.ceil(length / { sha1: 20, sha256: 32, sha512: 64 }[derivation.digest])
      const most = Math.floor(FOREIGN_LIMITS.pbkdf2Rounds / blocks)
      return isWithin(derivation.iterations, most) ? undefined : `PBKDF2: ${most} iterations at most`
    }
    case 'phpass':
      return isWithin(derivation.logRounds, FOREIGN_LIMITS.phpassLogRounds)
        ? undefined
        : `phpass: 2^${FOREIGN_LIMITS.phpassLogRounds} rounds at most`
    case 'bcrypt':
      return bcryptLimit(derivation)
    default:
      return argonLimit(derivation)
  }
}

function bcryptLimit({ logRounds, length }: { logRounds: number; length: number }): string | undefined {
  const isKnown = logRounds >= MIN_BCRYPT_LOG_ROUNDS && length === BCRYPT_TAG_BYTES
  if (isKnown && isWithin(logRounds, FOREIGN_LIMITS.bcryptLogRounds)) return undefined
  return `bcrypt: a cost of ${FOREIGN_LIMITS.bcryptLogRounds} at most`
}

function argonLimit({ memory, passes, lanes }: { memory: number; passes: number; lanes: number }): string | undefined {
  const { argonMemoryKib, argonMemoryTimesPasses } = FOREIGN_LIMITS
  if (!isWithin(lanes, 16) || !isWithin(memory, argonMemoryKib)) return `argon2: m=${argonMemoryKib} (KiB) and 16 lanes at most`
  return isWithin(passes * memory, argonMemoryTimesPasses) ? undefined : `argon2: m × t = ${argonMemoryTimesPasses} at most`
}

function scryptLimit(logN: number, blockSize: number, lanes: number): string | undefined {
  const { scryptMemoryBytes, scryptWork } = FOREIGN_LIMITS
  const [n, r, p] = [2 ** logN, blockSize, lanes]
  const isSmall = isWithin(logN, 30) && isWithin(r, 64) && isWithin(p, 16) && 128 * n * r <= scryptMemoryBytes && n * r * p <= scryptWork
  return isSmall ? undefined : `scrypt: 128 × N × r = ${scryptMemoryBytes} bytes and N × r × p = ${scryptWork} at most`
}

function isWithin(number: number, most: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= most
}
