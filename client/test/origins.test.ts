import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPortaria, PortariaError } from '../src/index.ts'
import { type App, fixtureForSuite, signedIn, sqlite, through, user, Visitor } from './fixture.ts'

const PAGE = 'http://localhost:5173'
const SESSION = '/api/auth/session'
const corsOf = (headers: Headers) => [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]
/** As a browser sends a `fetch` of a page of another origin of the same site. */
const fetchFrom = (origin: string, more: Record<string, string> = {}) => ({
  headers: {
    origin,
    accept: 'application/json',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    'sec-fetch-site': 'same-site',
    ...more,
  },
})

describe('An app whose pages have another origin', () => {
  const started = fixtureForSuite(sqlite)
  const open = (): App => started().internal({ allowedOrigins: [PAGE] })

  it('N1: lets them, and nobody else, read who is signed in', async () => {
    const { at } = await signedIn(started(), open())
    const answer = await at.open(SESSION, fetchFrom(PAGE))
    assert.equal(JSON.parse(answer.text).status, 'signed_in')
    assert.deepEqual([...corsOf(answer.headers), answer.headers.get('vary')], [PAGE, 'true', 'Origin'])
    for (const origin of [
      'http://localhost:5174',
      'https://localhost:5173',
      'http://localhost:5173.evil.example',
      'null',
      `${PAGE}/`,
      'http://LOCALHOST:5173',
      '*',
      '',
    ]) {
      const { headers } = await at.open(SESSION, fetchFrom(origin))
      assert.deepEqual(corsOf(headers), [null, null], origin)
      assert.equal(headers.get('vary'), 'Origin', 'what is kept for one origin is not for another')
    }
    const none = await new Visitor(started().internal()).open(SESSION, fetchFrom(PAGE))
    assert.deepEqual([...corsOf(none.headers), none.headers.get('vary')], [null, null, null])
  })

  it('N1: answers the question of a browser beforehand, for reading and for them alone', async () => {
    const at = new Visitor(open())
    const ask = (path: string, origin: string) =>
      at.open(path, { method: 'OPTIONS', ...fetchFrom(origin, { 'access-control-request-method': 'GET' }) })
    const allowed = await ask(SESSION, PAGE)
    assert.deepEqual([allowed.status, ...corsOf(allowed.headers)], [204, PAGE, 'true'])
    assert.equal(allowed.headers.get('access-control-allow-methods'), 'GET')
    assert.equal(allowed.headers.get('access-control-allow-headers'), null)
    for (const [path, origin] of [
      [SESSION, 'https://evil.example'],
      ['/auth/sign-out', PAGE],
      ['/auth/sign-in', PAGE],
      ['/auth/callback', PAGE],
    ] as const) {
      const refused = await ask(path, origin)
      assert.deepEqual([refused.status, ...corsOf(refused.headers)], [405, null, null], `${path} ${origin}`)
    }
  })

  it('N1: leads back to them after a sign-in and a sign-out, and to no other origin', async () => {
    const someone = await user(started(), open())
    const start = (to: string) => someone.at.open(`/auth/sign-in?return_to=${encodeURIComponent(to)}`)
    const back = await through(someone.browser, (await start(`${PAGE}/notes?a=1#b`)).location, someone.email)
    assert.equal((await someone.at.open(back)).headers.get('location'), `${PAGE}/notes?a=1#b`)
    assert.equal((await start('http://localhost:5174/notes')).headers.get('location'), '/')
    assert.equal((await start(`${PAGE}.evil.example/`)).headers.get('location'), '/')
    const leave = `/auth/sign-out?return_to=${encodeURIComponent(`${PAGE}/bye`)}`
    const own = { headers: { 'sec-fetch-site': 'same-site', referer: `${PAGE}/` } }
    assert.equal((await someone.at.open(leave, own)).location?.searchParams.get('redirect_to'), `${PAGE}/bye`)
  })

  it('N1: is signed out by a page of theirs, and asks about any other', async () => {
    const someone = await signedIn(started(), open())
    const sign = (method: string, headers: Record<string, string>) => someone.at.open('/auth/sign-out', { method, headers })
    assert.equal((await sign('POST', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:5174' })).status, 403)
    assert.equal((await sign('POST', { 'sec-fetch-site': 'cross-site', origin: 'null', referer: `${PAGE}/` })).status, 403)
    assert.equal((await sign('GET', { 'sec-fetch-site': 'same-site', referer: 'http://localhost:5174/' })).status, 200, 'a page that asks')
    assert.equal((await someone.at.session()).status, 'signed_in')
    assert.equal((await sign('POST', { 'sec-fetch-site': 'same-site', origin: PAGE })).status, 302)
    assert.equal((await someone.at.session()).status, 'signed_out')
  })

  it('N1: takes nothing for an origin that is none, nor one on http beside an app on https', () => {
    for (const origin of [
      '*',
      'null',
      'localhost:5173',
      `${PAGE}/`,
      `${PAGE}/page`,
      'https://*.example.com',
      'HTTPS://a.example',
      'ftp://a.example',
      '',
      'http://app.example.com',
    ])
      assert.throws(
        () => createPortaria({ url: 'https://sso.example.com', appUrl: 'https://api.example.com', allowedOrigins: [origin] }),
        (fault) => fault instanceof PortariaError && fault.message.includes('PORTARIA_ALLOWED_ORIGINS'),
        origin,
      )
  })
})
