import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { keyHint, mintKey, mintSecret, parseKeyKind } from './keys.ts'

const KINDS = ['pk', 'sk', 'wk', 'adm'] as const
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('A key', () => {
  it('says its kind, has 256 bits behind it and never comes twice', () => {
    for (const kind of KINDS) {
      const keys = new Set(Array.from({ length: 200 }, () => mintKey(kind)))
      assert.equal(keys.size, 200)
      for (const key of keys) {
        assert.match(key, new RegExp(`^${kind}_[0-9A-Za-z]{49}$`))
        assert.equal(parseKeyKind(key), kind)
      }
    }
  })

  it('with one character mistyped is seen without a look-up', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.nat(48), fc.nat(60), (kind, at, step) => {
        const key = mintKey(kind)
        const place = kind.length + 1 + at
        const other = ALPHABET[(ALPHABET.indexOf(key[place] ?? '') + 1 + step) % ALPHABET.length] ?? ''
        assert.equal(parseKeyKind(key.slice(0, place) + other + key.slice(place + 1)), undefined)
      }),
    )
  })

  it('with two neighbours swapped is seen without a look-up', () => {
    fc.assert(
      fc.property(fc.nat(47), (at) => {
        const key = mintKey('sk')
        const [a = '', b = ''] = [key[3 + at], key[4 + at]]
        fc.pre(a !== b)
        assert.equal(parseKeyKind(key.slice(0, 3 + at) + b + a + key.slice(5 + at)), undefined)
      }),
    )
  })

  it('of one kind never passes for another under a changed prefix', () => {
    for (const kind of KINDS) {
      const body = mintKey(kind).slice(kind.length)
      for (const other of KINDS) if (other !== kind) assert.equal(parseKeyKind(other + body), undefined)
    }
  })

  it('longer, shorter or with anything around it is none', () => {
    const key = mintKey('sk')
    for (const text of ['', 'sk_', key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase(), `sk_${key}`]) {
      assert.equal(parseKeyKind(text), undefined, JSON.stringify(text))
    }
    fc.assert(fc.property(fc.string(), (text) => assert.equal(parseKeyKind(text), undefined)))
  })

  it('is hinted at by its first and last four characters alone', () => {
    const key = mintKey('adm')
    assert.equal(keyHint(key), `${key.slice(0, 7)}…${key.slice(-4)}`)
    assert.equal(keyHint(key).length, 12)
  })

  it('for cookies has 256 bits as base64url', () => {
    const secrets = new Set(Array.from({ length: 100 }, mintSecret))
    assert.equal(secrets.size, 100)
    for (const secret of secrets) assert.match(secret, /^[\w-]{43}$/)
  })
})
