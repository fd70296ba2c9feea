import { argon2Sync, createCipheriv, hash, pbkdf2Sync, scryptSync } from 'node:crypto'
import { constantTimeEqual } from '../../../kit/index.ts'
import { deriveBcrypt } from './bcrypt.ts'
import { parseCost } from './foreign-cost.ts'
import type { ForeignHash } from './foreign-hash.ts'

/** Whether the password is the hashed one. It blocks for as long as the hash costs: only the thread for it calls this. */
export function isForeignMatch(password: string, { cost, salt, tag }: ForeignHash): boolean {
  const derived = derive(password, cost, salt)
  return derived !== undefined && derived.length === tag.length && constantTimeEqual(derived, tag)
}

function derive(password: string, cost: string, salt: Buffer): Buffer | undefined {
  const how = parseCost(cost)
  if (!how) return undefined
  const message = Buffer.from(password)
  switch (how.kind) {
    case 'scrypt':
      return scryptSync(how.form === 'nfkc' ? password.normalize('NFKC') : message, salt, how.length, scryptOptions(how, how.lanes))
    case 'pbkdf2':
      return pbkdf2Sync(message, salt, how.iterations, how.length, how.digest)
    case 'firebase': {
      // Firebase's own form of scrypt: the derived key encrypts the project's signer key.
      const key = scryptSync(message, Buffer.concat([salt, how.separator]), 32, scryptOptions(how, 1))
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
      return Buffer.concat([cipher.update(how.signerKey), cipher.final()])
    }
    case 'phpass':
      return phpass(message, salt, 2 ** how.logRounds)
    case 'bcrypt':
      return deriveBcrypt(password, salt, how)
    default: {
      const { memory, passes, lanes, length } = how
      return argon2Sync(how.kind, { message, nonce: salt, parallelism: lanes, tagLength: length, memory, passes })
    }
  }
}

function scryptOptions({ logN, blockSize }: { logN: number; blockSize: number }, lanes: number) {
  const N = 2 ** logN
  return { N, r: blockSize, p: lanes, maxmem: 128 * blockSize * (N + lanes + 2) + 1024 }
}

/** The portable hash of PHP's phpass: MD5, over and over. */
function phpass(password: Buffer, salt: Buffer, rounds: number): Buffer {
  let state = hash('md5', Buffer.concat([salt, password]), 'buffer')
  for (let round = 0; round < rounds; round++) state = hash('md5', Buffer.concat([state, password]), 'buffer')
  return state
}
