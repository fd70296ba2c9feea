import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { purchaseVectors, VECTOR_SECRET } from '../../test/vectors/purchase-signatures.ts'
import { parseSignedBody, refuseSignature, signPurchase } from './purchase-signature.ts'

const REFUSALS = { valid: undefined, 'Assinatura ausente': 'signature_missing', 'Assinatura invalida': 'signature_invalid' } as const
const secret = Buffer.from(VECTOR_SECRET)

describe("A purchase notification's signature", () => {
  for (const { name, rawBody, signedText, expect } of purchaseVectors) {
    it(`made elsewhere: ${name}: ${expect}`, () => {
      const body = parseSignedBody(rawBody) ?? assert.fail('not read')
      assert.equal(refuseSignature(body, [secret]), REFUSALS[expect])
      if (expect === 'valid') assert.equal(body.signedText, signedText)
      if (expect === 'valid') assert.equal(signPurchase(signedText, secret), String(body.signature).toLowerCase())
    })
  }

  it('is good with either of two secrets and with no third', () => {
    const signedText = '{"event":"x"}'
    const [old, young, foreign] = ['the old one', 'the young one', 'a foreign one'].map((text) => Buffer.from(text))
    assert.ok(old && young && foreign)
    const by = (key: Buffer) => ({ signature: signPurchase(signedText, key), signedText })
    assert.equal(refuseSignature(by(old), [old, young]), undefined)
    assert.equal(refuseSignature(by(young), [old, young]), undefined)
    assert.equal(refuseSignature(by(foreign), [old, young]), 'signature_invalid')
    assert.equal(refuseSignature(by(young), [old]), 'signature_invalid')
    assert.equal(refuseSignature(by(old), []), 'signature_invalid')
  })

  it('is made over the body written again without its top-level signature, whatever the sender wrote around it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.nat(4), (rest, signature, indent) => {
        fc.pre(!JSON.stringify(rest).includes('__proto__'))
        const { signature: _, ...body } = rest
        const read = parseSignedBody(JSON.stringify({ signature, ...body }, undefined, indent))
        assert.deepEqual(read, { signature, signedText: JSON.stringify(JSON.parse(JSON.stringify(body))) })
      }),
    )
  })

  for (const [what, text] of [
    ['no JSON', '{"event":'],
    ['nothing', ''],
    ['a byte order mark first', '\ufeff{}'],
    ['an array', '[{"event":"x"}]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['a __proto__ key', '{"__proto__":{"a":1}}'],
    ['an escaped __proto__ key', '{"\\u005f_proto__":null}'],
    ['a __proto__ key further in', '{"a":[{"b":{"__proto__":1}}]}'],
    ['a nest of 100,000 arrays', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a nest of 100,000 objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ] as const)
    it(`is not looked for in ${what}`, () => assert.equal(parseSignedBody(text), undefined))

  it('is not disturbed by keys that other objects inherit', () => {
    const text = '{"constructor":{"prototype":1},"toString":null,"toJSON":"x","hasOwnProperty":1,"valueOf":[]}'
    assert.deepEqual(parseSignedBody(text), { signature: undefined, signedText: text })
  })
})
