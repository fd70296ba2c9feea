import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as oauth from 'oauth4webapi'
import { createGuardedFetch } from '../../../src/guarded-fetch/index.ts'
import { createClientDocuments, DOCUMENT_FETCH } from '../../../src/openid/index.ts'
import { changeProduct, type OpenIdSettings, productStore } from '../../../src/products/index.ts'
import type { Browser } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { continueLink, openIdApp, walk } from '../../support/openid/apps.ts'
import { type DocumentServer, startDocumentServer } from '../../support/openid/document-server.ts'
import { NOBODY } from '../../support/routes/admin-operations.ts'
import { holdNextAnswer } from '../../support/routes/asked-queries.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import { adminOf, lastAudit } from '../../support/users/admins.ts'
import { assertRefused, signedIn } from '../../support/users/sign-in-steps.ts'

interface Listed {
  id: string
  client_id: string
  state: string
  sessions: number
  first_seen_at: string
}

const LOCAL = { [oauth.allowInsecureRequests]: true }
const CALLBACK = 'http://127.0.0.1:50123/callback'
const EXPERIMENT = { PORTARIA_EXPERIMENTS: 'cimd' }

/** Begins as a client for MCP does, with a library of OAuth: it knows the address of the API, and describes itself. */
async function begin(service: TestService, clientId: string, more: Record<string, string> = {}) {
  const issuer = new URL(service.url)
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...LOCAL }))
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid profile offline_access',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  })
  const client: oauth.Client = { client_id: clientId }
  const redeem = async (location: URL) => {
    const parameters = oauth.validateAuthResponse(server, client, location, state)
    const answer = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, CALLBACK, verifier, LOCAL)
    return oauth.processAuthorizationCodeResponse(server, client, answer)
  }
  const refresh = async (token: string | undefined) =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token ?? assert.fail(), LOCAL),
    )
  return { server, path: `/openid/authorize?${query}`, redeem, refresh }
}

const isRefused = (fault: unknown) => fault instanceof oauth.ResponseBodyError && fault.error === 'invalid_grant'

async function taker(service: TestService, openid: Partial<OpenIdSettings> = {}): Promise<{ slug: string }> {
  return openIdApp(service, { openid: { kind: 'native', takesDocuments: true, ...openid }, uris: ['http://127.0.0.1/registered'] })
}

/** Signs in where that is asked, and gives access. */
async function giveAccess(browser: Browser, path: string, email?: string): Promise<URL> {
  const page = await walk(browser, await browser.get(path), email)
  return page.location ?? assert.fail(`${page.status} ${page.text.slice(0, 600)}`)
}

eachDatabase('A client that describes itself', (database) => {
  const started = startForSuite(database, { environment: EXPERIMENT })
  let documents: DocumentServer
  before(async () => {
    documents = await startDocumentServer()
    await taker(started())
  })
  after(() => documents.close())

  it('signs in by its address, refreshes, and loses all with the user’s session', async () => {
    const service = started()
    const { email, id } = await service.user('descrito@exemplo.com.br')
    const clientId = documents.describe('/tool.json')
    const { server, path, redeem, refresh } = await begin(service, clientId)
    assert.equal(server.client_id_metadata_document_supported, true)
    assert.equal(server.registration_endpoint, undefined)
    const browser = service.browser()
    const tokens = await redeem(await giveAccess(browser, path, email))
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    assert.deepEqual([claims?.aud, claims?.sub, claims?.name], [clientId, id, 'Ana Flávia Conceição'])
    const next = await refresh(tokens.refresh_token)
    assert.ok(next.refresh_token)
    await browser.get('/auth/signout')
    await assert.rejects(refresh(next.refresh_token), isRefused)
    assert.equal(documents.calls('/tool.json'), 1, 'the token endpoint fetches nothing')
  })

  it('signs its user out by its ID token, and leads back nowhere, since it has registered no address for that', async () => {
    const service = started()
    const { email } = await service.user('descrito-sair@exemplo.com.br')
    const { path, redeem, refresh } = await begin(service, documents.describe('/logout.json'))
    const browser = service.browser()
    const tokens = await redeem(await giveAccess(browser, path, email))
    const query = new URLSearchParams({ id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: CALLBACK, state: 's' })
    const answer = await browser.get(`/openid/logout?${query}`)
    assert.deepEqual([answer.status, answer.location], [200, undefined])
    assert.match(answer.text, /Você saiu/)
    await assert.rejects(refresh(tokens.refresh_token), isRefused)
    const unknown = new URLSearchParams({ client_id: 'https://refused.example.com/x', post_logout_redirect_uri: CALLBACK })
    assert.equal((await browser.get(`/openid/logout?${unknown}`)).status, 200, 'any address is one of a client that describes itself')
    const nobody = new URLSearchParams({ client_id: 'pk_nobody' })
    assert.equal((await browser.get(`/openid/logout?${nobody}`)).status, 400)
  })

  it('is listed for the operator once it was given access, loses its sessions when they are ended, and all when it is refused', async () => {
    const service = started()
    const owner = await adminOf(service, `dona-apps.${database.name}@exemplo.com.br`, 'owner')
    const { email } = await service.user('descrito-lista@exemplo.com.br')
    const clientId = documents.describe('/listed.json')
    const listed = async () => {
      const { data } = (await owner.get('/described-clients?limit=100')).json<{ data: Listed[] }>()
      return data.find((one) => one.client_id === clientId)
    }
    const { path, redeem, refresh } = await begin(service, clientId)
    const browser = service.browser()
    assert.equal(await listed(), undefined)
    const first = await redeem(await giveAccess(browser, path, email))
    const { id, state, sessions, first_seen_at } = (await listed()) ?? assert.fail()
    assert.deepEqual([state, sessions], ['allowed', 1])

    service.clock.now += 60_000
    assert.equal((await owner.send('POST', `/described-clients/${id}/revoke`)).json<Listed>().sessions, 0)
    await assert.rejects(refresh(first.refresh_token), isRefused)
    const again = await begin(service, clientId)
    const second = await again.redeem(await giveAccess(browser, again.path))
    assert.equal((await listed())?.first_seen_at, first_seen_at)

    const refused = await owner.send('POST', `/described-clients/${id}/refuse`, { reason: 'não é o editor que diz ser' })
    assert.deepEqual([refused.json<Listed>().state, refused.json<Listed>().sessions], ['refused', 0])
    await assert.rejects(refresh(second.refresh_token), (fault) => fault instanceof oauth.ResponseBodyError)
    const turned = await browser.get((await begin(service, clientId)).path)
    assert.equal(turned.status, 400)
    assert.match(turned.text, /invalid_client/)

    assert.equal((await owner.send('POST', `/described-clients/${id}/allow`)).json<Listed>().state, 'allowed')
    await giveAccess(browser, (await begin(service, clientId)).path)
    assert.equal((await listed())?.sessions, 1)
    for (const action of ['client.refuse', 'client.allow', 'client.revoke'])
      assert.equal((await lastAudit(service, action)).target, clientId)
    assertRefused(await owner.send('POST', `/described-clients/${NOBODY}/refuse`), 404, 'nao encontrado')
    const support = await adminOf(service, `ajuda-apps.${database.name}@exemplo.com.br`, 'support')
    assert.equal((await support.get('/described-clients')).status, 200)
    assertRefused(await support.send('POST', `/described-clients/${id}/refuse`), 403, 'nao permitido')
  })

  it('begins no session for a request that was under way when it was refused', async () => {
    const service = started()
    const owner = await adminOf(service, `dona-corrida.${database.name}@exemplo.com.br`, 'owner')
    const { email } = await service.user(`corrida.${database.name}@exemplo.com.br`)
    const clientId = documents.describe('/raced.json')
    const browser = service.browser()
    await giveAccess(browser, (await begin(service, clientId)).path, email)
    const { data } = (await owner.get('/described-clients')).json<{ data: Listed[] }>()
    const { id } = data.find((one) => one.client_id === clientId) ?? assert.fail()
    assert.equal((await owner.send('POST', `/described-clients/${id}/revoke`)).status, 200)
    const { path } = await begin(service, clientId)
    const held = holdNextAnswer(service, /^select .*"parent_id" = .*"client_id" = /s) // looks for a session just before it begins one
    const underWay = walk(browser, await browser.get(path))
    await held.asked
    assert.equal((await owner.send('POST', `/described-clients/${id}/refuse`)).status, 200)
    held.goOn()
    const { location } = await underWay
    assert.equal(location?.searchParams.get('error'), 'access_denied')
    const live = service.context.storage.db.selectFrom('sessions').select('id').where('client_id', '=', clientId)
    assert.deepEqual(await live.where('ended_at', 'is', null).execute(), [])
  })

  it('gets tokens for our own API', async () => {
    const service = started()
    const { email, id } = await service.user('descrito-api@exemplo.com.br')
    const { path, redeem } = await begin(service, documents.describe('/api.json'), { resource: `${service.url}/api`, scope: 'profile' })
    const { access_token: token } = await redeem(await giveAccess(service.browser(), path, email))
    const me = await fetch(`${service.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(((await me.json()) as { id: string }).id, id)
  })

  it('is asked about each time, by its host, after a fresh sign-in too; and never goes on in silence', async () => {
    const service = started()
    const { email } = await service.user('descrito-pagina@exemplo.com.br')
    const clientId = documents.describe('/page.json', { client_name: 'Portaria\u202E <b>oficial</b>' })
    const { host } = new URL(clientId)
    const browser = await signedIn(service, email)
    for (const more of [{}, {}, { prompt: 'login' }] as Record<string, string>[]) {
      const { path } = await begin(service, clientId, more)
      let page = await browser.follow(await browser.get(path))
      if (/name="password"/.test(page.text)) {
        const [, flow = assert.fail()] = /name="flow" value="([^"]+)"/.exec(page.text) ?? []
        page = await browser.follow(await browser.submit('/login', { flow, email, password: PASSWORD }))
      }
      assert.equal(page.location, undefined)
      assert.ok(page.text.includes(`<h1>Dar acesso a ${host}?</h1>`), page.text)
      assert.ok(page.text.includes('“Portaria &#60;b&#62;oficial&#60;/b&#62;”'), page.text)
      assert.match(page.text, /programa neste aparelho/)
      const { location } = await browser.follow(await browser.get(continueLink(page) ?? assert.fail(page.text)))
      assert.ok(location?.searchParams.get('code'))
    }
    const silent = await begin(service, clientId, { prompt: 'none' })
    assert.equal((await browser.get(silent.path)).location?.searchParams.get('error'), 'interaction_required')
  })

  it('is asked about all that it would receive, single claims among them, and receives nothing that the page leaves out', async () => {
    const service = started()
    const { email } = await service.user('descrito-claims@exemplo.com.br')
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { name: null, plan_slug: { essential: true } } })
    const { path, redeem } = await begin(service, documents.describe('/claims.json'), { scope: 'openid', claims })
    const browser = await signedIn(service, email)
    const page = await browser.follow(await browser.get(path))
    for (const said of ['Seu nome e sua foto', 'Seu e-mail', 'Seu plano']) assert.ok(page.text.includes(said), page.text)
    assert.ok(!page.text.includes('Acesso até você sair da conta'))
    const { location } = await browser.follow(await browser.get(continueLink(page) ?? assert.fail()))
    const tokens = await redeem(location ?? assert.fail())
    assert.equal(oauth.getValidatedIdTokenClaims(tokens)?.email, email)
    const plain = await begin(service, documents.describe('/plain.json'), { scope: 'openid' })
    const nothing = await browser.follow(await browser.get(plain.path))
    assert.doesNotMatch(nothing.text, /Seu nome e sua foto|Seu e-mail|Seu plano/)
  })

  it('has a session of its own: what ends one client’s leaves the others', async () => {
    const service = started()
    const { email } = await service.user('descrito-dois@exemplo.com.br')
    const browser = await signedIn(service, email)
    const [one, other] = [await begin(service, documents.describe('/one.json')), await begin(service, documents.describe('/other.json'))]
    const [first, second] = [
      await one.redeem(await giveAccess(browser, one.path)),
      await other.redeem(await giveAccess(browser, other.path)),
    ]
    assert.notEqual(oauth.getValidatedIdTokenClaims(first)?.sid, oauth.getValidatedIdTokenClaims(second)?.sid)
    await assert.rejects(other.refresh(first.refresh_token), isRefused)
    await one.refresh(first.refresh_token)
    await assert.rejects(one.refresh(first.refresh_token), isRefused)
    await other.refresh(second.refresh_token)
  })

  it('sends the answer to a redirect URI of its description alone', async () => {
    const service = started()
    const browser = await signedIn(service, (await service.user('descrito-voltas@exemplo.com.br')).email)
    const uris = ['http://127.0.0.1/callback', 'http://localhost/back', 'https://other.example/callback', 'com.example.app:/callback']
    const clientId = documents.describe('/uris.json', { redirect_uris: uris })
    for (const uri of [
      'https://other.example/callback',
      'com.example.app:/callback',
      'http://127.0.0.1:50123/callback/',
      'http://127.0.0.1:50123/callback?x=1',
      'http://127.0.0.1:50123/callbackx',
      'http://127.0.0.1:50123/callback#x',
      'http://127.0.0.1:50123/CALLBACK',
      'http://127.0.0.1:50123/back',
      'http://127.0.0.1:50123@evil.example/callback',
      'http://127.0.0.1.evil.example:50123/callback',
      'https://127.0.0.1:50123/callback',
      'http://127.0.0.1/registered',
      clientId,
    ])
      for (const more of [{}, { prompt: 'none' }] as Record<string, string>[]) {
        const { path } = await begin(service, clientId, { redirect_uri: uri, ...more })
        const answer = await browser.get(path)
        assert.deepEqual([answer.status, answer.location], [400, undefined], uri)
      }
    for (const uri of ['http://127.0.0.1:1/callback', 'http://localhost:65000/back']) {
      const { path } = await begin(service, clientId, { redirect_uri: uri })
      const { href } = await giveAccess(browser, path)
      assert.ok(href.startsWith(`${uri}?code=`), href)
    }
  })

  it('must use PKCE, pushes no request, and gets nothing from introspection', async () => {
    const service = started()
    const clientId = documents.describe('/strict.json')
    const { path } = await begin(service, clientId)
    const url = new URL(path, service.url)
    for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name)
    const browser = service.browser()
    assert.equal((await browser.get(url.pathname + url.search)).location?.searchParams.get('error'), 'invalid_request')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const calls = documents.calls('/strict.json')
    for (const [endpoint, fields] of [
      ['par', url.searchParams],
      ['par', new URL((await begin(service, clientId, { redirect_uri: clientId })).path, service.url).searchParams],
      ['par', new URL((await begin(service, clientId)).path, service.url).searchParams],
      ['introspect', new URLSearchParams({ client_id: clientId, token: 'x' })],
      ['token', new URLSearchParams({ client_id: clientId, grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK })],
      ['token', new URLSearchParams({ client_id: documents.address('/never.json'), grant_type: 'refresh_token', refresh_token: 'x' })],
      ['revoke', new URLSearchParams({ client_id: documents.address('/never.json'), token: 'x' })],
    ] as const) {
      const answer = await browser.request('POST', `/openid/${endpoint}`, { headers, body: fields.toString() })
      assert.ok(endpoint === 'revoke' || answer.status >= 400 || answer.json().active === false, endpoint)
      assert.ok(!/access_token|request_uri/.test(answer.text), answer.text)
    }
    assert.deepEqual([documents.calls('/strict.json'), documents.calls('/never.json')], [calls, 0])
  })

  it('is refused with our own page, and no redirect, where its description is none', async () => {
    const service = started()
    const answers: Array<[string, string, string]> = [
      ['missing', documents.address('/missing.json'), 'fetched'],
      [
        'a redirect',
        documents.answer('/moved.json', (_r, response) => response.writeHead(302, { location: '/tool.json' }).end()),
        'fetched',
      ],
      ['a page', documents.answer('/page.html', (_r, response) => response.setHeader('content-type', 'text/html').end('{}')), 'fetched'],
      ['too long', documents.describe('/long.json', { policy: 'x'.repeat(6_000) }), 'fetched'],
      [
        'too long when unpacked',
        documents.answer('/packed.json', (_r, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          response.end(gzipSync(JSON.stringify({ x: 'x'.repeat(2_000_000) })))
        }),
        'fetched',
      ],
      ['broken off', documents.answer('/broken.json', (_r, response) => void response.destroy()), 'fetched'],
      [
        'no JSON',
        documents.answer('/no.json', (_r, response) => response.setHeader('content-type', 'application/json').end('{')),
        'no desc',
      ],
      ['of another', documents.describe('/copy.json', { client_id: documents.address('/tool.json') }), 'another client_id'],
      ['with a secret', documents.describe('/secret.json', { token_endpoint_auth_method: 'client_secret_post' }), 'must be none'],
      ['leading elsewhere', documents.describe('/away.json', { redirect_uris: ['https://evil.example/'] }), 'no redirect URI'],
    ]
    for (const [what, clientId, says] of answers) {
      const { path } = await begin(service, clientId, { prompt: 'none' })
      const answer = await service.browser().get(path)
      assert.deepEqual([answer.status, answer.location], [400, undefined], what)
      assert.match(answer.text, new RegExp(`invalid_client \\(.*${says}`), what)
    }
  })

  it('that changes its description is known by the new one once the old one’s time is over', async () => {
    const service = started()
    const { email } = await service.user('descrito-muda@exemplo.com.br')
    const browser = await signedIn(service, email)
    const clientId = documents.describe('/changing.json', {}, { 'cache-control': 'max-age=120' })
    const { path, redeem, refresh } = await begin(service, clientId)
    const tokens = await redeem(await giveAccess(browser, path))
    documents.describe('/changing.json', { redirect_uris: ['http://127.0.0.1/elsewhere'] }, { 'cache-control': 'max-age=31536000' })
    assert.equal((await browser.get((await begin(service, clientId)).path)).status, 303)
    assert.equal(documents.calls('/changing.json'), 1)
    service.clock.now += 121_000
    const later = await browser.get((await begin(service, clientId)).path)
    assert.deepEqual([later.status, later.location], [400, undefined])
    assert.equal(documents.calls('/changing.json'), 2)
    // The access that the user gave before stays, until they take it back.
    await refresh(tokens.refresh_token)
    // A year is too long to trust a stranger's `max-age`: an hour is the most.
    service.clock.now += 3_601_000
    await browser.get((await begin(service, clientId)).path)
    assert.equal(documents.calls('/changing.json'), 3)
  })

  it('is fetched once however many ask, and a network causes no more than sixty fetches in fifteen minutes', async () => {
    const service = started()
    const path = (await begin(service, documents.describe('/many.json'))).path
    const forwarded = { 'x-forwarded-for': '203.0.113.9' }
    await Promise.all(Array.from({ length: 10 }, () => service.browser().get(path, forwarded)))
    assert.equal(documents.calls('/many.json'), 1)
    const statuses = new Set<number>()
    for (let n = 0; n < 70; n++) {
      const answer = await service.browser().get(path.replace('many.json', `none-${n}.json`))
      statuses.add(answer.status)
    }
    assert.deepEqual([...statuses], [400, 429])
    assert.equal(documents.calls('/none-69.json'), 0)
    service.clock.now += 15 * 60_000
  })

  it('loses its tokens when the product takes no such clients any more, and does not get them back', async () => {
    const service = started()
    const { email } = await service.user('descrito-fim@exemplo.com.br')
    const browser = await signedIn(service, email)
    const clientId = documents.describe('/end.json')
    const { path, redeem, refresh } = await begin(service, clientId)
    const tokens = await redeem(await giveAccess(browser, path))
    const [{ product } = assert.fail()] = await productStore(service.context.storage.db).listOpenIdClients()
    const set = async (takesDocuments: boolean) => {
      service.clock.now += 1
      await changeProduct(product.slug, { openid: { takesDocuments } }, { ...service.context, actor: 'operator:test' })
    }
    await set(false)
    await assert.rejects(refresh(tokens.refresh_token))
    assert.equal((await browser.get(path)).status, 400)
    await set(true)
    await assert.rejects(refresh(tokens.refresh_token), isRefused)
  })
})

eachDatabase('A description of a client', (database) => {
  it('is fetched from nowhere without the experiment, or without a product that takes such clients', async () => {
    const documents = await startDocumentServer()
    after(() => documents.close())
    const clientId = documents.describe('/tool.json')
    for (const [environment, openid] of [
      [{}, { takesDocuments: true }],
      [EXPERIMENT, { takesDocuments: false }],
    ] as const) {
      const service = await startService(await database.fresh(), { environment })
      await taker(service, openid)
      const { server, path } = await begin(service, clientId)
      assert.equal(server.client_id_metadata_document_supported, undefined)
      const answer = await service.browser().get(path)
      assert.deepEqual([answer.status, answer.location], [400, undefined])
      assert.match(answer.text, /invalid_client/)
    }
    assert.equal(documents.calls('/tool.json'), 0)
  })

  it('leads to the question of the external product once, and to that of the client each time', async () => {
    const documents = await startDocumentServer()
    after(() => documents.close())
    const service = await startService(await database.fresh(), { environment: EXPERIMENT })
    const openid = { kind: 'native', takesDocuments: true } as const
    await openIdApp(service, { openid, uris: ['http://127.0.0.1/registered'], audience: 'external', scopes: ['read:profile'] })
    const { email } = await service.user('descrito-externo@exemplo.com.br')
    const browser = await signedIn(service, email)
    const { path, redeem } = await begin(service, documents.describe('/tool.json'), { scope: 'openid profile email' })
    const titles: Array<string | undefined> = []
    const goOn = async () => {
      let page = await browser.follow(await browser.get(path))
      while (!page.location) {
        titles.push(/<h1>([^<]*)/.exec(page.text)?.[1])
        page = await browser.follow(await browser.get(continueLink(page) ?? assert.fail(page.text)))
      }
      return page.location
    }
    const claims = oauth.getValidatedIdTokenClaims(await redeem(await goOn()))
    assert.deepEqual([claims?.name, claims?.email], ['Ana Flávia Conceição', undefined])
    await goOn()
    const { host } = new URL(documents.address('/'))
    assert.match(titles[0] ?? '', /primeira vez/)
    assert.deepEqual(titles.slice(1), [`Dar acesso a ${host}?`, `Dar acesso a ${host}?`])
  })

  it('is fetched from no address inside, whatever a client id says', async () => {
    const inside = await startDocumentServer()
    after(() => inside.close())
    const port = new URL(inside.address('/')).port
    const service = await startService(await database.fresh(), { environment: { ...EXPERIMENT, PORTARIA_URL: 'https://sso.example.com' } })
    const { product } = await service.product({ slug: 'ferramentas', uris: ['http://127.0.0.1/registered'] })
    const openid = { kind: 'native', takesDocuments: true } as const
    const changed = await changeProduct(product.slug, { openid }, { ...service.context, actor: 'operator:test' })
    assert.ok(!('refusal' in changed))
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '127.1',
      '169.254.169.254',
      '10.0.0.1',
      'inside',
    ])
      for (const scheme of ['http', 'https']) {
        const query = new URLSearchParams({
          client_id: `${scheme}://${host}:${port}/tool.json`,
          redirect_uri: CALLBACK,
          response_type: 'code',
          scope: 'openid',
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
        })
        const answer = await service.browser().get(`/openid/authorize?${query}`)
        assert.deepEqual([answer.status, answer.location], [400, undefined], host)
      }
    assert.equal(inside.calls('/tool.json'), 0)
  })
})

describe('The fetch of a description', () => {
  it('is given up where it is slow, and holds up nobody else', async () => {
    const silent = await startDocumentServer()
    after(() => silent.close())
    let waiting = 0
    const slow = silent.answer('/slow.json', () => void waiting++)
    const quick = silent.describe('/quick.json')
    const guardedFetch = createGuardedFetch({ allowPrivate: [], isDevelopment: true, ...DOCUMENT_FETCH, totalMs: 300 })
    const limits = { count: async () => ({ within: true, retryAfterSeconds: 0 }) }
    const found = createClientDocuments({ guardedFetch, limits, isDevelopment: true, now: Date.now })
    const hanging = found.find(new URL(slow), 'a')
    const document = await found.find(new URL(quick), 'b')
    assert.ok(!('refusal' in document))
    assert.deepEqual(await hanging, { refusal: 'unreachable' })
    assert.equal(waiting, 1)
    const refused = async (answers: ReturnType<typeof found.find>[]) =>
      (await Promise.all(answers)).filter((answer) => 'refusal' in answer && answer.refusal === 'too_many').length
    // Four at once of one network, which leave room for another's.
    const own = Array.from({ length: 6 }, (_, n) => found.find(new URL(silent.answer(`/own-${n}.json`, () => void waiting++)), 'a'))
    assert.ok(!('refusal' in (await found.find(new URL(silent.describe('/others.json')), 'b'))))
    assert.equal(await refused(own), 2)
    // Sixteen at once, of whatever networks, and no more.
    const many = Array.from({ length: 20 }, (_, n) => silent.answer(`/slow-${n}.json`, () => void waiting++))
    assert.equal(await refused(many.map((address, n) => found.find(new URL(address), String(n)))), 4)
  })
})
