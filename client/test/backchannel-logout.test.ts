import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeEach, describe, it } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { createPortaria, type PortariaOptions } from '../src/index.ts'
import { toNodeHandler } from '../src/node.ts'
import { createService } from '../src/service/service.ts'
import { createSessions } from '../src/service/sessions.ts'
import { readSettings } from '../src/settings.ts'

const URL_OF_PORTARIA = 'https://sso.example.com'
const APP = 'https://app.example.com'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const NOW = 1_764_000_000

const pair = async (alg: string, kid: string) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
const [es, rs, stranger, later] = await Promise.all([pair('ES256', 'es'), pair('RS256', 'rs'), pair('ES256', 'es'), pair('ES256', 'later')])

const usual = { iss: URL_OF_PORTARIA, aud: 'pk_app', sub: 'user', sid: 'sid', iat: NOW, exp: NOW + 120, jti: 'j', events: { [EVENT]: {} } }

function sign(
  claims: Record<string, unknown>,
  { key = es.privateKey, alg = 'ES256', kid = 'es', typ = 'logout+jwt' } = {},
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid, typ }).sign(key)
}

/** An external app, with Portaria's keys and its answers to checks. */
function open(options: PortariaOptions = {}) {
  const calls: unknown[] = []
  const portaria = { keys: [es.jwk, rs.jwk] as object[], isAway: false, checks: 0 }
  const client = createPortaria({
    url: URL_OF_PORTARIA,
    appUrl: APP,
    apiKey: 'sk_app',
    publishableKey: 'pk_app',
    now: () => NOW * 1000,
    onFault: () => {},
    onSignedOut: (ended) => calls.push(ended),
    fetch: async (input) => {
      if (portaria.isAway) throw new Error('away')
      const { pathname } = new URL(String(input instanceof Request ? input.url : input))
      if (pathname === '/.well-known/jwks.json') return Response.json({ keys: portaria.keys })
      portaria.checks++
      const session = { sub: 'user', email: 'a@example.com', name: 'Ana', is_producer: false, is_beta: false, plan_slug: null }
      return Response.json({ authenticated: true, session })
    },
    ...options,
  })
  const report = async (token: string) => {
    const body = new URLSearchParams({ logout_token: token })
    const answer = await client.handle(new Request(`${APP}/auth/backchannel-logout`, { method: 'POST', body }))
    return answer ?? assert.fail('the path is not answered')
  }
  const sessionToken = (sid: string, iat = NOW) =>
    sign({ iss: URL_OF_PORTARIA, aud: 'prod', sub: 'user', sid, iat, exp: NOW + 9_000, jti: 'x' }, { typ: 'eg-session+jwt' })
  const status = async (token: string) => {
    const session = await client.session({ headers: new Headers({ cookie: `__Host-eg_session=${token}` }) })
    return session.status === 'signed_out' ? session.reason : session.status
  }
  return { client, portaria, calls, report, sessionToken, status }
}

// The process remembers what has ended, and these tests use the same ids.
beforeEach(() => Reflect.get(globalThis, Symbol.for('@portaria/client')).clear())

describe('A sign-out that Portaria reports', () => {
  it('ends the session by its sid at once, and no other; again it is a success', async () => {
    const { report, sessionToken, status, calls } = open()
    const [ended, other] = [await sessionToken('sid'), await sessionToken('other')]
    assert.deepEqual([await status(ended), await status(other)], ['signed_in', 'signed_in'])
    const token = await sign(usual)
    for (let n = 0; n < 2; n++) {
      const answer = await report(token)
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store'])
    }
    assert.deepEqual([await status(ended), await status(other)], ['ended', 'signed_in'])
    assert.equal(await status(await sessionToken('sid', NOW - 1)), 'ended', 'another token of the same session')
    assert.deepEqual(calls[0], { sid: 'sid', sub: 'user', iat: NOW })
  })

  it('without a sid ends all sessions that the user had until then', async () => {
    const { report, sessionToken, status } = open()
    const [a, b] = [await sessionToken('a'), await sessionToken('b', NOW - 5)]
    const later = await sessionToken('c', NOW + 2)
    const { sid: _, ...bySub } = usual
    assert.equal((await report(await sign(bySub))).status, 200)
    assert.deepEqual([await status(a), await status(b), await status(later)], ['ended', 'ended', 'signed_in'])
  })

  /** A second copy of this module in the same process, as Next has one for its pages, and the first. */
  async function twoCopies() {
    const copy: typeof import('../src/service/sessions.ts') = await import(`../src/service/sessions.ts?${'copy'}`)
    assert.notEqual(copy.createSessions, createSessions)
    const settings = readSettings(
      { url: URL_OF_PORTARIA, appUrl: APP, apiKey: 'sk_app', publishableKey: 'pk_app', now: () => NOW * 1000 },
      {},
    )
    const profile = { avatarUrl: null, companyName: null, rankName: null, actorId: null }
    const claims = { sub: 'user', sid: 'sid', aud: 'prod', iat: NOW, exp: NOW + 9_000, profile }
    const live = { id: 'user', email: null, name: 'Ana', isProducer: false, planSlug: null }
    const tokens = { verify: async () => claims, verifyLogout: () => assert.fail('it hears nothing itself') }
    const deps = { tokens, service: { ...createService(settings), check: async () => live } }
    return { pages: copy.createSessions(settings, deps), routes: createSessions(settings, deps) }
  }
  it('that this app has ended itself is ended in every copy of this module, whatever Portaria says', async () => {
    const { pages, routes } = await twoCopies()
    const token = await open().sessionToken('sid')
    assert.equal((await pages.ofToken(token)).status, 'signed_in')
    routes.end(token)
    assert.deepEqual(await pages.ofToken(token), { status: 'signed_out', reason: 'ended' })
    assert.deepEqual(await routes.ofToken(token), { status: 'signed_out', reason: 'ended' })
  })

  it('reaches a second copy of this module in the same process, as Next has one for its pages', async () => {
    const { report, sessionToken } = open()
    const { pages } = await twoCopies()
    const token = await sessionToken('sid')
    assert.equal((await pages.ofToken(token)).status, 'signed_in')
    assert.equal((await report(await sign(usual))).status, 200)
    assert.equal((await pages.ofToken(token)).status, 'signed_out')
  })

  it('may be signed with RS256, as for a product that speaks OpenID Connect too', async () => {
    assert.equal((await open().report(await sign(usual, { key: rs.privateKey, alg: 'RS256', kid: 'rs' }))).status, 200)
  })

  it('for an internal app is for the issuer, as its sessions are', async () => {
    const app = open({ publishableKey: undefined, apiKey: undefined })
    assert.equal((await app.report(await sign(usual))).status, 400)
    assert.equal((await app.report(await sign({ ...usual, aud: URL_OF_PORTARIA }))).status, 200)
  })

  const without = (name: keyof typeof usual) => Object.fromEntries(Object.entries(usual).filter(([key]) => key !== name))
  const hs256 = () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${encode({ alg: 'HS256', typ: 'logout+jwt', kid: 'rs' })}.${encode(usual)}`
    return `${signed}.${createHmac('sha256', JSON.stringify(rs.jwk)).update(signed).digest('base64url')}`
  }
  const refused: Record<string, () => string | Promise<string>> = {
    'nothing at all': () => '',
    'a token of another key': () => sign(usual, { key: stranger.privateKey }),
    'a token with alg none': () => new UnsecuredJWT(usual).encode(),
    'a token whose HMAC is made with the public key': hs256,
    'an ES256 token under the name of the RSA key': () => sign(usual, { kid: 'rs' }),
    'an ID token': () => sign({ ...usual, nonce: 'n' }, { typ: 'JWT' }),
    'a session token': () => sign(usual, { typ: 'eg-session+jwt' }),
    'a token with a nonce': () => sign({ ...usual, nonce: 'n' }),
    'an expired token': () => sign({ ...usual, iat: NOW - 500, exp: NOW - 61 }),
    'a token from the future': () => sign({ ...usual, iat: NOW + 61 }),
    'a token of another issuer': () => sign({ ...usual, iss: 'https://evil.example' }),
    'a token for another app': () => sign({ ...usual, aud: 'pk_other' }),
    'a token without an event': () => sign(without('events')),
    'a token of another event': () => sign({ ...usual, events: { other: {} } }),
    'a token whose event is no object': () => sign({ ...usual, events: { [EVENT]: true } }),
    'a token without exp': () => sign(without('exp')),
    'a token without iat': () => sign(without('iat')),
    'a token without jti': () => sign(without('jti')),
    'a token of nobody': async () => sign(Object.fromEntries(Object.entries(usual).filter(([key]) => key !== 'sid' && key !== 'sub'))),
  }
  for (const [name, make] of Object.entries(refused))
    it(`is not ${name}: 400, and nothing ends`, async () => {
      const { report, sessionToken, status, calls } = open()
      const session = await sessionToken('sid')
      assert.equal(await status(session), 'signed_in')
      const answer = await report(await make())
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [400, 'no-store'])
      assert.equal(await status(session), 'signed_in')
      assert.deepEqual(calls, [])
    })

  const statusOf = async (given: object) => {
    const res = { statusCode: 0, headersSent: false, destroyed: false, hasHeader: () => false, setHeader() {}, appendHeader() {}, end() {} }
    const req = Object.assign(given, { method: 'POST', url: '/auth/backchannel-logout', headers: {} })
    assert.equal(await toNodeHandler(open().client)(req, res), true)
    return res.statusCode
  }
  it('is read from the stream of a Node request, or from a body parser that was there before', async () => {
    const token = await sign(usual)
    assert.equal(await statusOf(Readable.from([Buffer.from('logout_token='), Buffer.from(token)])), 200)
    assert.equal(await statusOf({ body: { logout_token: token } }), 200)
    assert.equal(await statusOf({ body: { logout_token: [token, token] } }), 400)
    assert.equal(await statusOf(Object.assign(Readable.from([]), { body: {} })), 400)
  })

  /** A form that breaks off after its first part, or never ends. Counts its bytes. */
  function badForm(kind: 'breaks off' | 'never ends') {
    const form = { sent: 0 }
    async function* parts() {
      while (form.sent < 10_000_000) {
        form.sent += 1_000
        yield new TextEncoder().encode('logout_token='.padEnd(1_000, 'a'))
        if (kind === 'breaks off') throw new Error('aborted')
      }
    }
    return { form, parts: Readable.from(parts()) }
  }
  for (const kind of ['breaks off', 'never ends'] as const)
    it(`in a form that ${kind} is answered 400, through Request and through Node, and little of it is read`, async () => {
      const address = `${APP}/auth/backchannel-logout`
      const asked = badForm(kind)
      const body = Readable.toWeb(asked.parts) as unknown as BodyInit // Node's type of a stream is another than the browser's
      const request = new Request(address, { method: 'POST', body, ...{ duplex: 'half' } })
      const answer = await open().client.handle(request)
      assert.deepEqual([answer?.status, answer?.headers.get('connection')], [400, kind === 'never ends' ? 'close' : null])
      assert.ok(asked.form.sent < 100_000, `${asked.form.sent} bytes`)

      const onNode = badForm(kind)
      assert.equal(await statusOf(onNode.parts), 400)
      assert.ok(onNode.form.sent < 100_000, `${onNode.form.sent} bytes`)
    })

  it('in a form that the app has read is a fault of the app, so that Portaria reports it again', async () => {
    const request = new Request(`${APP}/auth/backchannel-logout`, { method: 'POST', body: 'logout_token=a' })
    await request.text()
    await assert.rejects(async () => open().client.handle(request), /already been read|unusable/)
  })

  it('given twice in one form is refused', async () => {
    const token = await sign(usual)
    const body = `logout_token=${token}&logout_token=${token}`
    assert.equal((await open().client.handle(new Request(`${APP}/auth/backchannel-logout`, { method: 'POST', body })))?.status, 400)
  })

  it('that can not be verified for want of keys is answered 503, so that Portaria reports it again', async () => {
    const { report, portaria } = open()
    portaria.isAway = true
    assert.equal((await report(await sign(usual))).status, 503)
  })

  it('under a key that is new is verified after the keys are fetched once more', async () => {
    const { report, portaria } = open()
    portaria.keys = [es.jwk, later.jwk]
    assert.equal((await report(await sign(usual, { key: later.privateKey, kid: 'later' }))).status, 200)
  })

  it('that the app fails to write down is a fault, so that Portaria reports it again', async () => {
    const { report } = open({ onSignedOut: () => Promise.reject(new Error('the store is away')) })
    await assert.rejects(async () => report(await sign(usual)), /the store is away/)
  })
})
