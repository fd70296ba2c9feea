import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { purchaseVectors, VECTOR_SECRET } from '../../server/test/vectors/purchase-signatures.ts'
import { signPurchaseNotification, verifyPurchaseNotification } from './webhooks.ts'

const REFUSALS = { 'Assinatura ausente': 'signature_missing', 'Assinatura invalida': 'signature_invalid' } as const

describe('A purchase notification, in the client', () => {
  for (const { name, rawBody, signedText, expect } of purchaseVectors) {
    it(`made elsewhere: ${name}: ${expect}`, async () => {
      const read = await verifyPurchaseNotification(rawBody, VECTOR_SECRET)
      assert.deepEqual(read, expect === 'valid' ? { notification: JSON.parse(signedText) } : { refusal: REFUSALS[expect] })
      if (expect !== 'valid') return
      const { signature } = JSON.parse(rawBody)
      const signed = await signPurchaseNotification(JSON.parse(signedText), VECTOR_SECRET)
      assert.equal(signed.signature, signature.toLowerCase())
    })
  }

  it('verifies after any way through JSON, and no longer with one character changed that says anything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.nat(), async (body, at) => {
        fc.pre(!JSON.stringify(body).includes('__proto__'))
        const signed = JSON.stringify(await signPurchaseNotification(body, 'a secret of the two'))
        const { signature: _, ...rest } = JSON.parse(signed)
        assert.deepEqual(await verifyPurchaseNotification(signed, 'a secret of the two'), { notification: rest })
        assert.deepEqual(await verifyPurchaseNotification(new TextEncoder().encode(signed), ['another', 'a secret of the two']), {
          notification: rest,
        })
        assert.deepEqual(await verifyPurchaseNotification(signed, ['another', 'and one more']), { refusal: 'signature_invalid' })
        const place = at % signed.length
        const altered = `${signed.slice(0, place)}${signed[place] === '7' ? '8' : '7'}${signed.slice(place + 1)}`
        const read = await verifyPurchaseNotification(altered, 'a secret of the two')
        // A last digit that no number of JavaScript holds says the same as before.
        assert.ok('refusal' in read || JSON.stringify(read.notification) === JSON.stringify(rest), altered)
      }),
      { numRuns: 200 },
    )
  })

  it('is signed as it will arrive: dates as text, nothing where undefined stands, an old signature replaced', async () => {
    const at = new Date(1_000)
    const signed = await signPurchaseNotification({ event: 'x', at, none: undefined, signature: 'an old one' }, 'secret')
    assert.deepEqual(await verifyPurchaseNotification(JSON.stringify(signed), 'secret'), {
      notification: { event: 'x', at: '1970-01-01T00:00:01.000Z' },
    })
  })

  for (const [what, raw] of [
    ['no JSON', '{"event":'],
    ['nothing', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['a byte order mark first', new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a __proto__ key', '{"__proto__":{"a":1},"signature":"00"}'],
    ['a nest of 100,000 arrays', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ] as const)
    it(`is not looked for in ${what}`, async () =>
      assert.deepEqual(await verifyPurchaseNotification(raw, 'secret'), { refusal: 'payload_invalid' }))

  for (const signature of [undefined, null, ''] as const)
    it(`has none in ${JSON.stringify({ signature })}`, async () =>
      assert.deepEqual(await verifyPurchaseNotification(JSON.stringify({ a: 1, signature }), 'secret'), { refusal: 'signature_missing' }))

  for (const signature of [7, [], {}, true, 'ab', 'g'.repeat(64), `${'a'.repeat(64)}0`, ` ${'a'.repeat(63)}`, ['a'.repeat(64)]] as const)
    it(`has a wrong one in ${JSON.stringify(signature)}`, async () =>
      assert.deepEqual(await verifyPurchaseNotification(JSON.stringify({ a: 1, signature }), 'secret'), { refusal: 'signature_invalid' }))

  it('is what was signed, and nothing that is merely written the same', async () => {
    const signed = JSON.stringify(await signPurchaseNotification({ amount: null, n: 0 }, 'secret'))
    const tampered = signed.replace('null', '1e999').replace('"n":0', '"n":-0')
    assert.notEqual(tampered, signed)
    assert.deepEqual(await verifyPurchaseNotification(tampered, 'secret'), { notification: { amount: null, n: 0 } })
  })

  it('is never made or verified with a secret that is no text', async () => {
    const sent = JSON.stringify(await signPurchaseNotification({ a: 1 }, 'undefined'))
    for (const secret of [undefined, null, 5, {}, [undefined], ['secret', null], ['secret', 5]]) {
      await assert.rejects(Reflect.apply(verifyPurchaseNotification, undefined, [sent, secret]), TypeError)
      await assert.rejects(Reflect.apply(signPurchaseNotification, undefined, [{ a: 1 }, secret]), TypeError)
    }
  })

  it('is never made or verified with an empty secret, nor from what is no object', async () => {
    await assert.rejects(signPurchaseNotification({ a: 1 }, ''), /secret is empty/)
    await assert.rejects(verifyPurchaseNotification(`{"signature":"${'0'.repeat(64)}"}`, ''), /secret is empty/)
    await assert.rejects(signPurchaseNotification([1], 'secret'), /plain object/)
    for (const body of [
      { a: 1, toJSON: () => ({ a: 2 }) },
      new (class {
        toJSON = () => ({})
      })(),
      new Date(),
    ])
      await assert.rejects(signPurchaseNotification(body, 'secret'), /no toJSON of its own/, 'it would arrive otherwise than it was signed')
    assert.deepEqual(await verifyPurchaseNotification(`{"signature":"${'0'.repeat(64)}"}`, []), { refusal: 'signature_invalid' })
  })
})
