import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { deriveKeys, parseMasterKey } from './master-key.ts'

describe('The master key', () => {
  it('is read as base64 or base64url, padded or not, with white space around it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const key = Buffer.from(bytes)
        for (const text of [
          key.toString('base64'),
          key.toString('base64').replace('=', ''),
          key.toString('base64url'),
          ` ${key.toString('base64')}\n`,
        ]) {
          assert.deepEqual(parseMasterKey(text), key)
        }
      }),
    )
  })

  it('of any other length or alphabet is refused', () => {
    for (const length of [0, 16, 31, 33, 64]) assert.equal(parseMasterKey(randomBytes(length).toString('base64')), undefined)
    for (const text of [
      randomBytes(32).toString('hex'),
      `${'A'.repeat(42)}!=`,
      `${'A'.repeat(43)}==`,
      'a passphrase of some length that is no key',
    ]) {
      assert.equal(parseMasterKey(text), undefined, text)
    }
  })

  it('yields a different key for each use, and the same ones every time', () => {
    const master = Buffer.alloc(32, 7)
    const keys = Object.values(deriveKeys(master)).map((key: Buffer) => key.toString('hex'))
    assert.equal(new Set([...keys, master.toString('hex')]).size, keys.length + 1)
    assert.deepEqual(deriveKeys(master), deriveKeys(Buffer.from(master)))
    assert.notDeepEqual(deriveKeys(master), deriveKeys(Buffer.alloc(32, 8)))
  })
})
