import assert from 'node:assert/strict'
import { it } from 'node:test'
import { stylesheet } from '../../src/pages/index.ts'
import { type Answer, hiddenFlow } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { startForSuite, startService } from '../support/service.ts'
import { assertPage, assertRefused, enter, INTERNAL, loginAddress, post, signedIn } from '../support/users/sign-in-steps.ts'

const JSON_PLEASE = { accept: 'application/json' }
const COMMON = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'access-control-allow-origin': null,
  'access-control-allow-credentials': null,
}
const PAGE = {
  ...COMMON,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  vary: 'Cookie, Accept, Accept-Language',
}
const OTHER = { ...COMMON, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", 'referrer-policy': 'no-referrer' }

function assertHeaders(answer: Answer, expected: Record<string, string | null>): void {
  const sent = Object.fromEntries(Object.keys(expected).map((name) => [name, answer.headers.get(name)]))
  assert.deepEqual(sent, expected)
}

oneDatabase('Over HTTP', (database) => {
  const started = startForSuite(database)

  it('pages carry a strict policy, are never stored and vary by cookie, kind and language', async () => {
    const service = started()
    const user = await service.user('paginas@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    for (const [path, status] of [
      ['/account', 200],
      ['/auth/login', 400],
      ['/auth/continue', 400],
      ['/nowhere', 404],
      ['/auth/signout', 200],
      ['/login', 200],
    ] as const) {
      const page = await browser.get(path)
      assertPage(page, status)
      assertHeaders(page, { ...PAGE, 'strict-transport-security': null })
      const own = /<script src="\/assets\/(?:passkeys|reveal)\.\w+\.js"[^<>]* defer><\/script>/g
      assert.doesNotMatch(page.text.replace(own, ''), /<script|<style|\sstyle=|\son\w+=/i)
    }
  })

  it('JSON and redirects carry a policy that allows nothing, and no referrer', async () => {
    const service = started()
    for (const path of ['/auth/check', '/auth/login', '/api/me', '/nowhere', '/healthz']) {
      assertHeaders(await service.browser().request('GET', path, { headers: JSON_PLEASE }), OTHER)
    }
    assertHeaders(await service.browser().get('/'), OTHER)
  })

  it('sends HSTS on https and only there', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_URL: 'https://sso.exemplo.com.br' } })
    const hsts = 'max-age=31536000; includeSubDomains'
    for (const path of ['/login', '/auth/check', '/', '/nowhere', '/.well-known/jwks.json', '/api/plans/public']) {
      assert.equal((await service.browser().get(path)).headers.get('strict-transport-security'), hsts, path)
      assert.equal((await started().browser().get(path)).headers.get('strict-transport-security'), null, path)
    }
  })

  it('answers an unknown address with 404, as a page for a browser and {error} for everyone else', async () => {
    const browser = started().browser()
    assertPage(await browser.get('/nowhere'), 404)
    for (const accept of ['application/json', '*/*', ''])
      assertRefused(await browser.request('GET', '/nowhere', { headers: { accept } }), 404, 'Recurso nao encontrado')
    assertRefused(await browser.get('/api/nowhere'), 404, 'Recurso nao encontrado')
    assertRefused(await browser.request('POST', '/auth/verify/', { headers: JSON_PLEASE }), 404, 'Recurso nao encontrado')
  })

  it('answers another method of a known address with 405 and Allow', async () => {
    const browser = started().browser()
    for (const [method, path, allow] of [
      ['POST', '/auth/check', 'GET, HEAD'],
      ['GET', '/auth/verify', 'POST'],
      ['DELETE', '/api/me', 'GET, HEAD'],
      ['PUT', '/login', 'GET, HEAD, POST'],
      ['GET', '/auth/token', 'POST'],
      ['OPTIONS', '/auth/verify', 'POST'],
    ] as const) {
      const answer = await browser.request(method, path, { headers: JSON_PLEASE })
      assertRefused(answer, 405, 'Metodo nao permitido')
      assert.equal(answer.headers.get('allow'), allow)
    }
  })

  it('answers a body over 64 KiB with 413 Payload muito grande', async () => {
    const service = started()
    const { apiKey } = await service.product({ slug: 'grande' })
    const fits = JSON.stringify({ token: 'x'.repeat(65_536 - 12) })
    assert.equal(Buffer.byteLength(fits), 65_536)
    assertRefused(await post(service, '/auth/verify', fits, apiKey), 401, 'invalid_token')
    for (const path of ['/auth/verify', '/auth/token', '/login', '/complete-profile', '/auth/signout']) {
      assertRefused(await post(service, path, `${fits} `, apiKey), 413, 'Payload muito grande')
    }
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/login')).text)
    assertPage(await browser.submit('/login', { flow, email: 'x'.repeat(70_000), password: 'y' }), 413)
  })

  it('shows pages to who accepts text/html, except at the addresses that always answer JSON', async () => {
    const service = started()
    for (const [method, path, status, error] of [
      ['POST', '/auth/verify', 401, 'invalid_api_key'],
      ['POST', '/auth/token', 400, 'invalid_request'],
      ['GET', '/api/me', 401, 'Token ausente'],
    ] as const) {
      assertRefused(await service.browser().request(method, path, { headers: { accept: 'text/html' } }), status, error)
    }
    assertPage(await service.browser().request('GET', '/auth/login', { headers: { accept: 'text/html,*/*;q=0.1' } }), 400)
  })

  it('speaks Portuguese, English and Spanish, by the switch, then its cookie, then Accept-Language', async () => {
    const service = started()
    const browser = service.browser()
    const language = ({ text }: Answer) => /<html lang="([^"]+)">/.exec(text)?.[1]
    for (const [wish, expected] of [
      ['', 'pt-BR'],
      ['fr', 'pt-BR'],
      ['es-MX,es;q=0.9', 'es'],
      ['fr, en;q=0.8, es;q=0.2', 'en'],
    ] as const) {
      assert.equal(language(await browser.get('/login', { 'accept-language': wish })), expected)
    }
    const switched = await browser.get('/login?lang=es', { 'accept-language': 'en' })
    assert.equal(language(switched), 'es')
    const lines = switched.headers.getSetCookie().filter((line) => line.startsWith('portaria_lang='))
    assert.deepEqual(lines, ['portaria_lang=es; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly'])
    assert.equal(language(await browser.get('/nowhere', { 'accept-language': 'en' })), 'es')
    assert.equal(language(await browser.get('/login?lang=xx')), 'es')
  })

  it('keeps the flow when the language is switched', async () => {
    const service = started()
    const user = await service.user('idioma@exemplo.com.br')
    await service.product({ slug: 'idioma', uris: [INTERNAL] })
    const browser = service.browser()
    const page = await browser.get(loginAddress({ redirect_to: INTERNAL, state: 'kept' }))
    const english = /href="([^"]+)" lang="en"/.exec(page.text)?.[1]?.replaceAll('&#61;', '=').replaceAll('&#38;', '&') ?? ''
    const switched = await browser.get(english)
    assert.match(switched.text, /<html lang="en">/)
    const url = new URL(english, service.url)
    const end = await enter(browser, user.email, Object.fromEntries(url.searchParams))
    assert.equal(end.searchParams.get('state'), 'kept')
  })

  it('lets browsers keep the stylesheet for ever, under a name that changes with it', async () => {
    const answer = await started().browser().get(stylesheet.path)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(stylesheet.path, /\.[0-9a-f]{8}\.css$/)
  })

  it('puts the id of the request into every answer but a check', async () => {
    const browser = started().browser()
    for (const path of ['/login', '/api/me', '/auth/login'])
      assert.match((await browser.get(path)).headers.get('x-request-id') ?? '', /^[\w-]{8,}$/)
  })
})
