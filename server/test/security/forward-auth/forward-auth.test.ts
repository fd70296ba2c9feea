import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type SnippetKind, writeSnippet } from '../../../src/products/index.ts'
import { endSession } from '../../../src/sessions/index.ts'
import { eachDatabase, onPostgres } from '../../support/databases.ts'
import { hearAll } from '../../support/faults/actions.ts'
import { startProxy } from '../../support/faults/proxy.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { sendRaw } from '../../support/routes/raw-requests.ts'
import { startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { ask, BEHIND_PROXY, forward, forwarded, identity, NAVIGATION, send } from '../../support/users/forwarded.ts'
import { assertRefused, decode, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const PROPAGATION_MS = 2_000

eachDatabase('Forward auth', (database) => {
  const started = startForSuite(database, { environment: BEHIND_PROXY })

  it('answers only for a host that is registered, in exactly its form, and redirects to no other', async () => {
    const service = started()
    const { host } = await forwarded(service, 'wiki')
    const user = await service.user('hosts@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    assert.equal((await ask(service, browser, host.toUpperCase())).status, 200, 'a host has no case')
    for (const other of [
      'evil.example',
      'example.com',
      'sso.example.com',
      'evil.wiki.example.com',
      'wiki.example.com.evil.example',
      'wiki.example.com.',
      'wiki.example.com:8443',
      'evil.example@wiki.example.com',
      'wiki.example.com@evil.example',
      'wiki.example.com/evil',
      'wiki.example.com, evil.example',
      'evil.example, wiki.example.com',
      'wiki.example.com,wiki.example.com',
      ' ',
      '',
      '__proto__',
      'constructor',
      'wïki.example.com',
    ])
      for (const path of ['/auth/forward', '/auth/forward?redirect=no']) {
        const answer = await ask(service, browser, Buffer.from(other).toString('latin1'), { path, headers: NAVIGATION })
        assertRefused(answer, 403, 'host nao registrado')
        assert.equal(answer.headers.get('location'), null, other)
      }
    assertRefused(await send(service, '/auth/forward', {}), 403, 'host nao registrado')
    for (const header of ['host', 'x-original-url', 'forwarded', 'x-host'])
      assertRefused(await send(service, '/auth/forward', { [header]: host }), 403, 'host nao registrado')
  })

  it('leads back to the registered host alone, whatever the address says', async () => {
    const service = started()
    const { host } = await forwarded(service, 'volta')
    for (const [uri, path] of [
      ['//evil.example/x', '//evil.example/x'],
      ['https://evil.example/', '/'],
      ['@evil.example/', '/'],
      ['.evil.example/', '/'],
      ['/\\evil.example', '/'],
      ['\\\\evil.example', '/'],
      ['/x\tevil', '/'],
      [`/${'a'.repeat(2_500)}`, '/'],
      ['/a?redirect_to=https://evil.example', '/a?redirect_to=https://evil.example'],
      ['/%0d%0aLocation:%20https://evil.example', '/%0d%0aLocation:%20https://evil.example'],
    ] as const) {
      const { location, status } = await ask(service, service.browser(), host, { uri, headers: NAVIGATION })
      assert.deepEqual([status, location?.host], [302, 'sso.example.com'])
      assert.equal(location?.searchParams.get('redirect_to'), `https://${host}${path}`)
    }
  })

  it('begins a sign-in for no address that is not on a registered host, byte for byte or by any trick', async () => {
    const service = started()
    await forwarded(service, 'truque')
    const ok = 'https://truque.example.com/'
    assert.equal((await service.browser().get(`/auth/forward/start?${new URLSearchParams({ redirect_to: ok })}`)).status, 302)
    for (const address of [
      'https://evil.example/',
      'http://truque.example.com/',
      'https://truque.example.com:8443/',
      'https://truque.example.com.evil.example/',
      'https://evil.truque.example.com/',
      'https://truque.example.com@evil.example/',
      'https://user@truque.example.com/',
      'https://:p@truque.example.com/',
      'https://evil.example\\@truque.example.com/',
      'https:\\\\truque.example.com/',
      ' https://truque.example.com/',
      'https://truque.example.com/\n',
      'https://truque.example.com/\u0000',
      'https://truque.example.com./',
      '//truque.example.com/',
      '/',
      'javascript:alert(1)//truque.example.com',
      'data:text/html,x',
      `https://truque.example.com/${'a'.repeat(4_000)}`,
      'https://sso.example.com/account',
    ]) {
      const answer = await service
        .browser()
        .get(`/auth/forward/start?${new URLSearchParams({ redirect_to: address })}`, { accept: 'application/json' })
      assertRefused(answer, 400, 'redirect_to nao autorizado')
      assert.equal(answer.headers.get('location'), null)
    }
    const json = { accept: 'application/json' }
    assertRefused(await service.browser().get('/auth/forward/start', json), 400, 'redirect_to ausente')
    const twice = `/auth/forward/start?redirect_to=${encodeURIComponent(ok)}&redirect_to=${encodeURIComponent(ok)}`
    assertRefused(await service.browser().get(twice, json), 400, 'parametros invalidos')
  })

  it('is no way for an app’s own sign-in: its host is no redirect URI, and its page receives no token', async () => {
    const service = started()
    const { host } = await forwarded(service, 'sem-token')
    const answer = await service.browser().get(`/auth/login?redirect_to=https://${host}/`, { accept: 'application/json' })
    assertRefused(answer, 400, 'redirect_to nao autorizado')
  })

  it('goes back nowhere once the host is taken away, though the sign-in had begun before', async () => {
    const service = started()
    const { host, product } = await forwarded(service, 'tirado')
    const user = await service.user('tirado@exemplo.com.br')
    const browser = service.browser()
    const begin = `/auth/forward/start?${new URLSearchParams({ redirect_to: `https://${host}/` })}`
    const form = await browser.get(begin)
    await forward(service, product, 'off')
    const page = await browser.get(`${form.location?.pathname}${form.location?.search}`)
    assert.equal(page.status, 400)
    assert.ok(user.id)
  })

  it('forges no header by a name, whatever it is, and keeps the head of the answer small', async () => {
    const service = started()
    const { host } = await forwarded(service, 'nomes')
    const user = await service.user('nomes@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const { db } = service.context.storage
    for (const name of [
      'Ana\r\nPortaria-Plan: easy-enterprise',
      'Ana\nSet-Cookie: a=b',
      'a,b;c="d"',
      '100%',
      '%0D%0APortaria-Plan: x',
      '  Ana  ',
      'José 🦜 Conceição',
      'ana\u2028bia\u0085',
      '\ud83e\udd9c'.repeat(300),
      '<script>alert(1)</script>',
    ]) {
      await db.updateTable('users_company').set({ name }).where('user_id', '=', user.id).execute()
      await service.context.changes.transaction(async (_tx, announce) => announce({ kind: 'user_changed', subject: user.id }))
      const answer = await ask(service, browser, host)
      assert.equal(answer.status, 200)
      const shown = identity(answer)
      assert.deepEqual({ ...shown, name: '' }, { user: user.id, email: user.email, name: '', plan: '', impersonator: '' })
      assert.match(shown.name ?? '', /^[!-~]([ -~]*[!-~])?$/)
      assert.equal(decodeURIComponent(shown.name ?? ''), [...name].slice(0, 100).join(''))
      assert.equal(answer.headers.get('set-cookie'), null)
      const size = [...answer.headers].reduce((sum, [key, value]) => sum + key.length + value.length + 4, 0)
      assert.ok(size < 3_500, String(size))
    }
  })

  it('takes a token of nothing but the domain, and none that was ended, forged or doubled', async () => {
    const service = started()
    const { host } = await forwarded(service, 'fichas')
    const user = await service.user('fichas@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const token = sessionOf(browser)
    const other = sessionOf(await signedIn(service, (await service.user('outra@exemplo.com.br')).email))
    const withCookie = (cookie: string) => send(service, '/auth/forward', { 'x-forwarded-host': host, cookie })
    assert.equal((await withCookie(`eg_session=${token}`)).status, 200)
    for (const cookie of [
      '',
      'eg_session=',
      'eg_session=x',
      `eg_session=${token.slice(0, -4)}AAAA`,
      `Xeg_session=${token}`,
      `eg_session=${token}; eg_session=${other}`,
      `__Host-portaria=${token}`,
    ])
      assertRefused(await withCookie(cookie), 401, 'sem sessao')
    const sid = String(decode(token).claims.sid)
    await service.context.changes.transaction((tx, announce) => endSession(tx, sid, 'signed_out', { announce, now: service.context.now }))
    assertRefused(await withCookie(`eg_session=${token}`), 401, 'sem sessao')
  })

  it('takes nothing from such headers of a visitor, and the lines of the documents replace each one', async () => {
    const service = started()
    const { host, product } = await forwarded(service, 'copias')
    const browser = await signedIn(service, (await service.user('copias@exemplo.com.br')).email)
    const names = ['user', 'email', 'name', 'plan', 'impersonator'].map((name) => `portaria-${name}`)
    // The first answer is the one that is kept.
    const headers = Object.fromEntries(names.map((name) => [name, 'forged']))
    for (const answer of [await ask(service, browser, host, { headers }), await ask(service, browser, host)]) {
      assert.deepEqual([...answer.headers.keys()].filter((name) => name.startsWith('portaria-')).sort(), names.toSorted())
      assert.ok(!Object.values(identity(answer)).includes('forged'))
    }

    const forwardAuth = { access: 'signed_in', plans: [], hosts: [host] } as const
    const place = { baseUrl: service.url, proxyUrl: 'http://127.0.0.1:3000' }
    const linesFor = (kind: SnippetKind) => writeSnippet(kind, { product, redirectUris: [], forwardAuth }, place).files[0]?.lines ?? ''
    const [nginx, caddy, traefik] = [linesFor('nginx'), linesFor('caddy'), linesFor('traefik')]
    const [, app = ''] = /location \/ \{([\s\S]*?)\n {2}\}/.exec(nginx) ?? []
    // Caddy sorts directives by itself outside of a route.
    const [, route = ''] = /\troute \{([\s\S]*)\n\t\}/.exec(caddy) ?? []
    assert.match(route, /request_header -Portaria\*\n[\s\S]*forward_auth [\s\S]*copy_headers [\s\S]*reverse_proxy /)
    const expression = new RegExp(/authResponseHeadersRegex: (.+)/.exec(traefik)?.[1] ?? assert.fail(), 'i')
    assert.doesNotMatch(traefik, /trustForwardHeader: true/)
    for (const name of names) {
      const variable = name.replace('-', '_')
      assert.match(app, new RegExp(`proxy_set_header ${name} \\$${variable};`, 'i'), name)
      assert.match(app, new RegExp(`auth_request_set \\$${variable} \\$upstream_http_${variable};`), name)
      assert.match(route, new RegExp(`copy_headers .*\\b${name}\\b`, 'i'), name)
      for (const one of [name, variable]) assert.match(one, expression, one)
    }
  })

  it('answers other methods with 405, as JSON: a page would be shown on the app’s host', async () => {
    const service = started()
    const { host } = await forwarded(service, 'metodo')
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await send(
        service,
        '/auth/forward',
        { ...NAVIGATION, 'x-forwarded-host': host, 'x-forwarded-method': method },
        { method },
      )
      assertRefused(answer, 405, 'Metodo nao permitido')
    }
  })
})

eachDatabase('Forward auth asked by a stranger', (database) => {
  it('reads no header of a server that is not the trusted proxy', async () => {
    const { url } = await database.fresh()
    const trusting = { ...BEHIND_PROXY, PORTARIA_TRUST_PROXY: '10.0.0.0/8, 192.0.2.7, ::1, 127.0.0.1' }
    const inside = await startService({ url }, { environment: trusting })
    const { host } = await forwarded(inside, 'dentro')
    const user = await inside.user('dentro@exemplo.com.br')
    const browser = await signedIn(inside, user.email)
    assert.equal((await ask(inside, browser, host)).status, 200)
    const remembered = { 'x-forwarded-host': host, cookie: `eg_session=${sessionOf(browser)}` }
    assert.equal((await send(inside, '/auth/forward', remembered, { from: '127.0.0.1' })).status, 200)
    assertRefused(await send(inside, '/auth/forward', remembered, { from: '127.0.0.2' }), 403, 'proxy nao confiavel')
    const { PORTARIA_TRUST_PROXY: _none, ...untrusting } = BEHIND_PROXY
    for (const environment of [
      untrusting,
      { ...untrusting, PORTARIA_TRUST_PROXY: '10.0.0.0/8' },
      { ...untrusting, PORTARIA_TRUST_PROXY: '0' },
    ]) {
      const outside = await startService({ url }, { environment })
      // Session and hosts are in memory by then, so that not even the shortest way lets it pass.
      const cookie = `eg_session=${sessionOf(browser)}`
      assert.match((await send(outside, '/auth/check', { cookie })).text, /"authenticated":true/)
      assert.equal((await outside.browser().get(`/auth/forward/start?redirect_to=https://${host}/`)).status, 302)
      const answer = await ask(outside, browser, host, { headers: { ...NAVIGATION, 'x-forwarded-for': '10.1.1.1' } })
      assertRefused(answer, 403, 'proxy nao confiavel')
      assert.equal(answer.headers.get('location'), null)
      assert.deepEqual(identity(answer).user, null)
    }
  })

  it('takes no host from two headers, and understands an upgrade and a body that a proxy should have left out', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_TRUST_PROXY: '1' } })
    const { host } = await forwarded(service, 'bruto', { host: 'localhost:4999' })
    const user = await service.user('bruto@exemplo.com.br')
    const cookie = `Cookie: eg_session=${sessionOf(await signedIn(service, user.email))}\r\n`
    const raw = (lines: string, body = '') =>
      sendRaw(service, `GET /auth/forward HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${cookie}${lines}\r\n${body}`)
    assert.equal((await raw(`X-Forwarded-Host: ${host}\r\n`)).status, 200)
    assert.equal((await raw(`X-Forwarded-Host: ${host}\r\nX-Forwarded-Host: ${host}\r\n`)).status, 403)
    assert.equal((await raw(`X-Forwarded-Host: evil.example\r\nX-Forwarded-Host: ${host}\r\n`)).status, 403)
    assert.equal((await raw(`X-Forwarded-Host: ${host}\r\nUpgrade: websocket\r\n`)).status, 200)
    assert.equal((await raw(`X-Forwarded-Host: ${host}\r\nContent-Length: 5\r\n`, 'hello')).status, 200)
    const expecting = await raw(`X-Forwarded-Host: ${host}\r\nExpect: 100-continue\r\n`)
    assert.match(expecting.body, /^HTTP\/1\.1 200 OK/, 'after a 100')
  })
})

onPostgres('Forward auth over two nodes', (database) => {
  it('lets nobody pass at either within two seconds after a sign-out, a refund or a change of the rule at the other', async () => {
    const { url } = await database.fresh()
    const [a, b] = await Promise.all([1, 2].map(() => startService({ url }, { environment: BEHIND_PROXY })))
    assert.ok(a && b)
    const { host, product } = await forwarded(a, 'dois')
    const passes = async (node: TestService, browser: Awaited<ReturnType<typeof signedIn>>) =>
      (await ask(node, browser, host)).status === 200
    const second = await signedIn(a, (await a.user('dois@exemplo.com.br')).email)
    await until(() => passes(b, second), PROPAGATION_MS)
    const sid = String(decode(sessionOf(second)).claims.sid)
    await a.context.changes.transaction((tx, announce) => endSession(tx, sid, 'signed_out', { announce, now: a.context.now }))
    await until(async () => !(await passes(b, second)), PROPAGATION_MS)
    const third = await signedIn(a, (await a.user('tres@exemplo.com.br')).email)
    await until(() => passes(b, third), PROPAGATION_MS)
    await forward(a, product, { access: 'any_plan' })
    await until(async () => !(await passes(b, third)), PROPAGATION_MS)
    const bought = { ref: 'tres', email: 'tres@exemplo.com.br', at: a.clock.now }
    await bring(a, { ...bought, kind: 'paid' })
    await until(() => passes(b, third), PROPAGATION_MS)
    await bring(a, { ...bought, kind: 'refunded' })
    await until(async () => !(await passes(b, third)), PROPAGATION_MS)
  })

  it('answers from memory while the database is away, except where it goes by a plan, and nothing unseen', async () => {
    const proxy = await startProxy(await database.fresh())
    const service = await startService({ url: proxy.url }, { environment: BEHIND_PROXY })
    const open = await forwarded(service, 'aberto')
    const paid = await forwarded(service, 'pago', { access: 'any_plan' })
    const browser = await signedIn(service, (await service.user('ana@exemplo.com.br')).email)
    const unseen = await signedIn(service, (await service.user('bia@exemplo.com.br')).email)
    await bring(service, { ref: 'ana', email: 'ana@exemplo.com.br', at: service.clock.now, kind: 'paid' })
    await hearAll(service)
    for (const { host } of [open, paid]) assert.equal((await ask(service, browser, host)).status, 200)
    proxy.cut()
    service.clock.now += 3_000
    await until(() => service.context.changes.knowledge() === 'away')
    assert.equal((await ask(service, browser, open.host)).status, 200)
    for (const [who, where] of [
      [unseen, open],
      [browser, paid],
    ] as const) {
      const answer = await ask(service, who, where.host, { headers: NAVIGATION })
      assertRefused(answer, 503, 'Servico indisponivel, tente novamente')
      assert.deepEqual([answer.headers.get('location'), answer.headers.get('retry-after')], [null, '1'])
    }
    await proxy.restore()
    await until(async () => (await ask(service, unseen, open.host)).status === 200)
  })
})
