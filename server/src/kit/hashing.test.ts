import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { constantTimeEqual, hmacSha256, sha256Base64Url, sha256Hex } from './hashing.ts'

describe('Hashing and comparing', () => {
  it('agrees with the published vectors (FIPS 180-4, RFC 4231 §4.3)', () => {
    assert.equal(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    assert.equal(sha256Base64Url('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
    const mac = hmacSha256(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex')
    assert.equal(mac, '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })

  it('finds exactly equal values equal, of whatever lengths', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => assert.equal(constantTimeEqual(a, b), a === b)))
    fc.assert(fc.property(fc.string(), (a) => assert.equal(constantTimeEqual(a, Buffer.from(a)), true)))
  })

  it('refuses a value that is longer, shorter or empty, without a fault', () => {
    for (const other of ['', 'secre', 'secret!', 'secretsecret']) assert.equal(constantTimeEqual('secret', other), false)
  })
})
