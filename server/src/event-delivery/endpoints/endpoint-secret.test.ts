import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { mintEndpointSecret, signDelivery } from './endpoint-secret.ts'

describe('A signature', () => {
  it('is that of the vector of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const given = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330, body: '{"test": 2432232314}' }
    assert.equal(signDelivery([secret], given), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('is taken by the independent library with any secret of ours, and by no other secret', () => {
    const [secret, other] = [mintEndpointSecret(), mintEndpointSecret()]
    const at = Math.floor(Date.now() / 1000)
    const signed = { id: 'msg_1', at, body: '{"a":"ç"}' }
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signDelivery([secret], signed) }
    assert.deepEqual(new Webhook(secret).verify(signed.body, headers), { a: 'ç' })
    assert.throws(() => new Webhook(other).verify(signed.body, headers))
    assert.throws(() => new Webhook(secret).verify('{"a":"c"}', headers))
  })
})
