import { argon2, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { constantTimeEqual } from '../kit/index.ts'

/** OWASP's argon2id parameters for this memory: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const TAG_BYTES = 32
const MAX_WAITING = 64
const MIN_CHARACTERS = 8
const MAX_BYTES = 1_024

export interface PasswordHasher {
  /** The PHC string to store. */
  hash(password: string): Promise<string | 'busy'>
  /** Whether the password is the one hashed. With no hash at hand it does the same work and answers `false`. */
  verify(password: string, hash: string | undefined): Promise<boolean | 'busy'>
  /** How many wait for a core. */
  waiting(): number
}

/** Why a password can't be set; `undefined` when it can. Length alone decides here: no composition rules (NIST SP 800-63B §3.1.1.2). */
export function refusePassword(password: string): 'too_short' | 'too_long' | undefined {
  if (Buffer.byteLength(password) > MAX_BYTES) return 'too_long'
  return [...password].length < MIN_CHARACTERS ? 'too_short' : undefined
}

/**
 * Hashes with argon2id on Node's worker threads, one at a time for each core; up to 64 more wait, and whoever comes then is told `busy`, so that a storm
 * of sign-ins can't take the memory or the cores from everything else.
 */
export function createPasswordHasher({ cores = availableParallelism() }: { cores?: number } = {}): PasswordHasher {
  const inTurn = createQueue(cores, MAX_WAITING)
  const absent = { salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES), memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      const tag = await inTurn(() => derive(password, { salt, memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }))
      if (tag === 'busy') return 'busy'
      return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(tag)}`
    },
    async verify(password, hash) {
      const stored = hash === undefined ? undefined : parseHash(hash)
      const expected = stored ?? absent
      const tag = await inTurn(() => derive(Buffer.byteLength(password) > MAX_BYTES ? '' : password, expected))
      if (tag === 'busy') return 'busy'
      return constantTimeEqual(tag, expected.tag) && stored !== undefined && Buffer.byteLength(password) <= MAX_BYTES
    },
    waiting: inTurn.waiting,
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

/** Reads a PHC string of ours; `undefined` for anything else, which then is no password's hash. */
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

function createQueue(atOnce: number, mostWaiting: number) {
  const line: Array<() => void> = []
  let running = 0
  const inTurn = async <T>(work: () => Promise<T>): Promise<T | 'busy'> => {
    if (running >= atOnce) {
      if (line.length >= mostWaiting) return 'busy'
      await new Promise<void>((resolve) => line.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
  return Object.assign(inTurn, { waiting: () => line.length })
}
