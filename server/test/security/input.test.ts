import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import type { ProductCreated } from '../../src/products/index.ts'
import type { Browser } from '../support/browser.ts'
import { eachDatabase } from '../support/databases.ts'
import { assertCleanRefusal, assertNothingInside, flowIn, type RawAnswer, request, sendRaw } from '../support/routes/raw-requests.ts'
import { startForSuite, type TestService } from '../support/service.ts'
import { EXTERNAL, exchangeOf, INTERNAL, isLive, loginAddress, sessionOf, signedIn } from '../support/users/sign-in-steps.ts'

const GETS = [
  '/',
  '/login',
  '/account',
  '/auth/login',
  '/auth/check',
  '/auth/welcome',
  '/auth/continue',
  '/auth/signout',
  '/complete-profile',
]
const APIS = ['/api/me', '/api/plans/public', '/.well-known/jwks.json', '/healthz', '/readyz', '/metrics']
const POSTS = ['/login', '/complete-profile', '/auth/verify', '/auth/token', '/auth/signout']
const FORM = 'application/x-www-form-urlencoded'

/** No answer is a fault of ours, and none shows anything of the inside. */
function assertNoFault(answer: RawAnswer, about: string): void {
  assert.ok(answer.status >= 200 && answer.status < 500, `${about}: ${answer.status} ${answer.body.slice(0, 200)}`)
  if (!about.includes('/metrics')) assertNothingInside(answer.head + answer.body, about)
}

eachDatabase('Bad input', (database) => {
  const suite = startForSuite(database)
  let loja: ProductCreated
  let ana: Browser
  let cookie: string
  before(async () => {
    const service = suite()
    await service.product({ slug: 'painel', uris: [INTERNAL] })
    loja = await service.product({ slug: 'loja', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
    await service.user('ana@exemplo.com.br')
    ana = await signedIn(service, 'ana@exemplo.com.br')
    cookie = [...ana.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  })
  const stillAnswers = async (service: TestService) => assert.equal(await isLive(service, sessionOf(ana)), true)
  const bearer = () => ({ authorization: `Bearer ${loja.apiKey}` })

  it('in a path is 404 or 400, never a fault: patterns of the router, broken encoding, dots, null bytes, other names of known objects', async () => {
    const paths = [
      ...[
        '/:x(',
        '/:x(\\d',
        '/:x([)',
        '/:x(*)',
        '/:(',
        '/**',
        '/a*b',
        '/*/*',
        '/:a:b',
        '/:a?',
        '/::',
        '/auth/:x(?=',
        '/:x(((((a+)+)+)+)+)',
        '/:x)',
        '/{x}',
        '/[',
        '/(',
      ],
      ...[
        '/%',
        '/%zz',
        '/%00',
        '/%e0%a4%a',
        '/%c0%af',
        '/%ff',
        '/%u0041',
        '/login%00',
        '/login%2f',
        '/%2e%2e/login',
        '/../../etc/passwd',
        '/..;/login',
        '/.%00/',
      ],
      ...[
        '/__proto__',
        '/constructor',
        '/toString',
        '/assets/../login',
        '/assets/%2e%2e%2f',
        '/assets/',
        '/assets/x.css',
        '/auth/check/',
        '/AUTH/CHECK',
        '//auth/check',
      ],
      ...[
        '/\xff\xfe',
        `/${'a'.repeat(8_000)}`,
        `/${'a/'.repeat(4_000)}`,
        `/${':a/'.repeat(2_000)}`,
        `/${'('.repeat(5_000)}`,
        'http://evil.example/x',
        'http:',
        '/x?%',
        '/x#y',
      ],
    ]
    for (const path of paths) {
      for (const accept of ['text/html', '*/*']) {
        for (const method of ['GET', 'POST'])
          assertCleanRefusal(await request(suite(), method, path, { headers: { accept } }), `${method} ${path.slice(0, 60)}`)
      }
    }
    const piece = fc.constantFrom(
      '/',
      ':',
      '*',
      '(',
      ')',
      '[',
      '?',
      '+',
      '\\',
      '%',
      '%2f',
      '%00',
      '..',
      '.',
      ';',
      '{',
      '^',
      '$',
      '|',
      'login',
      'auth',
      'check',
      'api',
      '~',
      '@',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.constantFrom('GET', 'POST', 'DELETE'), async (pieces, method) => {
        assertNoFault(await request(suite(), method, `/${pieces.join('')}`), pieces.join(''))
      }),
      { numRuns: 200, seed: 6 },
    )
    await stillAnswers(suite())
  })

  it('in a query is refused or not read: null bytes, broken encoding, repetition, ten thousand parameters, lone surrogates', async () => {
    const values = [
      '%00',
      '%',
      '%zz',
      '%ff%fe',
      '%ed%a0%80',
      '%f0%9f%92',
      '\xff',
      '%0d%0aset-cookie:%20x=1',
      '%27%22--',
      '%5B%5D',
      'a'.repeat(7_000),
      '%F0%9F%92%A9'.repeat(200),
    ]
    const names = [
      'redirect_to',
      'redirect_uri',
      'state',
      'api_key',
      'prompt',
      'flow',
      'lang',
      '__proto__',
      'constructor',
      'redirect_to[]',
      'redirect_to[$ne]',
      '',
    ]
    for (const path of [...GETS, ...APIS]) {
      for (const value of values) {
        const query = names.map((name) => `${name}=${value}`).join('&')
        for (const one of [
          query.slice(0, 15_000),
          `flow=${value}`,
          `redirect_to=${value}`,
          `redirect_to=${encodeURIComponent(INTERNAL)}&state=${value}`,
        ]) {
          const headers = { accept: 'text/html', ...(path !== '/auth/signout' && { cookie }) }
          const answer = await request(suite(), 'GET', `${path}?${one}`, { headers })
          assertNoFault(answer, `${path}?${one.slice(0, 40)}`)
          assert.doesNotMatch(answer.head, /^set-cookie: x=1/im)
        }
      }
    }
    const many = Array.from({ length: 3_000 }, (_, i) => `p${i}`).join('&')
    assertNoFault(await request(suite(), 'GET', `/auth/login?redirect_to=x&${many.slice(0, 15_000)}`), 'many parameters')
    assertCleanRefusal(
      await request(suite(), 'GET', `/login?${Array.from({ length: 10_000 }, (_, i) => `p${i}=1`).join('&')}`),
      'ten thousand parameters',
    )
    for (const name of ['redirect_to', 'redirect_uri', 'state', 'api_key', 'prompt']) {
      const answer = await ana.get(`${loginAddress({ redirect_to: INTERNAL })}&${name}=x&${name}=y`, { accept: '*/*' })
      assert.equal(answer.text, '{"error":"parametros invalidos"}', name)
    }
    await stillAnswers(suite())
  })

  it('in a body is 4xx with {error}: no JSON, other types, prototypes, deep nesting, repeated and absurd fields, bytes that are no text', async () => {
    const token = JSON.stringify(Object.values(exchangeOf('x'))[0])
    const json = [
      ...[
        '',
        '{',
        'null',
        'true',
        '1e999',
        '"x"',
        '[]',
        '[[{"token":"x"}]]',
        '{"token":}',
        '{"token":1}',
        '{"token":null}',
        '{"token":[]}',
        '{"token":{"x":1}}',
      ],
      ...[
        '{"token":"\\u0000"}',
        '{"token":"\\ud800"}',
        '{"token":""}',
        '{"token":true}',
        '{"__proto__":{"token":"x"}}',
        '{"constructor":{"prototype":{"token":"x"}}}',
      ],
      ...[
        '\ufeff{"token":"x"}',
        '{"token":"x"}}',
        "{'token':'x'}",
        '{"token":"x",}',
        '\xff\xfe\x00',
        '\x00',
        `{"token":"${'x'.repeat(60_000)}"}`,
        '['.repeat(30_000),
      ],
      `{"grant_type":${token},"subject_token":{"a":1},"subject_token_type":[]}`,
    ]
    const forms = [
      '',
      '&',
      '=',
      '%',
      '%zz=%zz',
      'flow',
      'flow=',
      'flow=%00',
      'flow=x&flow=y',
      `flow=${'x'.repeat(60_000)}`,
      'flow[]=x',
      '__proto__=x',
      'a&'.repeat(20_000),
      '\xff=\xfe',
      'email=a&password=b',
    ]
    const types = [
      'application/json',
      FORM,
      'text/plain',
      '',
      'absurd',
      ',',
      'a/b',
      'application/json; charset=utf-7',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded;;',
      'x'.repeat(500),
    ]
    for (const path of POSTS) {
      for (const [i, body] of [...json, ...forms].entries()) {
        for (const type of [types[0] ?? '', types[1] ?? '', types[i % types.length] ?? '']) {
          for (const credentials of [{}, bearer()]) {
            const answer = await request(suite(), 'POST', path, {
              headers: { 'content-type': type, origin: suite().url, cookie, ...credentials },
              body,
            })
            const about = `POST ${path} ${type} ${body.slice(0, 40)}`
            if (path === '/auth/signout' && !('authorization' in credentials)) assertNoFault(answer, about)
            else assertCleanRefusal(answer, about)
            if (path === '/auth/signout') cookie = await renewed(suite())
          }
        }
      }
    }
    assert.equal(Object.hasOwn(Object.prototype, 'token'), false)
  })

  const renewed = async (service: TestService) => {
    if (await isLive(service, sessionOf(ana))) return cookie
    ana = await signedIn(service, 'ana@exemplo.com.br')
    return [...ana.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  it('in the fields of a form that is under way is answered with the form again, never a fault', async () => {
    const service = suite()
    const { id } = await service.user('novo@exemplo.com.br', { profile: 'missing' })
    const browser = service.browser()
    const first = await browser.signIn(loginAddress({ redirect_uri: INTERNAL }), {
      email: 'novo@exemplo.com.br',
      password: 'correct horse battery',
    })
    const flow = flowIn(first.location)
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '\u0000',
        '\ud800',
        '\u202e',
        'a'.repeat(5_000),
        '<svg onload=x>',
        "'; drop table users; --",
        '０',
        '529.982.247-25\u0000',
        '+',
        '+55',
        '\r\n',
        '🎉'.repeat(80),
      ),
    )
    await fc.assert(
      fc.asyncProperty(odd, odd, odd, odd, async (full_name, tax_id, phone, company_name) => {
        const answer = await browser.submit('/complete-profile', { flow, full_name, tax_id, phone, company_name })
        assert.equal(answer.status, 400, JSON.stringify([full_name, tax_id, phone]))
        assert.doesNotMatch(answer.text, /<svg onload/)
      }),
      { numRuns: 60, seed: 7 },
    )
    await fc.assert(
      fc.asyncProperty(odd, odd, async (email, password) => {
        const page = await service.browser().get('/login')
        const fresh = service.browser({
          cookie: page.headers
            .getSetCookie()
            .map((line) => line.split(';')[0])
            .join('; '),
        })
        const answer = await fresh.submit('/login', { flow: /name="flow" value="([^"]+)"/.exec(page.text)?.[1] ?? '', email, password })
        assert.ok([400, 401, 429].includes(answer.status), String(answer.status))
      }),
      { numRuns: 60, seed: 8 },
    )
    const row = await service.context.storage.db
      .selectFrom('users_company')
      .select('tax_id_hash')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(row.tax_id_hash, null)
  })

  it('in cookies counts as no cookie: broken syntax, quotes, nothing, thousands, foreign bytes', async () => {
    const names = ['eg_session', 'portaria', 'portaria_flow', 'portaria_device', 'portaria_lang', '__Host-portaria', '__proto__']
    const values = [
      '',
      '=',
      '"',
      '""',
      '%',
      '%00',
      '\xff',
      ';',
      ',',
      'a b',
      '{}',
      '.',
      '..',
      '...',
      'a.b',
      'a.b.c',
      'null',
      'eyJhbGciOiJub25lIn0.e30.',
      'x'.repeat(3_500),
      `"${sessionOf(ana).slice(0, 50)}`,
    ]
    for (const value of values) {
      const all = names
        .map((name) => `${name}=${value}`)
        .join('; ')
        .slice(0, 12_000)
      for (const path of [...GETS, '/api/me'])
        assertNoFault(
          await request(suite(), 'GET', path, { headers: { cookie: all, accept: 'text/html' } }),
          `${path} ${value.slice(0, 20)}`,
        )
    }
    for (const line of [';;;;', '=', '= ; =', 'eg_session', ' eg_session = x ', '\t', 'a=b;'.repeat(3_000), 'eg_session=x; '.repeat(900)]) {
      for (const path of ['/auth/check', '/account', '/login'])
        assertNoFault(await request(suite(), 'GET', path, { headers: { cookie: line } }), line.slice(0, 20))
    }
  })

  it('in other headers changes nothing: languages, accept, authorization, forwarded hosts, method overrides, conditions', async () => {
    const odd = [
      '',
      ' ',
      ',',
      '*',
      ';q=',
      'q=1e999',
      '\xff',
      'x'.repeat(7_000),
      'a,'.repeat(3_000),
      '../../x',
      '<svg onload=x>',
      '$\u007bx}',
      '%00',
      'Bearer',
      'Bearer ',
      'bearer\tx',
      'Basic eDp4',
      'Bearer x, Bearer y',
    ]
    const names = [
      'accept',
      'accept-language',
      'authorization',
      'x-forwarded-host',
      'x-forwarded-proto',
      'forwarded',
      'x-http-method-override',
      'if-none-match',
      'range',
      'user-agent',
      'referer',
      'origin',
      'sec-fetch-dest',
      'content-encoding',
      'x-original-url',
      'x-rewrite-url',
      'x-request-id',
      'te',
    ]
    for (const name of names) {
      for (const value of odd) {
        for (const path of ['/auth/check', '/login', '/api/me', '/nowhere', '/api/plans/public']) {
          assertNoFault(await request(suite(), 'GET', path, { headers: { [name]: value } }), `${path} ${name}: ${value.slice(0, 20)}`)
        }
      }
    }
    for (const host of ['evil.example', 'evil.example:80', '', 'a b', '\xff', 'localhost/x', 'x'.repeat(3_000)]) {
      const answer = await request(suite(), 'GET', '/login', { headers: { host, 'x-forwarded-host': 'evil.example', accept: 'text/html' } })
      assertNoFault(answer, host)
      assert.doesNotMatch(answer.head + answer.body, /evil\.example/)
    }
  })

  it('in the method is 405 with the methods there are, 404 for an unknown address, 400 for no method at all', async () => {
    for (const path of [...GETS, ...APIS, ...POSTS]) {
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LOCK']) {
        const answer = await request(suite(), method, path)
        assert.equal(answer.status, 405, `${method} ${path}`)
        assertCleanRefusal(answer, `${method} ${path}`)
        const allow = (/^allow: (.*)$/im.exec(answer.head)?.[1] ?? '').split(', ').sort()
        const expected = [...(POSTS.includes(path) ? ['POST'] : []), ...([...GETS, ...APIS].includes(path) ? ['GET', 'HEAD'] : [])].sort()
        assert.deepEqual(allow, expected, `${method} ${path}`)
      }
    }
    for (const method of ['get', 'FOO', 'GET\tX', '', 'G\x00T', 'x'.repeat(2_000)])
      assertCleanRefusal(await request(suite(), method, '/login'), method)
    assertCleanRefusal(await request(suite(), 'CONNECT', 'evil.example:443'), 'CONNECT')
    assertCleanRefusal(await request(suite(), 'PUT', '/nowhere'), 'PUT /nowhere')
  })

  it('that is too big is 413, 414 or 431, and what is no HTTP is 400, in the same form', async () => {
    const service = suite()
    for (const path of POSTS) {
      for (const type of ['application/json', FORM, 'text/plain']) {
        const answer = await request(service, 'POST', path, { headers: { 'content-type': type }, body: 'a'.repeat(65_537) })
        assert.equal(answer.status, 413, path)
        assertCleanRefusal(answer, path)
      }
      const chunked = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n10001\r\n${'a'.repeat(65_537)}\r\n0\r\n\r\n`
      assert.equal((await sendRaw(service, chunked)).status, 413, `${path} in chunks`)
    }
    for (const headers of [
      { 'x-big': 'a'.repeat(20_000) },
      { cookie: 'a'.repeat(20_000) },
      Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`x-${i}`, 'abcdef'])),
    ]) {
      const answer = await request(service, 'GET', '/login', { headers })
      assert.equal(answer.status, 431)
      assertCleanRefusal(answer, 'big headers')
    }
    const smuggled = [
      'GARBAGE\r\n\r\n',
      'GET /login HTTP/9.9\r\nhost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\nx : y\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\nx: a\x00b\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\n folded: x\r\n\r\n',
      'POST /auth/verify HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc',
      'POST /auth/verify HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabc',
      'POST /auth/verify HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
      'POST /auth/verify HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      'POST /auth/verify HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked, identity\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    ]
    for (const bytes of smuggled) assertCleanRefusal(await sendRaw(service, bytes), JSON.stringify(bytes.slice(0, 60)))
    assertCleanRefusal(await request(service, 'POST', '/auth/verify', { headers: { expect: 'the unexpected' }, body: 'x' }), 'expectation')
    assert.equal((await sendRaw(service, 'GET / HTTP/1.1\r\n\r\n')).status, 400)
    await stillAnswers(service)
    assert.doesNotMatch(service.log(), /"msg":"fault"/)
  })
})
