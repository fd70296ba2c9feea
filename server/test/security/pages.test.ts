import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { hiddenFlow } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { request } from '../support/routes/raw-requests.ts'
import { PASSWORD, startForSuite } from '../support/service.ts'
import { EXTERNAL, INTERNAL, loginAddress, signedIn } from '../support/users/sign-in-steps.ts'

const PAYLOADS = [
  '"><svg onload=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '</title><script>alert(1)</script>',
  '" onfocus=alert(1) autofocus x="',
  '`$\u007balert(1)}`<!--',
  '&lt;script&gt;alert(1)&lt;/script&gt;<b>',
  'javascript:alert(1)//"><a href=javascript:alert(1)>x</a>',
  '</textarea></style><iframe src=//evil.example>',
  '!$\u007bx} <math><mi xlink:href="data:x,<script>">',
]

/** Nothing of what was put in became markup, and the policy would have stopped it besides. */
function assertText(page: string, policy: string | null, about: string): void {
  const text = page.replaceAll(/<script src="\/assets\/[\w.-]+"(?: data-(?:show|hide|what)="\p{L}+")* defer><\/script>/gu, '')
  assert.doesNotMatch(text, /<(script|iframe|img|b|math|textarea|style|base|object|embed)[\s>]/i, about)
  for (const [tag] of text.matchAll(/<[a-z][^>]*>/gi)) {
    assert.doesNotMatch(
      tag.replace(/="[^"]*"/g, '=""'),
      /\son\w+\s*=|javascript:|data:|evil\.example|[^a-z0-9<>/="\s-]/i,
      `${about}: ${tag}`,
    )
    for (const [, address = ''] of tag.matchAll(/\s(?:href|src|action)="([^"]*)"/g)) assert.match(address, /^(\/(?![/\\])|#)/, about)
  }
  assert.match(policy ?? '', /^default-src 'none';/, about)
  assert.doesNotMatch(policy ?? '', /unsafe|\*|https?:|data:/, about)
  assert.match(policy ?? '', /frame-ancestors 'none'/, about)
}

oneDatabase('A page', (database) => {
  const suite = startForSuite(database)
  before(async () => {
    await suite().product({ slug: 'painel', uris: [INTERNAL] })
  })

  for (const [i, payload] of PAYLOADS.entries()) {
    it(`8 (script in a page): shows as text whatever comes in: ${payload}`, async () => {
      const service = suite()
      const uri = `${EXTERNAL}/${i}`
      const { product } = await service.product({
        slug: `loja-${i}`,
        name: payload,
        audience: 'external',
        checkout: 'external',
        uris: [uri],
      })
      const { email } = await service.user(`x${i}@exemplo.com.br`, { name: payload, profile: 'missing', beta: true })
      const browser = service.browser()
      const assertPage = async (path: string, headers = {}) => {
        const answer = await browser.get(path, headers)
        assertText(answer.text, answer.headers.get('content-security-policy'), path)
        return answer
      }
      const query = {
        redirect_to: uri,
        api_key: product.publishableKey,
        state: payload,
        error: payload,
        error_description: payload,
        lang: payload,
      }
      const form = await assertPage(loginAddress(query))
      assert.ok(form.text.includes(escapeLoosely(payload)), 'the product is named on its form')
      await assertPage(loginAddress({ redirect_to: payload }))
      await assertPage(loginAddress({ redirect_uri: payload, state: payload }))
      await assertPage(loginAddress({ redirect_to: uri, api_key: payload }))
      for (const path of ['/login', '/auth/continue', '/complete-profile'])
        await assertPage(`${path}?${new URLSearchParams({ flow: payload, lang: payload, [payload]: payload })}`)
      await assertPage(`/${encodeURIComponent(payload)}`)
      await assertPage('/login', { 'accept-language': payload, referer: payload.replace(/[^\x20-\x7e]/g, '') })
      const raw = await request(service, 'GET', `/${payload.replaceAll(' ', '/')}?lang=${payload.replaceAll(' ', '+')}`, {
        headers: { accept: 'text/html' },
      })
      assertText(raw.body, /^content-security-policy: (.*)$/im.exec(raw.head)?.[1] ?? null, 'raw path')

      const wrong = await browser.submit('/login', { flow: hiddenFlow(form.text), email: payload, password: payload })
      assertText(wrong.text, wrong.headers.get('content-security-policy'), 'wrong password')
      const right = await browser.submit('/login', { flow: hiddenFlow(form.text), email, password: PASSWORD })
      const profile = await assertPage(right.location?.href ?? assert.fail())
      const fields = { full_name: payload, tax_id: payload, phone: payload, company_name: payload }
      const again = await browser.submit('/complete-profile', { flow: hiddenFlow(profile.text), ...fields })
      assert.equal(again.status, 400)
      assertText(again.text, again.headers.get('content-security-policy'), 'profile')
      await assertPage('/account')

      const whole = await service.user(`y${i}@exemplo.com.br`, { name: payload })
      const other = await signedIn(service, whole.email)
      const silent = await other.get(loginAddress(query))
      const splash = await other.follow(
        await other
          .get(silent.location?.href ?? assert.fail())
          .then(async (answer) => (answer.location ? other.get(answer.location.href) : answer))
          .then((answer) => ({ ...answer, headers: new Headers() })),
      )
      assert.equal(splash.status, 200)
      assertText(splash.text, PAGE_POLICY, 'splash')
    })
  }

  const PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'"

  it('38 (CORS reflection): is readable from no other site; only plans and keys are, and without credentials', async () => {
    const service = suite()
    const browser = await signedIn(service, (await service.user('cors@exemplo.com.br')).email)
    const open = ['/api/plans/public', '/.well-known/jwks.json']
    const paths = [
      '/',
      '/login',
      '/account',
      '/auth/check',
      '/auth/login?redirect_to=x',
      '/auth/welcome',
      '/auth/continue',
      '/complete-profile',
      '/api/me',
      '/healthz',
      '/readyz',
      '/nowhere',
      '/%zz',
      ...open,
    ]
    for (const origin of ['https://evil.example', 'null', service.url, 'http://localhost:4001', '*', '', `${service.url}.evil.example`]) {
      for (const path of paths) {
        for (const [method, headers] of [
          ['GET', { origin }],
          [
            'OPTIONS',
            {
              origin,
              'access-control-request-method': 'POST',
              'access-control-request-headers': 'authorization',
              'access-control-request-private-network': 'true',
            },
          ],
        ] as const) {
          const answer = await browser.request(method, path, { headers })
          const allowed = open.includes(path) && method === 'GET' ? '*' : null
          assert.equal(answer.headers.get('access-control-allow-origin'), allowed, `${method} ${path} ${origin}`)
          const others = [...answer.headers.keys()].filter(
            (name) => name.startsWith('access-control-') && name !== 'access-control-allow-origin',
          )
          assert.deepEqual(others, [], `${method} ${path} ${origin}`)
        }
      }
    }
  })

  it('is kept by no cache and sniffed by no browser, and a redirect with a token shows nobody where it came from', async () => {
    const service = suite()
    const browser = await signedIn(service, (await service.user('cache@exemplo.com.br')).email)
    for (const path of [
      '/',
      '/login',
      '/account',
      '/auth/check',
      '/auth/signout?redirect_to=x',
      '/api/me',
      '/nowhere',
      '/readyz',
      '/auth/login',
      loginAddress({ redirect_to: INTERNAL }),
    ]) {
      for (const accept of ['text/html', '*/*']) {
        const { headers } = await service.browser().get(path, { accept })
        assert.equal(headers.get('cache-control'), 'no-store', path)
        assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
        assert.equal(headers.get('x-frame-options'), 'DENY', path)
        assert.equal(headers.get('server'), null)
        assert.equal(headers.get('x-powered-by'), null)
      }
    }
    const left = await browser.follow(await browser.get(loginAddress({ redirect_to: INTERNAL })))
    assert.ok(left.location?.searchParams.get('eg_session'))
    assert.equal(left.headers.get('cache-control'), 'no-store')
    assert.equal(left.headers.get('referrer-policy'), 'no-referrer')
    assert.match(left.headers.get('vary') ?? '', /Cookie/)
    assert.equal(left.text, '')
  })

  it('40 (sign-out by another site): signs nobody out when loaded as a picture, a frame, a script, ahead of a click, or by a form elsewhere', async () => {
    const service = suite()
    const browser = await signedIn(service, (await service.user('out@exemplo.com.br')).email)
    const get = (headers: Record<string, string>) =>
      browser.request('GET', '/auth/signout?redirect_to=http%3A%2F%2Flocalhost%3A4001%2F', { headers })
    const post = (headers: Record<string, string>) =>
      browser.request('POST', '/auth/signout', { headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: '' })
    const behind = [
      ...['image', 'iframe', 'frame', 'embed', 'object', 'script', 'style', 'empty', 'audio', 'font', 'worker', 'report', 'x', ''].map(
        (dest) => get({ 'sec-fetch-dest': dest, 'sec-fetch-site': 'cross-site' }),
      ),
      get({ 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' }),
      get({ 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' }),
      get({ purpose: 'prefetch' }),
      post({ 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
      post({ origin: 'https://evil.example' }),
      post({ origin: 'null' }),
    ]
    for (const answer of await Promise.all(behind)) {
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.headers.getSetCookie(), [])
      assert.equal(answer.location, undefined)
    }
    assert.equal((await browser.get('/account')).status, 200)
    const gone = await get({ 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })
    assert.equal(gone.status, 302)
    assert.equal((await browser.get('/account')).location?.pathname, '/login')
  })
})

/** The beginning of a payload as any escaping would leave it: up to the first character that matters. */
function escapeLoosely(payload: string): string {
  return /[\w ]{4,}/.exec(payload)?.[0] ?? payload
}
