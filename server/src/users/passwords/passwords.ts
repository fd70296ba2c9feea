import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { constantTimeEqual } from '../../kit/index.ts'
import { derive, LANES, MEMORY_KIB, PASSES, parseHash, SALT_BYTES, TAG_BYTES, unpadded } from './argon2id.ts'
import { parseForeignHash } from './foreign/foreign-hash.ts'
import { verifyForeign } from './foreign/verify-foreign.ts'
import { createQueue, type InTurn } from './password-queue.ts'
import { MAX_BYTES } from './refuse-password.ts'

const MAX_QUEUED = 64

export interface PasswordHasher {
  /** The PHC string to store. */
  hash(password: string): Promise<string | 'busy'>
  /** Whether the password is the hashed one. Without a hash it does the same work and answers `false`. */
  verify(password: string, hash: string | undefined): Promise<boolean | 'busy'>
  /**
   * Takes a place in the queue before any other work for a password; `busy` when the queue is full. Turns come in the order of the places.
   */
  enter(): Place | 'busy'
  /** The length of the queue for a core. */
  queued(): number
}

/** A place in the queue, good for one password. */
export interface Place {
  /**
   * As the hasher's own `verify`, but never `busy`. A hash may be a foreign one. `foreignCosts` are those of all that are stored: one of
   * each is computed, and our own, whatever the hash.
   */
  verify(password: string, hash: string | undefined, foreignCosts?: readonly string[]): Promise<boolean>
  /** The PHC string to store. */
  hash(password: string): Promise<string>
  /** Frees the place. Call it in any case; a second call does nothing. */
  leave(): void
}

/**
 * Hashes with argon2id on Node's worker threads, one at a time for each core. Up to 64 more wait; further calls get `busy` before any work,
 * so that a flood of sign-ins can't take all memory or cores.
 */
export function createPasswordHasher({ cores = availableParallelism() }: { cores?: number } = {}): PasswordHasher {
  const queue = createQueue(cores, cores + MAX_QUEUED)
  const absent = { salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES), memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }
  const compare = async (password: string, hash: string | undefined, inTurn: InTurn, foreignCosts: readonly string[] = []) => {
    const stored = hash === undefined ? undefined : parseHash(hash)
    const expected = stored ?? absent
    const isShort = Buffer.byteLength(password) <= MAX_BYTES
    const [typed, foreign] = [isShort ? password : '', hash === undefined ? undefined : parseForeignHash(hash)]
    const { tag, isForeign } = await inTurn(async () => ({
      tag: await derive(typed, expected),
      isForeign: await verifyForeign(typed, foreign, foreignCosts),
    }))
    return isShort && ((constantTimeEqual(tag, expected.tag) && stored !== undefined) || isForeign)
  }
  const hashIn = async (password: string, inTurn: InTurn) => {
    const salt = randomBytes(SALT_BYTES)
    const tag = await inTurn(() => derive(password, { salt, memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }))
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(tag)}`
  }
  const enter = (): Place | 'busy' => {
    const place = queue.enter()
    if (place === 'full') return 'busy'
    const { inTurn, leave } = place
    return {
      verify: (password, hash, foreignCosts) => compare(password, hash, inTurn, foreignCosts),
      hash: (password) => hashIn(password, inTurn),
      leave,
    }
  }
  return {
    enter,
    async hash(password) {
      const place = enter()
      if (place === 'busy') return 'busy'
      try {
        return await place.hash(password)
      } finally {
        place.leave()
      }
    },
    async verify(password, hash) {
      const place = enter()
      if (place === 'busy') return 'busy'
      try {
        return await place.verify(password, hash)
      } finally {
        place.leave()
      }
    },
    queued: queue.queued,
  }
}
