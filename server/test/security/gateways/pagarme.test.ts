import assert from 'node:assert/strict'
import { createHmac, randomUUID, sign } from 'node:crypto'
import { it } from 'node:test'
import { setGatewayCredentials } from '../../../src/products/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import {
  ACCESS_TOKEN,
  askAccess,
  type Connected,
  deliver,
  GATEWAY_SECRET,
  notificationsOf,
  openSchool,
  signDelivery,
} from '../../support/gateways/gateways.ts'
import {
  jwkOf,
  kidOf,
  PAGARME_ACCOUNT,
  pagarmeCharge,
  pagarmeEvent,
  pairOf,
  signatureOf,
  trusting,
} from '../../support/gateways/pagarme.ts'
import { sendRaw } from '../../support/routes/raw-requests.ts'
import { startForSuite } from '../../support/service.ts'

const RECEIVED = { status: 200, body: { received: true } }
const INVALID = { status: 401, body: { error: 'Assinatura invalida' } }
const MISSING = { status: 401, body: { error: 'Assinatura ausente' } }
const HEADER = 'x-webhook-asymmetric-signature'

const someone = () => `aluna-${randomUUID()}@exemplo.com.br`
const paid = (email: string, more: object = {}) => pagarmeEvent('charge.paid', pagarmeCharge(`ch_${randomUUID()}`, email), more)

oneDatabase('Forged deliveries of Pagar.me', (database) => {
  const service = startForSuite(database, { environment: { PORTARIA_EXPERIMENTS: 'pagarme' } })
  const isActive = async (school: Connected, email: string) => (await askAccess(service(), school, email)).active === true
  const trust = async (school: Connected, webhookSecret: string) => {
    const credentials = { webhookSecret, accessToken: ACCESS_TOKEN, apiUrl: undefined, isTest: false }
    await setGatewayCredentials(
      school.product.product,
      { gateway: 'pagarme', credentials },
      { ...service().context, actor: 'operator:test' },
    )
  }

  it('nothing but the signature of this very body, by a key of the set, in the one algorithm, proves a delivery', async () => {
    const school = await openSchool(service(), 'pagarme')
    const email = someone()
    const raw = JSON.stringify(paid(email))
    const right = signatureOf(raw, GATEWAY_SECRET)
    const [kid, value] = [kidOf(GATEWAY_SECRET), right.split('signature=')[1] ?? '']
    const pem = pairOf(GATEWAY_SECRET).publicKey.export({ type: 'spki', format: 'pem' })
    const { n } = jwkOf(GATEWAY_SECRET)
    const by = (how: Parameters<typeof sign>[2], hash = 'sha256') => sign(hash, Buffer.from(raw), how).toString('base64url')
    const { privateKey } = pairOf(GATEWAY_SECRET)
    const forged: Record<string, string> = {
      'another body': signatureOf(raw.replace(email, 'ladrao@exemplo.com.br'), GATEWAY_SECRET),
      'the same JSON, written otherwise': signatureOf(JSON.stringify(JSON.parse(raw), null, 1), GATEWAY_SECRET),
      'another key under its kid': signatureOf(raw, 'of a thief', { kid }),
      'another key under its own kid': signatureOf(raw, 'of a thief'),
      'the right key under another kid': signatureOf(raw, GATEWAY_SECRET, { kid: 'other' }),
      'no kid': `alg=RS256; signature=${value}`,
      'an empty kid': `alg=RS256; kid=; signature=${value}`,
      'alg none': `alg=none; kid=${kid}; signature=`,
      'alg none with a signature': `alg=none; kid=${kid}; signature=${value}`,
      'HMAC with the public key, as PEM': `alg=HS256; kid=${kid}; signature=${createHmac('sha256', pem).update(raw).digest('base64url')}`,
      'HMAC with the public key, said to be RS256': `alg=RS256; kid=${kid}; signature=${createHmac('sha256', String(n)).update(raw).digest('base64url')}`,
      'RS512 said to be RS256': `alg=RS256; kid=${kid}; signature=${by(privateKey, 'sha512')}`,
      RS512: `alg=RS512; kid=${kid}; signature=${by(privateKey, 'sha512')}`,
      'PSS padding': `alg=RS256; kid=${kid}; signature=${by({ key: privateKey, padding: 6 })}`,
      'rs256 in small letters': right.replace('RS256', 'rs256'),
      'no algorithm': `kid=${kid}; signature=${value}`,
      'no signature': `alg=RS256; kid=${kid}`,
      'an empty signature': `alg=RS256; kid=${kid}; signature=`,
      truncated: right.slice(0, -4),
      lengthened: `${right}AAAA`,
      'two signatures': `${right}; signature=${value}`,
      'two kids': `kid=other; ${right}`,
      'a key that it brings along': `${signatureOf(raw, 'of a thief')}; jwk=${Buffer.from(JSON.stringify(jwkOf('of a thief'))).toString('base64url')}`,
      'an address of keys': `${signatureOf(raw, 'of a thief')}; jku=https://exemplo.com.br/jwks.json`,
      'the signature alone': value,
      nonsense: 'x',
      separators: ';;;=;=',
    }
    for (const [what, signature] of Object.entries(forged))
      assert.deepEqual(await deliver(school, raw, { headers: { [HEADER]: signature } }), INVALID, what)
    assert.deepEqual(await deliver(school, raw, { headers: {} }), MISSING)
    assert.deepEqual(await deliver(school, raw, { headers: { [HEADER]: '' } }), MISSING)
    const basic = `Basic ${Buffer.from(`user:${ACCESS_TOKEN}`).toString('base64')}`
    assert.deepEqual(await deliver(school, raw, { headers: { authorization: basic } }), MISSING, 'a password, which others rely on')
    assert.deepEqual(await deliver(school, raw, { headers: { 'x-hub-signature': 'sha1=x' } }), MISSING, 'the header of version 4')
    assert.deepEqual(await notificationsOf(service(), school), [])
    assert.equal(await isActive(school, email), false)
    assert.deepEqual(await deliver(school, raw), RECEIVED, 'the right one')
    assert.equal(await isActive(school, email), true)
  })

  it('a delivery of another account, which the same key signs, proves nothing', async () => {
    const school = await openSchool(service(), 'pagarme')
    const email = someone()
    const others = [
      'acc_OTHER00000000000',
      '',
      PAGARME_ACCOUNT.toLowerCase(),
      `${PAGARME_ACCOUNT} `,
      [PAGARME_ACCOUNT],
      { id: PAGARME_ACCOUNT },
      null,
    ]
    for (const account of others) assert.deepEqual(await deliver(school, paid(email, { account })), INVALID, JSON.stringify(account))
    const { account: _, ...without } = paid(email)
    assert.deepEqual(await deliver(school, without), INVALID)
    assert.deepEqual(await deliver(school, { ...without, data: { account: { id: PAGARME_ACCOUNT } } }), INVALID, 'in another place')
    const twice = `{"account":{"id":"${PAGARME_ACCOUNT}"},${JSON.stringify(paid(email, { account: 'acc_OTHER00000000000' })).slice(1)}`
    assert.deepEqual(await deliver(school, twice), INVALID, 'what is read is what is compared')
    assert.deepEqual(await notificationsOf(service(), school), [])
  })

  it('a key of 1024 bits proves nothing, and neither does a set that is broken or empty', async () => {
    const school = await openSchool(service(), 'pagarme')
    pairOf('weak', 1024)
    const raw = JSON.stringify(paid(someone()))
    const set = (...keys: object[]) => JSON.stringify({ account_id: PAGARME_ACCOUNT, jwks: { keys } })
    const send = (name: string) => deliver(school, raw, { headers: signDelivery('pagarme', raw, { secret: name }) })
    await trust(school, set(jwkOf('weak')))
    assert.deepEqual(await send('weak'), INVALID)
    const good = jwkOf(GATEWAY_SECRET)
    const bad = [
      set(),
      '{}',
      'null',
      'text',
      '',
      set({ ...good, n: 'x' }),
      set({ ...good, use: 'enc' }),
      set({ ...good, kty: 'oct', k: good.n }),
    ]
    for (const secret of [...bad, JSON.stringify({ jwks: { keys: [good] } })]) {
      await trust(school, secret)
      assert.deepEqual(await send(GATEWAY_SECRET), INVALID, secret)
    }
    await trust(school, set({ kty: 'EC', kid: 'new' }, jwkOf('weak'), good))
    assert.deepEqual(await send('weak'), INVALID)
    assert.deepEqual(await send(GATEWAY_SECRET), RECEIVED, 'a good key beside others that are none')
  })

  it('keys are changed by giving the set anew, with the old one in it for as long as it signs', async () => {
    const school = await openSchool(service(), 'pagarme')
    const { jwks } = trusting(GATEWAY_SECRET)
    await trust(school, JSON.stringify({ account_id: PAGARME_ACCOUNT, jwks: { keys: [...jwks.keys, jwkOf('the next')] } }))
    for (const secret of [GATEWAY_SECRET, 'the next']) assert.deepEqual(await deliver(school, paid(someone()), { secret }), RECEIVED)
    await trust(school, JSON.stringify(trusting('the next')))
    assert.deepEqual(await deliver(school, paid(someone())), INVALID)
  })

  it('a header that stands there twice proves nothing that once would not', async () => {
    const school = await openSchool(service(), 'pagarme')
    const raw = JSON.stringify(pagarmeEvent('charge.created', {}))
    const [right, wrong] = [signatureOf(raw, GATEWAY_SECRET), signatureOf(raw, 'of a thief')]
    const send = (...values: string[]) => {
      const head = `POST ${new URL(school.address).pathname} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${raw.length}\r\n`
      return sendRaw(service(), `${head}${values.map((value) => `${HEADER}: ${value}\r\n`).join('')}\r\n${raw}`)
    }
    for (const values of [
      [wrong, wrong],
      [wrong, right],
      [right, wrong],
      [right, right],
    ])
      assert.equal((await send(...values)).status, 401)
    assert.equal((await send(right)).status, 200)
  })

  it('one that is sent again, at whatever time, is known by its id and changes nothing', async () => {
    const school = await openSchool(service(), 'pagarme')
    const email = someone()
    const bought = paid(email)
    assert.deepEqual(await deliver(school, bought), RECEIVED)
    const { data } = bought
    const back = pagarmeEvent('charge.refunded', { ...data, status: 'canceled', canceled_amount: 9_990 }, { at: Date.now() + 1_000 })
    assert.deepEqual(await deliver(school, back), RECEIVED)
    for (let n = 0; n < 3; n++) assert.deepEqual(await deliver(school, bought), RECEIVED)
    assert.equal(await isActive(school, email), false, 'what a thief has recorded gives nothing back')
    assert.equal((await notificationsOf(service(), school)).length, 2)
  })
})
