import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { importJWK } from 'jose'
import { deleteUser, disableUser, findUser, setUserPassword } from '../../src/admin/index.ts'
import { addApiKey, type ProductCreated, revokeApiKey } from '../../src/products/index.ts'
import { revokeSigningKey } from '../../src/sessions/index.ts'
import type { Answer, Browser } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { assemble, openSigner, sign } from '../support/routes/raw-requests.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import {
  accessToken,
  assertRefused,
  check,
  decode,
  EXTERNAL,
  enter,
  exchangeOf,
  INTERNAL,
  INVALID,
  isLive,
  loginAddress,
  me,
  parameter,
  pass,
  post,
  sessionOf,
  signedIn,
  verify,
} from '../support/users/sign-in-steps.ts'

const OTHER = 'http://127.0.0.1:4003/callback'
const INSIDE = 'http://localhost:4004/callback'

interface Cast {
  loja: ProductCreated
  rival: ProductCreated
  painel: ProductCreated
}

async function cast(service: TestService): Promise<Cast> {
  const outside = { audience: 'external', checkout: 'external' } as const
  const painel = await service.product({ slug: 'painel', uris: [INTERNAL] })
  await service.product({ slug: 'dentro', uris: [INSIDE], handoff: 'eg_token' })
  return {
    painel,
    loja: await service.product({ slug: 'loja', uris: [EXTERNAL], ...outside }),
    rival: await service.product({ slug: 'rival', uris: [OTHER], ...outside }),
  }
}

async function handoff(browser: Browser, uri: string, { product }: ProductCreated): Promise<string> {
  return parameter(await pass(browser, { redirect_to: uri, api_key: product.publishableKey }), 'eg_token')
}

async function productSession(service: TestService, browser: Browser, uri: string, product: ProductCreated): Promise<string> {
  const answer = await verify(service, await handoff(browser, uri, product), product.apiKey)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ eg_session: string }>().eg_session
}

/** Presents a text everywhere a credential is read, and answers where it was taken. */
async function takenAt(service: TestService, token: string, { loja, rival }: Cast): Promise<string[]> {
  const taken: string[] = []
  const note = (place: string, isTaken: boolean) => isTaken && taken.push(place)
  const keys = { domain: undefined, loja: loja.apiKey, rival: rival.apiKey }
  for (const [name, key] of Object.entries(keys)) {
    const cookie = `eg_session=${encodeURIComponent(token)}`
    note(`check ${name}`, JSON.stringify(await check(service, cookie, key)) !== JSON.stringify(INVALID))
    note(`token ${name}`, (await post(service, '/auth/token', exchangeOf(token), key)).status === 200)
    if (key !== undefined) note(`verify ${name}`, (await verify(service, token, key)).status === 200)
  }
  const isBearer = /^[\x21-\x7e]+$/.test(token)
  if (isBearer) {
    note('me', (await me(service, token)).status !== 401)
    note('key', (await verify(service, 'x', token)).text !== '{"error":"invalid_api_key"}')
    note(
      'check key',
      (await check(service, 'eg_session=x', token)) !== undefined &&
        (await post(service, '/auth/signout', { eg_session: 'x' }, token)).status === 200,
    )
  }
  for (const name of ['portaria', 'portaria_flow', 'portaria_device']) {
    const browser = service.browser()
    browser.cookies.set('eg_session', token)
    browser.cookies.set(name, token)
    note(`account as ${name}`, (await browser.get('/account')).status === 200)
  }
  for (const path of ['/login', '/auth/continue', '/auth/welcome', '/complete-profile']) {
    note(`flow ${path}`, (await service.browser().get(`${path}?${new URLSearchParams({ flow: token })}`)).status !== 400)
  }
  note('api_key', (await service.browser().get(loginAddress({ redirect_to: EXTERNAL, api_key: token }))).status === 200)
  return taken
}

oneDatabase('A token', (database) => {
  const suite = startForSuite(database)
  let apps: Cast
  let ana: Browser
  let session: string
  before(async () => {
    apps = await cast(suite())
    await suite().user('ana@exemplo.com.br')
    ana = await signedIn(suite(), 'ana@exemplo.com.br')
    session = sessionOf(ana)
  })

  it('22 (one kind taken for another): is good for the one place it was made for, in every combination of kinds and places', async () => {
    const service = suite()
    const lojaSession = await productSession(service, ana, EXTERNAL, apps.loja)
    const flow = new URL(
      (await service.browser().get(loginAddress({ redirect_uri: INTERNAL }))).location ?? assert.fail(),
    ).searchParams.get('flow')
    const kinds = {
      'session of the domain': [session, ['check domain', 'token domain']],
      'session of loja': [lojaSession, ['check loja', 'token loja']],
      'handoff for loja': [await handoff(ana, EXTERNAL, apps.loja), ['verify loja']],
      'handoff for rival': [await handoff(ana, OTHER, apps.rival), ['verify rival']],
      'access token': [await accessToken(service, session), ['me']],
      'access token of loja': [await accessToken(service, lojaSession, apps.loja.apiKey), ['me']],
      'API key': [apps.loja.apiKey, ['key', 'check key']],
      'publishable key': [apps.loja.product.publishableKey, ['api_key']],
      'publishable key of another': [apps.rival.product.publishableKey, []],
      'webhook key': [apps.loja.webhookKey, []],
      'bound cookie': [ana.cookies.get('portaria') ?? '', []],
      'flow cookie': [ana.cookies.get('portaria_flow') ?? '', []],
      'device cookie': [ana.cookies.get('portaria_device') ?? '', []],
      'flow of another browser': [flow ?? '', []],
      password: [PASSWORD, []],
    } as const
    for (const [kind, [token, places]] of Object.entries(kinds)) {
      assert.ok(token.length > 8, kind)
      assert.deepEqual(await takenAt(service, token, apps), places, kind)
    }
  })

  it("22: for one product is not redeemed, spent or ended by another product's key", async () => {
    const service = suite()
    const token = await handoff(ana, EXTERNAL, apps.loja)
    for (const key of [apps.rival.apiKey, apps.painel.apiKey]) assertRefused(await verify(service, token, key), 401, 'invalid_token')
    const good = await verify(service, token, apps.loja.apiKey)
    assert.equal(good.status, 200)
    const { eg_session } = good.json<{ eg_session: string }>()
    for (const key of [apps.rival.apiKey, apps.painel.apiKey]) {
      assert.deepEqual((await post(service, '/auth/signout', { eg_session }, key)).json(), { signed_out: false })
      assert.equal(await isLive(service, eg_session, key), false)
      assertRefused(await post(service, '/auth/token', exchangeOf(eg_session), key), 400, 'invalid_grant')
    }
    assert.equal(await isLive(service, eg_session, apps.loja.apiKey), true)
  })

  it('18 (downgrade of the proof of possession): is redeemed by nobody who lacks the API key, whatever else is offered', async () => {
    const service = suite()
    const token = await handoff(ana, EXTERNAL, apps.loja)
    for (const given of [
      undefined,
      '',
      apps.loja.product.publishableKey,
      apps.loja.webhookKey,
      token,
      session,
      apps.loja.apiKey.slice(0, -1),
      `${apps.loja.apiKey}x`,
    ]) {
      assertRefused(await verify(service, token, given), 401, 'invalid_api_key')
    }
    const fields = {
      token,
      code_verifier: 'x',
      code_challenge: 'x',
      code_challenge_method: 'plain',
      api_key: apps.loja.apiKey,
      client_secret: apps.loja.apiKey,
    }
    assertRefused(await post(service, '/auth/verify', fields), 401, 'invalid_api_key')
    assert.equal((await verify(service, token, apps.loja.apiKey)).status, 200)
  })

  it('21 (algorithm confusion): is refused under every other algorithm, key, header and empty signature', async () => {
    const service = suite()
    const { kid, publicJwk, sign: genuine } = await openSigner(service)
    const { claims } = decode(session)
    const typ = 'eg-session+jwt'
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const ownJwk = own.publicKey.export({ format: 'jwk' })
    const ownKey = await importJWK(own.privateKey.export({ format: 'jwk' }), 'ES256')
    const rsa = await importJWK(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), 'RS256')
    assert.equal(await isLive(service, await genuine(claims, { typ })), true, 'the forger works with a genuine key')
    const hmac = (text: string) => sign(claims, { alg: 'HS256', typ, kid }, Buffer.from(text))
    const zeros = new Uint8Array(64)
    const [, payload = '', signature = ''] = session.split('.')
    const forged = [
      await hmac(JSON.stringify(publicJwk)),
      await hmac(JSON.stringify({ ...publicJwk, kid, alg: 'ES256', use: 'sig' })),
      await hmac(publicJwk.x ?? ''),
      await hmac(kid),
      ...[
        'none',
        'None',
        'NONE',
        'nOnE',
        '',
        null,
        undefined,
        ['ES256'],
        ['none', 'ES256'],
        {},
        0,
        true,
        'HS256',
        'ES384',
        'RS256',
        'EdDSA',
        'es256',
      ].flatMap((alg) => [assemble({ alg, typ, kid }, claims), assemble({ alg, typ, kid }, claims, signature)]),
      assemble({ alg: 'ES256', typ, kid }, claims, zeros),
      assemble({ alg: 'ES256', typ, kid }, claims, new Uint8Array(0)),
      assemble({ alg: 'ES256', typ, kid }, claims, Buffer.concat([Buffer.alloc(31), Buffer.from([1]), Buffer.alloc(31), Buffer.from([1])])),
      assemble(
        { alg: 'ES256', typ, kid },
        claims,
        Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'.repeat(2), 'hex'),
      ),
      await sign(claims, { typ, kid }, ownKey as never),
      await sign(claims, { typ, kid, jwk: ownJwk as never }, ownKey as never),
      await sign(claims, { typ, kid: 'own', jwk: ownJwk as never }, ownKey as never),
      await sign(
        claims,
        { typ, kid, jku: `${service.url}/.well-known/jwks.json`, x5u: 'https://evil.example/x', x5c: ['x'] },
        ownKey as never,
      ),
      await sign(claims, { alg: 'RS256', typ, kid }, rsa as never),
      ...(await Promise.all(
        ['../../../../dev/null', '/etc/passwd', "' or 1=1 --", '', '__proto__', 'constructor', 'toString', [kid], { kid }, 0, null].map(
          (bad) => assemble({ alg: 'ES256', typ, kid: bad }, claims, signature),
        ),
      )),
      await genuine(claims, { typ, kid: '../../x' }),
      await genuine(claims, { typ, kid: undefined as never }),
      ...(await Promise.all(
        ['JWT', 'at+jwt', 'eg-token+jwt', '', 'eg-session', 'eg-session+jwt2', ['eg-session+jwt'], undefined, null].map((wrong) =>
          genuine(claims, { typ: wrong as never }),
        ),
      )),
      await genuine(claims, { typ, crit: ['x'], x: 1 }).catch(() =>
        assemble({ alg: 'ES256', typ, kid, crit: ['x'], x: 1 }, claims, signature),
      ),
      `${session}.`,
      `${session}.${signature}`,
      `.${payload}.${signature}`,
      '..',
      '...',
      'x',
      Buffer.from(JSON.stringify({ protected: session.split('.')[0], payload, signature })).toString(),
    ]
    for (const token of forged) assert.deepEqual(await takenAt(service, token, apps), [], token)
  })

  it('21: with a genuine signature is refused when any claim is missing, of another type, or of another place', async () => {
    const service = suite()
    const { sign: genuine } = await openSigner(service)
    const { claims } = decode(session)
    const typ = 'eg-session+jwt'
    const seconds = Math.floor(service.clock.now / 1000)
    const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
    const wrong: Array<Record<string, unknown>> = [
      ...['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp'].map(without),
      ...['iss', 'aud', 'sub', 'sid', 'jti', 'exp'].flatMap((name) =>
        [null, 0, '', {}, ['x'], [claims[name]], 'x'].map((value) => ({ ...claims, [name]: value })),
      ),
      { ...claims, jti: 7 },
      { ...claims, aud: [claims.aud, apps.loja.product.id] },
      { ...claims, aud: apps.loja.product.id },
      { ...claims, aud: `${claims.aud}/` },
      { ...claims, aud: `${claims.aud}/api` },
      { ...claims, iss: `${claims.iss}/` },
      { ...claims, iss: 'https://evil.example' },
      { ...claims, exp: seconds - 1 },
      { ...claims, exp: seconds },
      { ...claims, nbf: seconds + 60 },
      { ...claims, sub: crypto.randomUUID() },
      { ...claims, sid: crypto.randomUUID() },
      { ...claims, pad: 'x'.repeat(3_000) },
    ].filter((one) => !('jti' in one && one.jti === 'x') && !('jti' in one && one.jti === ''))
    for (const bad of wrong) {
      const token = await genuine(bad, { typ }).catch(() => undefined)
      if (token !== undefined) assert.equal(await isLive(service, token), false, JSON.stringify(bad))
    }
  })

  it('21: with any byte changed is refused', async () => {
    const service = suite()
    const base64url = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.')
    await fc.assert(
      fc.asyncProperty(fc.nat(session.length - 3), base64url, fc.boolean(), async (at, letter, inserts) => {
        const changed = session.slice(0, at) + letter + session.slice(at + (inserts ? 0 : 1))
        assert.equal(await isLive(service, changed), changed === session)
      }),
      { numRuns: 150, seed: 3 },
    )
  })

  it('22: whose cookie is sent several times over is good only when all that are genuine name one session', async () => {
    const service = suite()
    await service.user('bia@exemplo.com.br')
    const other = sessionOf(await signedIn(service, 'bia@exemplo.com.br'))
    const cookies = (...tokens: string[]) => tokens.map((token) => `eg_session=${token}`).join('; ')
    assert.deepEqual(await check(service, cookies(session, other)), INVALID)
    assert.deepEqual(await check(service, cookies(other, session, 'x')), INVALID)
    assert.deepEqual(await check(service, cookies('a', 'b', 'c', 'd', session)), INVALID)
    for (const path of ['/account', loginAddress({ redirect_to: INTERNAL })]) {
      const tossed = service.browser({ cookie: `${cookies(other)}; eg_session=${session}; portaria=${ana.cookies.get('portaria')}` })
      const answer = await tossed.request('GET', path, { headers: { accept: 'text/html' } })
      assert.ok(!answer.location?.pathname.startsWith('/auth/continue') && !answer.text.includes('bia@'), path)
    }
  })

  it('23 (a disabled or deleted user still served): is dead in every place at once, and no password opens a new one', async () => {
    const service = suite()
    for (const [name, end] of [
      ['disabled', disableUser],
      ['deleted', (user, _reason, deps) => deleteUser(user, { ...deps, masterKeys: service.context.masterKeys })],
    ] as Array<[string, typeof disableUser]>) {
      const email = `${name}@exemplo.com.br`
      await service.user(email)
      const browser = await signedIn(service, email)
      const own = sessionOf(browser)
      const child = await productSession(service, browser, EXTERNAL, apps.loja)
      const unused = await handoff(browser, OTHER, apps.rival)
      const access = [await accessToken(service, own), await accessToken(service, child, apps.loja.apiKey)]
      await end((await findUser(service.context.storage.db, email)) ?? assert.fail(), 'test', {
        ...service.context,
        actor: 'operator:test',
      })
      assert.equal(await isLive(service, own), false)
      assert.equal(await isLive(service, child, apps.loja.apiKey), false)
      assertRefused(await verify(service, unused, apps.rival.apiKey), 401, 'invalid_token')
      for (const token of access) {
        const answer = await me(service, token)
        if (name === 'deleted') assertRefused(answer, 404, 'Usuario nao encontrado')
        else assertRefused(answer, 401, 'Token invalido ou expirado')
      }
      for (const [token, key] of [
        [own, undefined],
        [child, apps.loja.apiKey],
      ] as const) {
        assertRefused(await post(service, '/auth/token', exchangeOf(token), key), 400, 'invalid_grant')
      }
      assert.equal((await browser.get('/account')).location?.pathname, '/login')
      assert.equal((await service.browser().signIn('/login', { email, password: PASSWORD })).status, 401)
    }
  })

  it('24 (sessions that outlive a sign-out): dies with its session, in every product', async () => {
    const service = suite()
    await service.user('dora@exemplo.com.br')
    const ends: Array<(browser: Browser) => Promise<unknown>> = [
      (browser) => browser.get('/auth/signout'),
      async () => {
        const user = (await findUser(service.context.storage.db, 'dora@exemplo.com.br')) ?? assert.fail()
        await setUserPassword(user, PASSWORD, { ...service.context, actor: 'operator:test' })
      },
    ]
    for (const end of ends) {
      const browser = await signedIn(service, 'dora@exemplo.com.br')
      const own = sessionOf(browser)
      const children = [
        { token: await productSession(service, browser, EXTERNAL, apps.loja), key: apps.loja.apiKey },
        { token: await productSession(service, browser, OTHER, apps.rival), key: apps.rival.apiKey },
      ]
      const access = await Promise.all([accessToken(service, own), ...children.map(({ token, key }) => accessToken(service, token, key))])
      const unused = await handoff(browser, EXTERNAL, apps.loja)
      await end(browser)
      assert.equal(await isLive(service, own), false)
      for (const { token, key } of children) assert.equal(await isLive(service, token, key), false)
      for (const token of access) assertRefused(await me(service, token), 401, 'Token invalido ou expirado')
      assertRefused(await verify(service, unused, apps.loja.apiKey), 401, 'invalid_token')
    }
  })

  it("24: of a product that it ends itself leaves the user's other sessions alone", async () => {
    const service = suite()
    const child = await productSession(service, ana, EXTERNAL, apps.loja)
    const sibling = await productSession(service, ana, OTHER, apps.rival)
    assert.deepEqual((await post(service, '/auth/signout', { eg_session: child }, apps.loja.apiKey)).json(), { signed_out: true })
    assert.equal(await isLive(service, child, apps.loja.apiKey), false)
    assert.equal(await isLive(service, sibling, apps.rival.apiKey), true)
    assert.equal(await isLive(service, session), true)
  })

  it('37 (API keys): is worth nothing with a key that was revoked a moment ago, and the key is in no log, page or table', async () => {
    const service = suite()
    const { id, apiKey } = await addApiKey(apps.loja.product, { ...service.context, actor: 'operator:test' })
    const child = await productSession(service, ana, EXTERNAL, { ...apps.loja, apiKey })
    assert.equal(await isLive(service, child, apiKey), true)
    const token = await handoff(ana, EXTERNAL, apps.loja)
    await revokeApiKey(apps.loja.product, id, { ...service.context, actor: 'operator:test' })
    assertRefused(await verify(service, token, apiKey), 401, 'invalid_api_key')
    assertRefused(await post(service, '/auth/token', exchangeOf(child), apiKey), 401, 'invalid_client')
    assertRefused(await post(service, '/auth/signout', { eg_session: child }, apiKey), 401, 'invalid_api_key')
    assert.equal(await isLive(service, child, apiKey), false)
    assert.equal((await verify(service, token, apps.loja.apiKey)).status, 200)
    const answers: Answer[] = []
    for (const path of [
      loginAddress({ redirect_to: EXTERNAL, api_key: apps.loja.apiKey }),
      loginAddress({ redirect_to: apps.loja.apiKey }),
      `/${apps.loja.apiKey}`,
      `/:${apps.loja.apiKey}(`,
    ]) {
      answers.push(await service.browser().get(path, { accept: 'application/json' }))
    }
    for (const { status, text } of answers) assert.ok(status >= 400 && status < 500 && !text.includes(apps.loja.apiKey))
    assert.ok(!service.log().includes(apiKey) && !service.log().includes(apps.loja.apiKey))
  })

  it('14 (session fixation): alone opens no page of ours and no silent sign-in, nor does the bound cookie alone', async () => {
    const service = suite()
    const bound = ana.cookies.get('portaria') ?? assert.fail()
    const flow = await silentFlow(ana)
    const thefts = [
      { eg_session: session },
      { portaria: bound },
      { eg_session: session, portaria: randomBytes(32).toString('base64url') },
      { eg_session: 'x', portaria: bound },
    ]
    for (const stolen of thefts) {
      const thief = service.browser()
      await thief.get(loginAddress({ redirect_to: INTERNAL }))
      for (const [name, value] of Object.entries(stolen)) thief.cookies.set(name, value)
      for (const path of ['/auth/continue', '/auth/welcome', '/complete-profile', '/login']) {
        const answer = await thief.get(`${path}?${new URLSearchParams({ flow })}`)
        assert.equal(answer.status, 400, path)
        assert.deepEqual(answer.headers.getSetCookie(), [])
      }
      assert.equal((await thief.get('/account')).location?.pathname, '/login')
      assert.equal((await thief.get(loginAddress({ redirect_to: INTERNAL }))).status, 200)
      assert.equal((await thief.get(loginAddress({ redirect_uri: INTERNAL }))).location?.pathname, '/login')
      assert.equal((await thief.get('/')).location?.pathname, '/login')
    }
  })
})

/** A flow that a signed-in browser may continue with. */
async function silentFlow(browser: Browser): Promise<string> {
  const answer = await browser.get(loginAddress({ redirect_to: INTERNAL }))
  assert.equal(answer.location?.pathname, '/auth/continue')
  return parameter(answer.location, 'flow')
}

oneDatabase('Without its signing keys the service', (database) => {
  it('31 (fail open on misconfiguration): lets nobody in and believes no token', async () => {
    const service = await startService(await database.fresh())
    await service.product({ slug: 'painel', uris: [INTERNAL] })
    await service.user('ana@exemplo.com.br')
    const browser = service.browser()
    const token = parameter(await enter(browser, 'ana@exemplo.com.br', { redirect_to: INTERNAL }), 'eg_session')
    const { kid, sign: genuine } = await openSigner(service)
    await revokeSigningKey(kid, { ...service.context, actor: 'operator:test' })
    await untilDead(service, token)
    assert.equal(await isLive(service, await genuine(decode(token).claims, { typ: 'eg-session+jwt' })), false)
    await service.context.storage.db.updateTable('signing_keys').set({ revoked_at: 1 }).execute()
    await service.context.changes.transaction(async (_tx, announce) => announce({ kind: 'signing_keys_changed', subject: 'all' }))
    await untilNoKeys(service)
    const refused = await service.browser().signIn('/login', { email: 'ana@exemplo.com.br', password: PASSWORD })
    assert.equal(refused.status, 500)
    assert.ok(refused.headers.getSetCookie().every((line) => !line.startsWith('eg_session=') && !line.startsWith('portaria=')))
    assert.equal(await isLive(service, token), false)
    assert.equal((await browser.get('/account')).location?.pathname, '/login')
  })
})

async function untilDead(service: TestService, token: string): Promise<void> {
  await until(async () => !(await isLive(service, token)), 2_000)
}

async function untilNoKeys(service: TestService): Promise<void> {
  await until(async () => {
    const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: unknown[] }
    return keys.length === 0
  }, 2_000)
}
