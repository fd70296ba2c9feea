import { argon2 } from 'node:crypto'

/** OWASP's argon2id parameters for this memory: 19 MiB, two passes, one lane. */
export const MEMORY_KIB = 19_456

export const PASSES = 2

export const LANES = 1

export const SALT_BYTES = 16

export const TAG_BYTES = 32

interface Parameters {
  salt: Buffer
  memory: number
  passes: number
  parallelism: number
}

export function derive(password: string, { salt, ...parameters }: Parameters): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const message = Buffer.from(password.normalize('NFC'))
  const { memory, passes, parallelism } = parameters
  argon2('argon2id', { message, nonce: salt, parallelism, tagLength: TAG_BYTES, memory, passes }, (error, tag) =>
    error ? reject(error) : resolve(tag),
  )
  return promise
}

/** Parses a PHC string of ours; `undefined` for anything else, which is not a password's hash. */
export function parseHash(text: string): (Parameters & { tag: Buffer }) | undefined {
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

export function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
