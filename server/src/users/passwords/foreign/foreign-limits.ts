import { BCRYPT_TAG_BYTES, type BcryptForm, MIN_BCRYPT_LOG_ROUNDS } from './bcrypt.ts'

/** How a cost is computed. All numbers are within the limits. */
export type Derivation =
  | { kind: 'argon2id' | 'argon2i' | 'argon2d'; memory: number; passes: number; lanes: number; length: number }
  | { kind: 'scrypt'; logN: number; blockSize: number; lanes: number; length: number; form: 'as_typed' | 'nfkc' }
  | { kind: 'pbkdf2'; digest: 'sha1' | 'sha256' | 'sha512'; iterations: number; length: number }
  | { kind: 'firebase'; logN: number; blockSize: number; signerKey: Buffer; separator: Buffer; length: number }
  | { kind: 'phpass'; logRounds: number; length: number }
  | { kind: 'bcrypt'; logRounds: number; form: BcryptForm; length: number }

/** Every sign-in computes one hash of each cost, so an import adds no more costs than these. */
export const MAX_FOREIGN_COSTS = 4

/** The highest cost of a foreign hash. Every sign-in pays it while such a hash is stored. */
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

/** The limit that a hash exceeds, as a text for the operator who imports it; `undefined` where it exceeds none. */
export function findLimit(derivation: Derivation): string | undefined {
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
