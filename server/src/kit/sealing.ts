import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { sha256Hex } from './hashing.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/** One question to the system for many values: it takes as long for one. */
const drawn = { bytes: Buffer.alloc(0), at: 0 }

/** Bytes that no value before had (NIST SP 800-38D §8.2.2). Nothing else sees them, and none is used twice. */
function mintIv(): Buffer {
  if (drawn.at >= drawn.bytes.length) Object.assign(drawn, { bytes: randomBytes(IV_BYTES * 256), at: 0 })
  const iv = drawn.bytes.subarray(drawn.at, drawn.at + IV_BYTES)
  drawn.at += IV_BYTES
  return iv
}

/**
 * Encrypts and authenticates small values. `place` (for a column: `table.column.row`) is bound in, so that a value moved elsewhere does not
 * open.
 */
export interface Sealer {
  seal(plain: string, place: string): string
  /** The plain text, or `undefined` when the value was altered, belongs elsewhere or was sealed with a key that is not here. */
  open(sealed: string, place: string): string | undefined
  /** True when the value was sealed with another key than the current one, so that it should be sealed again. */
  isStale(sealed: string): boolean
}

/** AES-256-GCM. The first key seals; all of them open, found by the key id in front of each value. */
export function createSealer(keys: readonly [Uint8Array, ...Uint8Array[]]): Sealer {
  // Raw bytes would be made a key object at each use, which takes longer than the encryption.
  const byId = new Map(keys.map((key) => [keyId(key), createSecretKey(key)]))
  const current = createSecretKey(keys[0])
  const currentId = keyId(keys[0])
  return {
    seal(plain, place) {
      const iv = mintIv()
      const cipher = createCipheriv('aes-256-gcm', current, iv)
      cipher.setAAD(Buffer.from(`${currentId}:${place}`))
      const box = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${currentId}.${box.toString('base64url')}`
    },
    open(sealed, place) {
      const [id = '', text = ''] = sealed.split('.', 2)
      const key = byId.get(id)
      const box = Buffer.from(text, 'base64url')
      // Node reads base64 leniently: only one spelling of a value is accepted here, so that an altered one is refused.
      if (!key || box.length < IV_BYTES + TAG_BYTES || sealed !== `${id}.${box.toString('base64url')}`) return undefined
      return decrypt(key, box, `${id}:${place}`)
    },
    isStale: (sealed) => !sealed.startsWith(`${currentId}.`),
  }
}

function decrypt(key: KeyObject, box: Buffer, associated: string): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(associated))
  decipher.setAuthTag(box.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(box.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined // the tag does not match: altered, or sealed for another place
  }
}

/** Eight hex digits that name a key without giving it away. */
function keyId(key: Uint8Array): string {
  return sha256Hex(Buffer.concat([Buffer.from('portaria/key-id'), key])).slice(0, 8)
}
