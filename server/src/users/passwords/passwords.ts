import { argon2, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { constantTimeEqual } from '../../kit/index.ts'
import { parseForeignHash } from './foreign/foreign-hash.ts'
import { verifyForeign } from './foreign/verify-foreign.ts'

/** OWASP's argon2id parameters for this memory: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const TAG_BYTES = 32
const MAX_QUEUED = 64
const MIN_CHARACTERS = 8
const MAX_BYTES = 1_024

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

/** Why a password can't be set; `undefined` when it can. Only length decides here: no composition rules (NIST SP 800-63B §3.1.1.2). */
export function refusePassword(password: string): 'too_short' | 'too_long' | undefined {
  if (Buffer.byteLength(password) > MAX_BYTES) return 'too_long'
  return [...password].length < MIN_CHARACTERS ? 'too_short' : undefined
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

interface Parameters {
  salt: Buffer
  memory: number
  passes: number
  parallelism: number
}

function derive(password: string, { salt, ...parameters }: Parameters): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const message = Buffer.from(password.normalize('NFC'))
  const { memory, passes, parallelism } = parameters
  argon2('argon2id', { message, nonce: salt, parallelism, tagLength: TAG_BYTES, memory, passes }, (error, tag) =>
    error ? reject(error) : resolve(tag),
  )
  return promise
}

/** Parses a PHC string of ours; `undefined` for anything else, which is not a password's hash. */
function parseHash(text: string): (Parameters & { tag: Buffer }) | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text)
  if (!match) return undefined
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Runs `atOnce` of the `most` that are inside; the next turn goes to the one that is ready and came in first. */
function createQueue(atOnce: number, most: number) {
  const ready: Array<{ number: number; start: () => void }> = []
  let inside = 0
  let running = 0
  let numbers = 0
  const turnOf = (number: number) =>
    new Promise<void>((start) => {
      const behind = ready.findLastIndex((other) => other.number < number)
      ready.splice(behind + 1, 0, { number, start })
    })
  const enter = (): { inTurn: InTurn; leave(): void } | 'full' => {
    if (inside >= most) return 'full'
    inside++
    const number = numbers++
    const inTurn: InTurn = async (work) => {
      if (running >= atOnce) await turnOf(number)
      else running++
      try {
        return await work()
      } finally {
        const next = ready.shift()
        if (next) next.start()
        else running--
      }
    }
    let hasLeft = false
    const leave = () => {
      if (!hasLeft) inside--
      hasLeft = true
    }
    return { inTurn, leave }
  }
  return { enter, queued: () => ready.length }
}
