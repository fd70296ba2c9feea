import assert from 'node:assert/strict'
import { it } from 'node:test'
import { generateKeyPair, SignJWT } from 'jose'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { oneDatabase, type TestDatabase } from '../../support/databases.ts'
import { codeIn, linkIn, startMailbox } from '../../support/mailbox.ts'
import { assemble, assertNothingInside } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startService } from '../../support/service.ts'
import { startProvider } from '../../support/users/openid-provider.ts'

const ANA = { subject: 'ana-1', email: 'ana@exemplo.com.br', email_verified: true, name: 'Ana Flávia' }
const AUDIENCE = 'https://api.exemplo.com.br'

async function begin(database: TestDatabase) {
  const mailbox = await startMailbox()
  const environment = { PORTARIA_SMTP_URL: mailbox.url }
  const service = await startService(await database.fresh(), { environment, passwords: cheapPasswords, clock: { now: Date.now() } })
  const connect = async (
    id: string,
    { authoritativeFor = ['exemplo.com.br'], accessTokenAudience = undefined as string | undefined } = {},
  ) => {
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const input = { id, name: `Provedor ${id}`, issuer, clientId, clientSecret, authoritativeFor, accessTokenAudience }
    assert.ok(!('refusal' in (await addProvider(input, { ...service.context, actor: 'operator:test' }))))
    return provider
  }
  const start = async (browser: Browser, id = 'um', login = '/login') => {
    const flow = hiddenFlow((await browser.get(login)).text)
    return (await browser.get(`/auth/provider/${id}?flow=${encodeURIComponent(flow)}`)).location ?? assert.fail('no way to the provider')
  }
  const userOf = async (browser: Browser) => {
    const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${browser.cookies.get('eg_session')}` } })
    return ((await check.json()) as { session?: { sub: string } }).session?.sub
  }
  const identities = () => service.context.storage.db.selectFrom('identities').selectAll().execute()
  return { mailbox, service, connect, start, userOf, identities }
}

oneDatabase('What an identity provider says', (database) => {
  it('12 (a verification for somebody else): the mailbox verifies the user who came, in the browser they came with', async () => {
    const { mailbox, service, connect, start, userOf, identities } = await begin(database)
    const provider = await connect('um', { authoritativeFor: [] })
    provider.next = { ...ANA, subject: 'attacker' }
    const attacker = service.browser()
    const { pathname, search } = await provider.walk((await start(attacker)).href)
    const waiting = await attacker.get(pathname + search)
    const flow = hiddenFlow((await attacker.get(waiting.location?.href ?? '')).text)
    const mail = await mailbox.find(ANA.email)
    const link = linkIn(mail, '/verify')
    const ticket = new URL(link, 'http://x').searchParams.get('ticket') ?? ''
    const victim = service.browser()
    await victim.get(link)
    for (const password of ['', PASSWORD, 'undefined', 'null'])
      assert.equal((await victim.submit('/verify', { ticket, password })).status, 401)
    assert.equal((await victim.submit('/check-mail', { flow, code: codeIn(mail) })).status, 400)
    assert.equal(await userOf(victim), undefined)
    assert.deepEqual(await identities(), [])
  })

  it('12: a link to be authenticated by password is for the user, the account and the round trip it was begun with', async () => {
    const { service, connect, start, userOf, identities } = await begin(database)
    const provider = await connect('um', { authoritativeFor: [] })
    const ana = await service.user(ANA.email)
    const caio = await service.user('caio@exemplo.com.br')
    const browser = service.browser()
    const arrive = async (user: typeof ANA, login?: string) => {
      provider.next = user
      const { pathname, search } = await provider.walk((await start(browser, 'um', login)).href)
      return (await browser.get(pathname + search)).location ?? assert.fail('nowhere to go')
    }
    const login = await arrive(ANA)
    const other = hiddenFlow((await browser.get(login.href)).text)
    assert.equal((await browser.submit('/login', { flow: other, email: caio.email, password: PASSWORD })).status, 302)
    assert.deepEqual(await identities(), [], 'the password of another account links nothing')
    assert.equal(await userOf(browser), caio.id)
    const again = await arrive({ ...ANA, subject: 'outra', email: 'caio@exemplo.com.br' }, login.pathname + login.search)
    const flow = hiddenFlow((await browser.get(again.href)).text)
    assert.equal((await browser.submit('/login', { flow, email: ana.email, password: PASSWORD })).status, 302)
    assert.deepEqual(await identities(), [], 'a link of the round trip before lives on')
  })

  it('13 (an address taken on trust): only a boolean true of a provider that is authoritative for that very domain links an account', async () => {
    const { service, connect, start, userOf, identities } = await begin(database)
    const provider = await connect('um')
    const verified = await Promise.all(
      ['ana@exemplo.com.br', 'ana@sub.exemplo.com.br', 'ana@naoexemplo.com.br', 'ana@exemplo.com.br.evil.example'].map((email) =>
        service.user(email),
      ),
    )
    const lies: Array<Record<string, unknown>> = [
      ...[undefined, null, false, 'true', 'True', 1, [true], {}, ''].map((email_verified) => ({ email: ANA.email, email_verified })),
      ...verified.slice(1).map(({ email }) => ({ email, email_verified: true })),
      ...['ana@exemplo.com.br@evil.example', '"ana@exemplo.com.br"@evil.example', 'ana@exemplo.com.br\u0000@evil.example'].map((email) => ({
        email,
        email_verified: true,
      })),
      ...['ana@evil.example\n@exemplo.com.br', 'ana@evil.example,ana@exemplo.com.br', '<ana@exemplo.com.br>'].map((email) => ({
        email,
        email_verified: true,
      })),
      ...[['ana@exemplo.com.br'], { address: 'ana@exemplo.com.br' }, 1, true].map((email) => ({ email, email_verified: true })),
    ]
    for (const [i, claims] of lies.entries()) {
      provider.next = { ...ANA, subject: `liar-${i}` }
      provider.tamper = (said) => ({ ...said, email: undefined, email_verified: undefined, ...claims })
      const browser = service.browser()
      const { pathname, search } = await provider.walk((await start(browser)).href)
      const answer = await browser.get(pathname + search)
      assert.equal(answer.status, 302, JSON.stringify(claims))
      const sub = await userOf(browser)
      assert.ok(!verified.some(({ id }) => id === sub), JSON.stringify(claims))
    }
    const linked = (await identities()).map(({ user_id }) => user_id)
    assert.ok(!verified.some(({ id }) => linked.includes(id)))
  })

  it('13: the same subject of another provider is another user', async () => {
    const { service, connect, start, userOf } = await begin(database)
    const [one, two] = [await connect('um'), await connect('dois', { authoritativeFor: ['outra.com.br'] })]
    one.next = ANA
    two.next = { ...ANA, email: 'ana@outra.com.br' }
    const subs: Array<string | undefined> = []
    for (const [id, provider] of [
      ['um', one],
      ['dois', two],
    ] as const) {
      const browser = service.browser()
      const { pathname, search } = await provider.walk((await start(browser, id)).href)
      await browser.get(pathname + search)
      subs.push(await userOf(browser))
    }
    assert.ok(subs[0] && subs[1] && subs[0] !== subs[1])
  })

  it('16 (mix-up): an answer that names another issuer, none, or anything twice signs nobody in', async () => {
    const { service, connect, start, userOf } = await begin(database)
    const provider = await connect('um')
    provider.next = ANA
    const changes: Array<(query: URLSearchParams) => void> = [
      (query) => query.set('iss', 'https://evil.example'),
      (query) => query.set('iss', `${provider.issuer}/`),
      (query) => query.delete('iss'),
      (query) => query.append('iss', provider.issuer),
      (query) => query.append('code', 'another'),
      (query) => query.append('state', query.get('state') ?? ''),
      (query) => query.set('code', ''),
      (query) => query.delete('code'),
      (query) => query.set('error', 'server_error"><svg onload=alert(1)>'),
      (query) => query.set('response', 'eyJhbGciOiJub25lIn0.e30.'),
      (query) => query.set('id_token', 'eyJhbGciOiJub25lIn0.e30.'),
    ]
    for (const change of changes) {
      const browser = service.browser()
      const callback = await provider.walk((await start(browser)).href)
      const query = new URLSearchParams(callback.search)
      change(query)
      const answer = await browser.get(`${callback.pathname}?${query}`)
      assert.ok(answer.status === 400 || answer.location?.pathname === '/login', `${query}: ${answer.status} ${answer.location}`)
      const page = answer.location ? await browser.get(answer.location.href) : answer
      assertNothingInside(page.text, String(query))
      assert.doesNotMatch(page.text, /<svg onload/)
      assert.equal(await userOf(browser), undefined)
    }
  })

  it('18 (PKCE left out): each attempt has a challenge, state and nonce of its own, and a code fits no other attempt', async () => {
    const { service, connect, start, userOf } = await begin(database)
    const provider = await connect('um')
    provider.next = ANA
    const browser = service.browser()
    const attempts = [await start(browser), await start(browser)]
    for (const name of ['code_challenge', 'state', 'nonce']) {
      const values = attempts.map((url) => url.searchParams.get(name) ?? '')
      assert.ok(values.every((value) => value.length >= 43) && values[0] !== values[1], name)
    }
    for (const { searchParams } of attempts) {
      assert.equal(searchParams.get('code_challenge_method'), 'S256')
      assert.equal(searchParams.get('response_type'), 'code')
      assert.equal(searchParams.get('redirect_uri'), `${service.url}/auth/callback`)
    }
    const [first, second] = [await provider.walk(attempts[0]?.href ?? ''), await provider.walk(attempts[1]?.href ?? '')]
    const swapped = new URLSearchParams(first.search)
    swapped.set('code', second.searchParams.get('code') ?? '')
    const answer = await browser.get(`/auth/callback?${swapped}`)
    assert.equal(answer.location?.pathname, '/login')
    assert.equal(await userOf(browser), undefined)
  })

  it('3, 22: a provider is found by its exact id, and its attempts begin in a flow of this browser alone', async () => {
    const { service, connect } = await begin(database)
    await connect('um')
    const browser = service.browser()
    const flow = encodeURIComponent(hiddenFlow((await browser.get('/login')).text))
    for (const id of ['UM', 'um%20', 'um%00', '%2e%2e', 'um%2f..%2fdois', 'dois', "um'--", '__proto__', 'constructor', 'x'.repeat(90)])
      assert.equal((await browser.get(`/auth/provider/${id}?flow=${flow}`)).status, 404, id)
    assert.equal((await service.browser().get(`/auth/provider/um?flow=${flow}`)).status, 400)
    for (const broken of ['', '?flow=', '?flow=gone', `?flow=${flow}x`])
      assert.equal((await browser.get(`/auth/provider/um${broken}`)).status, 400)
  })
})

oneDatabase('A provider’s access token at /api/me', (database) => {
  async function beginWithToken() {
    const { service, connect, identities, ...rest } = await begin(database)
    const provider = await connect('um', { accessTokenAudience: AUDIENCE })
    const ana = await service.user(ANA.email)
    const tie = { issuer: provider.issuer, subject: 'ana-1', user_id: ana.id, email: null, created_at: 1 }
    await service.context.storage.db.insertInto('identities').values(tie).execute()
    const seconds = Math.floor(service.clock.now / 1000)
    const claims = { iss: provider.issuer, sub: 'ana-1', aud: AUDIENCE, iat: seconds, exp: seconds + 300, client_id: 'an-app', jti: 'x' }
    const me = async (token: string) => {
      const answer = await fetch(`${service.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
      return { status: answer.status, body: await answer.text() }
    }
    return { service, connect, provider, ana, claims, me, identities, ...rest }
  }

  it('is good for the user whom issuer and subject name', async () => {
    const { provider, ana, claims, me } = await beginWithToken()
    const { status, body } = await me(await provider.sign(claims))
    assert.equal(status, 200, body)
    assert.equal(JSON.parse(body).id, ana.id)
    assert.equal((await me(await provider.sign({ ...claims, aud: ['https://another', AUDIENCE] }))).status, 200)
  })

  it('21, 22: is refused unless it is a good access token, for this audience, of a provider that is marked so', async () => {
    const { service, connect, provider, claims, me } = await beginWithToken()
    const unmarked = await connect('dois')
    await service.context.storage.db
      .insertInto('identities')
      .values({
        issuer: unmarked.issuer,
        subject: 'ana-1',
        user_id: (await service.user('x@exemplo.com.br')).id,
        email: null,
        created_at: 1,
      })
      .execute()
    const { privateKey } = await generateKeyPair('RS256')
    const stranger = (header: Record<string, unknown> = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test-key', typ: 'at+jwt', ...header }).sign(privateKey)
    const { exp: _exp, ...endless } = claims
    const { sub: _sub, ...nobody } = claims
    const { aud: _aud, ...forAll } = claims
    const good = await provider.sign(claims)
    const bad: Record<string, string> = {
      'an ID token': await provider.sign({ ...claims, aud: 'portaria', nonce: 'n' }, { typ: 'JWT' }),
      'an ID token for both': await provider.sign({ ...claims, aud: ['portaria', AUDIENCE] }, { typ: 'JWT' }),
      'an ID token with a nonce': await provider.sign({ ...claims, nonce: 'n' }, { typ: 'JWT' }),
      'another audience': await provider.sign({ ...claims, aud: 'https://another' }),
      'an audience with a slash': await provider.sign({ ...claims, aud: `${AUDIENCE}/` }),
      'no audience': await provider.sign(forAll),
      'an expired one': await provider.sign({ ...claims, exp: claims.iat - 1 }),
      'an endless one': await provider.sign(endless),
      'one not good yet': await provider.sign({ ...claims, nbf: claims.iat + 600 }),
      'nobody’s': await provider.sign(nobody),
      'of a provider not marked': await unmarked.sign({ ...claims, iss: unmarked.issuer }),
      'signed by another provider': await unmarked.sign(claims),
      'of an unknown issuer': await provider.sign({ ...claims, iss: 'https://evil.example' }),
      'of an issuer with a slash': await provider.sign({ ...claims, iss: `${provider.issuer}/` }),
      'signed by a stranger': await stranger(),
      'with its key in the header': await stranger({ jwk: { kty: 'oct', k: 'AA' } }),
      'with the address of its key': await stranger({ jku: 'https://evil.example/jwks', kid: '../../x' }),
      'without a signature': assemble({ alg: 'none', typ: 'at+jwt' }, claims),
      'with its signature cut off': good.slice(0, good.lastIndexOf('.') + 1),
      'with another payload': `${good.split('.')[0]}.${Buffer.from(JSON.stringify({ ...claims, sub: 'x' })).toString('base64url')}.${good.split('.')[2]}`,
      'with HS256 and the name of the key': assemble({ alg: 'HS256', kid: 'test-key', typ: 'at+jwt' }, claims, 'AAAA'),
      'a logout token': await provider.sign({ ...claims, aud: 'portaria', events: {} }, { typ: 'logout+jwt' }),
      opaque: 'GvT0aJb-opaque-token',
      rubbish: 'a.b.c',
      'too long': `${good}${'x'.repeat(7_500)}`,
    }
    for (const [what, token] of Object.entries(bad)) {
      const { status, body } = await me(token)
      assert.equal(status, 401, `${what}: ${body}`)
      assert.deepEqual(JSON.parse(body), { error: 'Token invalido ou expirado' }, what)
    }
    assert.equal((await me(good)).status, 200)
    service.clock.now += 301_000
    assert.equal((await me(good)).status, 401)
  })

  it('23: of a user nobody knows is 404, of a disabled one 401', async () => {
    const { service, provider, ana, claims, me } = await beginWithToken()
    assert.equal((await me(await provider.sign({ ...claims, sub: 'nobody' }))).status, 404)
    await service.context.storage.db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', ana.id).execute()
    assert.equal((await me(await provider.sign(claims))).status, 401)
  })

  for (const mood of ['down', 'rubbish'] as const) {
    it(`is refused, not taken on trust nor a fault of ours, while its provider is ${mood}`, async () => {
      const { provider, claims, me } = await beginWithToken()
      const token = await provider.sign(claims)
      provider.mood = mood
      const { status, body } = await me(token)
      assert.equal(status, 503, body)
      assertNothingInside(body, mood)
      provider.mood = 'well'
      assert.equal((await me(token)).status, 200)
    })
  }
})
