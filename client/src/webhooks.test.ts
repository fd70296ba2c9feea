import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { purchaseVectors, VECTOR_SECRET } from '../../server/test/vectors/purchase-signatures.ts'
import { NotificationRefused, sendPurchaseNotification, signPurchaseNotification, verifyPurchaseNotification } from './webhooks.ts'

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
        // A last digit beyond the precision of JavaScript's numbers says the same as before.
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

  it('L16: half a surrogate pair is signed as the service reads it', async () => {
    for (const name of ['\ud800', 'z\udc00\ud800', '\ud83c\udf89\ud83c'])
      assert.deepEqual(await verifyPurchaseNotification(JSON.stringify(await signPurchaseNotification({ name }, 'secret')), 'secret'), {
        notification: { name },
      })
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
      await assert.rejects(
        signPurchaseNotification(body, 'secret'),
        /without __proto__ or toJSON/,
        'it would arrive otherwise than it was signed',
      )
    assert.deepEqual(await verifyPurchaseNotification(`{"signature":"${'0'.repeat(64)}"}`, []), { refusal: 'signature_invalid' })
  })
})

describe('A purchase notification that the client sends', () => {
  const refund = {
    event: 'payment.refunded',
    data: { subscription_id: '7d9f2f3e-52a0-4d3c-9a65-0d5f3c1b2a10', payment_id: 'order-1042', is_test: false },
    timestamp: '2026-11-25T09:30:00Z',
  } as const
  const options = (portaria: string) => ({ portaria, secret: 'secret', firstPauseMs: 1 })

  it('is sent until it is received, the same text every time, whatever goes wrong before', async (context) => {
    const { url, bodies } = await startSite(context, [503, 'hangs up', 500, 429, 'hangs', 302, 'a page', 200])
    await sendPurchaseNotification(refund, { ...options(`${url}/`), timeoutMs: 5_000 })
    assert.equal(bodies.length, 8)
    assert.equal(new Set(bodies).size, 1)
    assert.deepEqual(await verifyPurchaseNotification(bodies[0] ?? '', 'secret'), { notification: refund })
  })

  it('is given up where it is refused, and where its address is another for good', async (context) => {
    for (const status of [400, 401, 404, 301, 308]) {
      const { url, bodies } = await startSite(context, [status])
      await assert.rejects(
        sendPurchaseNotification(refund, options(url)),
        (error) => error instanceof NotificationRefused && error.status === status,
      )
      assert.equal(bodies.length, 1)
    }
  })

  it('is given up with the beginning of what a proxy said, and not with its whole page', async (context) => {
    const { url } = await startSite(context, ['a long page'])
    const fault: unknown = await sendPurchaseNotification(refund, options(url)).catch((error) => error)
    assert.ok(fault instanceof NotificationRefused)
    assert.ok(fault.message === `Portaria refused the notification: 413 <p>${'x'.repeat(497)}`, `${fault.message.length} characters`)
  })

  it('is given up when its signal says so, before, during and between attempts', async (context) => {
    const { url, bodies } = await startSite(context, [503, 503])
    await assert.rejects(sendPurchaseNotification(refund, { ...options(url), signal: AbortSignal.abort(new Error('no more')) }), /no more/)
    assert.equal(bodies.length, 0)
    const between = new AbortController()
    const sending = sendPurchaseNotification(refund, { ...options(url), firstPauseMs: 3_600_000, signal: between.signal })
    while (bodies.length === 0) await new Promise((resolve) => setImmediate(resolve))
    between.abort(new Error('stopped'))
    await assert.rejects(sending, /stopped/)
    const hanging = await startSite(context, ['hangs'])
    const during = new AbortController()
    const waiting = sendPurchaseNotification(refund, { ...options(hanging.url), signal: during.signal })
    while (hanging.bodies.length === 0) await new Promise((resolve) => setImmediate(resolve))
    during.abort(new Error('ended'))
    await assert.rejects(waiting, /ended/)
  })
})

/** A site that answers requests in turn: with a status, or not at all. */
async function startSite(context: TestContext, turns: ReadonlyArray<number | 'hangs' | 'hangs up' | 'a page' | 'a long page'>) {
  const bodies: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const turn = turns[bodies.length]
    bodies.push((await request.setEncoding('utf8').toArray()).join(''))
    if (turn === 'hangs up') response.destroy()
    else if (turn === 'a page') response.writeHead(200, { connection: 'close' }).end('<p>We are back soon')
    else if (turn === 'a long page') response.writeHead(413, { connection: 'close' }).end(`<p>${'x'.repeat(100_000)}`)
    else if (typeof turn === 'number')
      response.writeHead(turn, { location: '/elsewhere', connection: 'close' }).end(JSON.stringify({ received: turn === 200 }))
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, bodies }
}
