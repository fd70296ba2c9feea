import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { DAY_MS } from '../../kit/index.ts'
import { mercadopago } from './index.ts'

const SECRET = 'your_secret_key_here'
const NOW = Date.UTC(2026, 10, 21)

const vectors = z
  .array(z.object({ secret: z.string(), 'data.id': z.string(), 'x-request-id': z.string(), ts: z.string(), v1: z.string() }))
  .parse(JSON.parse(readFileSync(new URL('../../../test/vectors/gateways/mercadopago/signatures.computed.json', import.meta.url), 'utf8')))

interface Sent {
  query: string
  body: string
  signature: string | undefined
  requestId: string | undefined
  secret: string
}

/** As Mercado Pago makes it: `<path>?data.id=1&type=payment`. */
function sent(more: Partial<Sent> = {}): Sent {
  const signature = sign('id:123;request-id:r-1;ts:1742505638683;')
  return { query: 'data.id=123&type=payment', body: '{"data":{"id":"123"}}', signature, requestId: 'r-1', secret: SECRET, ...more }
}

function sign(manifest: string, ts = /ts:(\d+);/.exec(manifest)?.[1]): string {
  return `ts=${ts},v1=${hex(manifest)}`
}

function hex(manifest: string): string {
  return createHmac('sha256', SECRET).update(manifest).digest('hex')
}

function verify({ query, body, signature, requestId, secret }: Sent) {
  const headers: Record<string, string | undefined> = { 'x-signature': signature, 'x-request-id': requestId }
  const delivery = { raw: Buffer.from(body), query: new URLSearchParams(query), header: (name: string) => headers[name] }
  return mercadopago.verify(delivery, { webhookSecret: secret, accessToken: 'APP_USR', apiUrl: undefined, isTest: false }, NOW)
}

const result = (more: Partial<Sent>) => verify(sent(more))

describe('a delivery of Mercado Pago', () => {
  for (const { secret, 'data.id': id, 'x-request-id': requestId, ts, v1 } of vectors)
    it(`is verified as its own library does: ${id}`, () => {
      assert.equal(result({ query: `data.id=${id}&type=order`, requestId, secret, signature: `ts=${ts},v1=${v1}` }), 'verified')
    })

  it('is verified when its id was signed in lower case, and only then', () => {
    const signature = sign('id:ord01jq4s;request-id:r-1;ts:1742505638;')
    assert.equal(result({ query: 'data.id=ORD01JQ4S', signature }), 'verified')
    assert.equal(result({ query: 'data.id=ord01jq4s', signature }), 'verified')
    assert.equal(result({ query: 'data.id=ord01jq4s', signature: sign('id:ORD01JQ4S;request-id:r-1;ts:1742505638;') }), 'invalid')
  })

  it('is verified however old it is, and whether its time is in seconds or milliseconds', () => {
    for (const ms of [NOW, NOW - DAY_MS, NOW - 400 * DAY_MS, NOW + DAY_MS])
      for (const ts of [ms, Math.floor(ms / 1000)])
        assert.equal(result({ signature: sign(`id:123;request-id:r-1;ts:${ts};`) }), 'verified', String(ts))
  })

  it('has no part in its manifest for what it does not have', () => {
    const withoutRequestId = sign('id:123;ts:1742505638683;')
    assert.equal(result({ requestId: undefined, signature: withoutRequestId }), 'verified')
    assert.equal(result({ requestId: '', signature: withoutRequestId }), 'verified')
    assert.equal(result({ signature: withoutRequestId }), 'invalid')
    const withoutId = sign('request-id:r-1;ts:1742505638683;')
    assert.equal(result({ query: 'type=plan', body: '{}', signature: withoutId }), 'verified')
    assert.equal(result({ query: 'type=plan', body: '{"data":{"id":null}}', signature: withoutId }), 'verified')
    assert.equal(result({ signature: withoutId }), 'invalid')
  })

  it('is verified by the id in its address, and by the one in its body where the address has none', () => {
    assert.equal(result({ body: '{"data":{"id":"999"}}' }), 'verified')
    assert.equal(result({ query: 'type=payment' }), 'verified')
    assert.equal(result({ query: 'type=payment', body: '{"data":{"id":123}}' }), 'verified')
    assert.equal(result({ query: 'data.id=999', body: '{"data":{"id":"123"}}' }), 'invalid')
    assert.equal(result({ body: 'no JSON' }), 'verified')
  })

  it('may have its parts in any order, parts of other names beside them, and hex of either case', () => {
    const [ts, v1] = sign('id:123;request-id:r-1;ts:1742505638683;').split(',')
    assert.equal(result({ signature: `${v1},${ts}` }), 'verified')
    assert.equal(result({ signature: `${ts}, ${v1},v2=abc` }), 'verified')
    assert.equal(result({ signature: `${ts},v1=${v1?.slice(3).toUpperCase()}` }), 'verified')
  })

  it('without a signature is distinguished from one with a wrong signature', () => {
    assert.equal(result({ signature: undefined }), 'missing')
    assert.equal(result({ signature: '' }), 'missing')
    assert.equal(result({ secret: 'another secret' }), 'invalid')
  })

  it('in the old form can not be verified, and is not refused for it', () => {
    for (const signature of [undefined, sign('id:123;ts:1742505638;')]) {
      assert.equal(result({ query: 'topic=payment&id=123', body: '{"resource":"123","topic":"payment"}', signature }), 'unverifiable')
      assert.equal(result({ query: 'topic=merchant_order&id=123', body: '', signature }), 'unverifiable')
      assert.equal(
        result({ query: '', body: '{"resource":"https://api.mercadopago.com/v1/payments/1","topic":"payment"}', signature }),
        'unverifiable',
      )
    }
    assert.equal(result({ query: 'topic=payment&data.id=123&type=payment', signature: undefined }), 'missing')
    assert.equal(result({ query: 'topic=payment&type=payment', signature: undefined }), 'missing')
  })
})

describe('a forged delivery of Mercado Pago', () => {
  const [ts = '', v1 = ''] = sent().signature?.split(',') ?? []
  const digits = v1.slice(3)
  const forged: Record<string, Partial<Sent>> = {
    'another id': { query: 'data.id=124' },
    'another id in the body': { query: 'type=payment', body: '{"data":{"id":"124"}}' },
    'two ids in the address': { query: 'data.id=123&data.id=123' },
    'two different ids in the address': { query: 'data.id=123&data.id=124' },
    'another request id': { requestId: 'r-2' },
    'two request ids': { requestId: 'r-1, r-1' },
    'no request id': { requestId: undefined },
    'another time': { signature: `ts=1742505638684,${v1}` },
    'no time': { signature: v1 },
    'a time that is none': { signature: `ts=now,${v1}` },
    'no hash': { signature: ts },
    'an empty hash': { signature: `${ts},v1=` },
    'two times': { signature: `${ts},${ts},${v1}` },
    'two hashes': { signature: `${ts},${v1},${v1}` },
    'a hash of one digit less': { signature: `${ts},${v1.slice(0, -1)}` },
    'a hash of two digits less': { signature: `${ts},${v1.slice(0, -2)}` },
    'a hash of one digit more': { signature: `${ts},${v1}0` },
    'a hash that begins right': { signature: `${ts},v1=${digits.slice(0, 32)}${'0'.repeat(32)}` },
    'a hash with a digit that is none': { signature: `${ts},v1=${digits.slice(0, -1)}g` },
    'a hash in base64': { signature: `${ts},v1=${Buffer.from(digits, 'hex').toString('base64')}` },
    'the parts of the manifest in another order': { signature: sign('request-id:r-1;id:123;ts:1742505638683;') },
    'a hash over the body': { signature: `${ts},v1=${hex('{"data":{"id":"123"}}')}` },
    'the request id inside the id': { query: 'data.id=123;request-id:r-1', requestId: undefined },
    'the time inside the request id': { requestId: 'r-1;ts:1', signature: sign('id:123;request-id:r-1;ts:1;ts:2;', '2') },
    'another path for an id': { query: 'data.id=../users/me', signature: sign('id:../users/me;request-id:r-1;ts:1;') },
  }
  for (const [what, more] of Object.entries(forged))
    it(`is refused: ${what}`, () => {
      assert.equal(result({}), 'verified')
      assert.equal(result(more), 'invalid')
    })

  it('is refused whatever is changed in a genuine one', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9-]{1,40}$/)
    const requestId = fc.stringMatching(/^[a-f0-9-]{1,36}$/)
    const time = fc.integer({ min: 1, max: 2_000_000_000_000 })
    fc.assert(
      fc.property(id, requestId, time, id, requestId, time, (i, r, t, otherI, otherR, otherT) => {
        const genuine = { query: `data.id=${i}&type=payment`, requestId: r, signature: sign(`id:${i};request-id:${r};ts:${t};`) }
        assert.equal(result(genuine), 'verified')
        if (otherI.toLowerCase() !== i && otherI !== i)
          assert.equal(result({ ...genuine, query: `data.id=${otherI}&type=payment` }), 'invalid')
        if (otherR !== r) assert.equal(result({ ...genuine, requestId: otherR }), 'invalid')
        if (otherT !== t) assert.equal(result({ ...genuine, signature: genuine.signature.replace(`ts=${t}`, `ts=${otherT}`) }), 'invalid')
      }),
    )
  })

  it('is refused whatever stands in its headers, and never a fault', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), fc.string(), (signature, requestId, query, body) => {
        assert.notEqual(result({ signature, requestId, query, body }), 'verified')
      }),
    )
  })
})
