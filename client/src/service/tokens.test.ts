import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { readSettings } from '../settings.ts'
import { createService } from './service.ts'
import { createSessions } from './sessions.ts'
import { createTokens, type Tokens } from './tokens.ts'

const URL = 'https://sso.example'
const AT = 1_900_000_000_000
const IN_SECONDS = AT / 1000

/** A Portaria that says yes to everything, so that the rules here are all that stands in the way. */
describe('A token', () => {
  let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
  let jwk: JWK
  let faults: string[]
  before(async () => {
    keys = await generateKeyPair('ES256', { extractable: true })
    jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  })

  function open({
    jwks = () => Response.json({ keys: [jwk] }),
    clock = { now: AT },
  }: {
    jwks?: () => Response
    clock?: { now: number }
  } = {}) {
    const asked: string[] = []
    faults = []
    const fetch = async (input: string | globalThis.URL | Request) => {
      const { pathname } = new globalThis.URL(String(input))
      asked.push(pathname)
      if (pathname === '/.well-known/jwks.json') return jwks()
      return Response.json({ authenticated: true, session: { sub: 'ana', email: 'ana@exemplo.com.br', name: 'Ana', plan_slug: null } })
    }
    const options = { url: URL, appUrl: 'https://app.example', fetch, now: () => clock.now, onFault: (fault: string) => faults.push(fault) }
    const settings = readSettings(options, {})
    const tokens = createTokens(settings)
    const sessions = createSessions(settings, { tokens, service: createService(settings) })
    return { tokens, sessions, asked, clock }
  }

  const CLAIMS = { iss: URL, aud: URL, sub: 'ana', sid: 's1', iat: IN_SECONDS, exp: IN_SECONDS + 3600, name: 'Ana' }
  const HEADER = { alg: 'ES256', typ: 'eg-session+jwt', kid: 'k1' }
  const sign = (claims: object, header: object = {}, key: CryptoKey | Uint8Array = keys.privateKey) =>
    new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ ...HEADER, ...header }).sign(key)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const verify = async (tokens: Tokens, token: string) => {
    const claims = await tokens.verify(token)
    return typeof claims === 'string' ? claims : claims.sub
  }

  it('is good with the algorithm, key, kind, issuer and audience that it must have', async () => {
    const { tokens, sessions } = open()
    assert.equal(await verify(tokens, await sign({})), 'ana')
    assert.equal((await sessions.ofToken(await sign({}))).status, 'signed_in')
  })

  it('of another kind, issuer or audience is none', async () => {
    const { sessions } = open()
    for (const [claims, header] of [
      [{}, { typ: 'eg-token+jwt' }],
      [{}, { typ: 'at+jwt' }],
      [{}, { typ: 'JWT' }],
      [{}, { typ: undefined }],
      [{}, { kid: 'k2' }],
      [{ iss: `${URL}/` }, {}],
      [{ iss: 'https://evil.example' }, {}],
      [{ iss: undefined }, {}],
      [{ aud: `${URL}/api` }, {}],
      [{ aud: 'a-product' }, {}],
      [{ aud: [URL, 'a-product'] }, {}],
      [{ aud: undefined }, {}],
      [{ sub: undefined }, {}],
      [{ sub: 7 }, {}],
      [{ sid: undefined }, {}],
      [{ exp: undefined }, {}],
      [{ iat: undefined }, {}],
      [{ act: 'support' }, {}],
      [{ act: {} }, {}],
    ] as const) {
      const found = await sessions.ofToken(await sign(claims, header))
      assert.deepEqual(found, { status: 'signed_out', reason: 'invalid' }, JSON.stringify([claims, header]))
    }
  })

  it('signed in another way is none: HS256 with the public key, none, its own key in the header, an empty signature', async () => {
    const { sessions } = open()
    const [, , signature] = (await sign({})).split('.')
    const stranger = await generateKeyPair('ES256', { extractable: true })
    const es384 = await generateKeyPair('ES384')
    const unsigned = (header: object, last: string) => `${encode(header)}.${encode(CLAIMS)}.${last}`
    const zero = Buffer.alloc(64).toString('base64url')
    for (const token of [
      await sign({}, { alg: 'HS256' }, new TextEncoder().encode(JSON.stringify(jwk))),
      await sign({}, { alg: 'HS256' }, new TextEncoder().encode(jwk.x ?? '')),
      await sign({}, { alg: 'ES384' }, es384.privateKey),
      await sign({}, {}, stranger.privateKey),
      await sign({}, { jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
      await sign({}, { jku: 'https://evil.example/jwks.json', kid: 'evil' }, stranger.privateKey),
      await sign({}, { kid: '../../etc/passwd' }, stranger.privateKey),
      unsigned({ alg: 'none', typ: 'eg-session+jwt' }, ''),
      unsigned({ alg: 'none', typ: 'eg-session+jwt' }, 'AA'),
      unsigned({ ...HEADER, alg: undefined }, zero),
      unsigned({ ...HEADER, alg: ['ES256'] }, zero),
      unsigned(HEADER, zero),
      unsigned({ ...HEADER, cty: 'x' }, signature ?? ''),
      `${await sign({})}.${signature}`,
      `${await sign({})}=`,
      `${(await sign({})).replace(/.{10}$/, '$& ')}`,
      `${(await sign({})).replace(/.{10}$/, '\n$&')}`,
    ]) {
      assert.deepEqual(await sessions.ofToken(token), { status: 'signed_out', reason: 'invalid' }, token.slice(0, 60))
    }
  })

  it('of another algorithm is none, even where such a key is published', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES384', { extractable: true })
    const other = { ...(await exportJWK(publicKey)), kid: 'k3', alg: 'ES384', use: 'sig' }
    const { tokens } = open({ jwks: () => Response.json({ keys: [jwk, other] }) })
    assert.equal(await tokens.verify(await sign({}, { alg: 'ES384', kid: 'k3' }, privateKey)), 'invalid')
    assert.equal(await verify(tokens, await sign({})), 'ana')
  })

  it('of one user that Portaria confirms for another is nobody’s', async () => {
    const { sessions } = open()
    assert.deepEqual(await sessions.ofToken(await sign({ sub: 'bia' })), { status: 'signed_out', reason: 'ended' })
  })

  it('is good for its time and a minute around it', async () => {
    const { tokens, clock } = open()
    const token = await sign({})
    for (const [seconds, expected] of [
      [-61, 'not_yet_valid'],
      [-60, 'ana'],
      [3659, 'ana'],
      [3660, 'expired'],
    ] as const) {
      clock.now = AT + seconds * 1000
      assert.equal(await verify(tokens, token), expected)
    }
  })

  it('can’t be judged without keys: not confirmed, the reason logged once, and asked again after five seconds', async () => {
    for (const [jwks, fault] of [
      [() => new Response('<!doctype html><h1>Wi-Fi</h1>'), /answers no keys/],
      [() => Response.json({ keys: 'none' }), /answers no keys/],
      [() => Response.json({ keys: ['none'] }), /answers no keys/],
      [() => Response.json([]), /answers no keys/],
      [() => new Response('oops', { status: 500 }), /answers 500/],
      [() => Response.redirect('https://evil.example/jwks.json'), /answers 302/],
      [() => new Response(breaking('{"keys":[')), /does not answer/],
      [() => new Response(endless(JSON.stringify({ keys: [jwk] }))), /answers no keys/],
      [
        () => {
          throw new TypeError('fetch failed')
        },
        /does not answer/,
      ],
    ] as const) {
      const { tokens, asked, clock } = open({ jwks })
      for (let time = 0; time < 20; time++) assert.equal(await tokens.verify(await sign({}, { kid: `k${time}` })), 'unconfirmed')
      assert.match(faults.join(), fault)
      assert.deepEqual([asked.length, faults.length], [1, 1])
      clock.now += 5_000
      assert.equal(await tokens.verify(await sign({})), 'unconfirmed')
      assert.deepEqual([asked.length, faults.length], [2, 2])
      clock.now -= 3_600_000
      assert.equal(await tokens.verify(await sign({})), 'unconfirmed')
      assert.equal(asked.length, 3, 'a clock that is set back lengthens no pause')
    }
  })

  it('is good again as soon as the keys can be had', async () => {
    let isDown = true
    const { tokens, clock } = open({ jwks: () => (isDown ? new Response(null, { status: 503 }) : Response.json({ keys: [jwk] })) })
    assert.equal(await tokens.verify(await sign({})), 'unconfirmed')
    isDown = false
    clock.now += 5_000
    assert.equal(await verify(tokens, await sign({})), 'ana')
  })
})

/** A body that begins so and then breaks off. */
function breaking(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode(text)),
    pull: (body) => body.error(new TypeError('terminated')),
  })
}

/** A body that goes on for a gigabyte, with what was asked for at its beginning. */
function endless(text: string): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode(text)),
    pull(body) {
      assert.ok(sent < 1_000_000, 'far more is read than keys can be')
      sent += 10_000
      body.enqueue(new Uint8Array(10_000).fill(32))
    },
  })
}
