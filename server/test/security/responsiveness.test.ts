import assert from 'node:assert/strict'
import process from 'node:process'
import { after, before, describe, it } from 'node:test'
import { hiddenFlow } from '../support/browser.ts'
import { createSqlite } from '../support/databases.ts'
import { WEBHOOK_SECRET } from '../support/gateways/purchases.ts'
import { flood, p99, type Shot } from '../support/routes/flood.ts'
import { assemble, mint, openSigner } from '../support/routes/raw-requests.ts'
import { cheapPasswords, startService, type TestService } from '../support/service.ts'
import { sessionOf, signedIn } from '../support/users/sign-in-steps.ts'

const CONNECTIONS = 10
const FOR_MS = 500
const ALIVE: Shot = { method: 'GET', path: '/healthz' }
/** A request that stalls the service does so every time. Code that runs for the first time, or beside busy programs, is slow once. */
const LOOKS = 3

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
/** The slowest passwords to judge, by what the judge tries: spellings, dates, repetitions. */
const SPELLED = 'p@$$w0rd'.repeat(8)
const DATES = '20121212'.repeat(8)
/** Folds to eighteen characters. */
const LIGATURE = '\ufdfa'

/** Everything that a stranger can ask for which makes the service compute something. `{n}` is another network in each request. */
function attacksOn(made: Made): Record<string, Shot> {
  const { flow, cookie, jwt, bogus } = made
  const own = { origin: made.url, 'sec-fetch-site': 'same-origin', cookie, 'x-forwarded-for': '{n}' }
  const form = (path: string, fields: Record<string, string>): Shot => {
    return { method: 'POST', path, headers: { ...own, 'content-type': FORM }, body: new URLSearchParams(fields).toString() }
  }
  const json = (path: string, body: string, headers: Record<string, string> = {}): Shot => {
    return { method: 'POST', path, headers: { 'content-type': JSON_TYPE, 'x-forwarded-for': '{n}', ...headers }, body }
  }
  const get = (path: string, headers: Record<string, string> = {}): Shot => {
    return { method: 'GET', path, headers: { 'x-forwarded-for': '{n}', accept: 'text/html', ...headers } }
  }
  const many = (length: number, of: (n: number) => string, join = ',') => Array.from({ length }, (_, n) => of(n)).join(join)
  const deep = (n: number) => '['.repeat(n) + ']'.repeat(n)
  const user = { flow, name: 'Bia', email: 'bia@exemplo.com.br', password: SPELLED }
  return {
    'weak passwords by a mailed link': form('/reset-password', { ticket: made.reset, password: SPELLED }),
    'weak passwords by an invitation': form('/invitation', { ticket: made.invitation, password: DATES }),
    'weak passwords at a sign-up': form('/sign-up', user),
    'a sign-up with a name of many characters': form('/sign-up', { ...user, name: LIGATURE.repeat(6_000), password: 'x' }),
    'a sign-up with an address that folds to many characters': form('/sign-up', {
      ...user,
      email: `${LIGATURE.repeat(500)}@x.br`,
      password: 'x',
    }),
    'a sign-up with a domain that folds to many characters': form('/sign-up', {
      ...user,
      email: `a@${LIGATURE.repeat(500)}`,
      password: 'x',
    }),
    'a sign-in with an address that folds to many characters': form('/login', { flow, email: `a@${LIGATURE.repeat(500)}`, password: 'x' }),
    'a sign-in with a domain in Punycode': form('/login', { flow, email: `a@${many(60, () => 'xn--mgba3a4f16a', '.')}.br`, password: 'x' }),
    'a sign-in with a password of many marks': form('/login', { flow, email: 'a@b.br', password: 'e\u0301\u0327'.repeat(1_500) }),
    'a recovery for many addresses': form('/recover', { flow, email: `a@${LIGATURE.repeat(500)}` }),
    'a form of very many fields': { ...form('/login', {}), body: many(20_000, () => 'a=', '&') },
    'a code of many characters': form('/check-mail', { flow, code: '9'.repeat(20_000) }),
    'a passkey of many bytes': form('/passkeys/sign-in', {
      flow,
      credential: JSON.stringify({ id: 'x', response: { clientDataJSON: 'A'.repeat(40_000) } }),
    }),
    'a passkey that is nested': form('/passkeys/sign-in', { flow, credential: deep(30_000) }),
    'challenges for passkeys': form('/passkeys/sign-in/options', { flow }),
    'the login page': get('/login'),
    'a login with a long address to go to': get(
      `/auth/login?redirect_to=${encodeURIComponent(`https://${'a.'.repeat(3_000)}br`)}&state=${'s'.repeat(500)}`,
    ),
    'a flow that is none': get(`/login?flow=${'A'.repeat(12_000)}`),
    'a sign-up page': get(`/sign-up?flow=${encodeURIComponent(flow)}`, { cookie }),
    'an answer of no provider': get(`/auth/callback?state=${'A'.repeat(6_000)}&code=${'B'.repeat(6_000)}`),
    'a sign-out that leads far': get(`/auth/signout?return_to=${encodeURIComponent(`https://${'a.'.repeat(3_000)}br`)}`),
    'cookies of one name': get('/auth/check', { cookie: many(4, (n) => `eg_session=${jwt}${n}`, '; ') }),
    'very many cookies': get('/auth/check', { cookie: many(3_500, () => 'a=1', ';') }),
    'a session that another key signed': get('/auth/check', { cookie: `eg_session=${bogus}` }),
    'an access token of an unknown key': get('/api/me', {
      authorization: `Bearer ${assemble({ alg: 'ES256', typ: 'at+jwt', kid: 'x'.repeat(500) }, {}, 'x')}`,
    }),
    'an access token in an unknown algorithm': get('/api/me', {
      authorization: `Bearer ${assemble({ alg: 'RS512' }, { iss: 'https://x' }, 'x'.repeat(2_000))}`,
    }),
    'an access token of very many parts': get('/api/me', { authorization: `Bearer ${'.'.repeat(12_000)}` }),
    'a handoff that is deep': json('/auth/verify', deep(30_000), { authorization: 'Bearer sk_x' }),
    'a token exchange of very many fields': { ...form('/auth/token', {}), body: many(15_000, (n) => `${n.toString(36)}=`, '&') },
    'a purchase of very many fields': json('/api/webhook/payment', `{${many(20_000, (n) => `"${n}":1`)},"signature":"${'a'.repeat(64)}"}`),
    'a purchase that is deep': json('/api/webhook/payment', `{"a":${deep(120_000)},"signature":"${'a'.repeat(64)}"}`),
    'a purchase of very many objects': json('/api/webhook/payment', `{"a":[${many(85_000, () => '{}')}],"signature":"${'a'.repeat(64)}"}`),
    'a purchase of many escapes': json('/api/webhook/payment', `{"a":"${'\\u00e9'.repeat(42_000)}","signature":"${'a'.repeat(64)}"}`),
    'a delivery of no gateway': json(`/api/webhooks/stripe/wk_${'a'.repeat(40)}`, deep(30_000)),
    'a question for access with a strange key': get(`/api/saas/check-access?email=${encodeURIComponent(LIGATURE.repeat(300))}`, {
      authorization: 'Bearer sk_x',
    }),
    'a call of the console with a strange token': json('/api/admin/tokens', deep(30_000), { authorization: 'Bearer adm_x' }),
    'a browser with a long name': get('/login', { 'user-agent': `Mozilla/5.0 ${'(Windows NT; '.repeat(900)}` }),
    'very many languages': get('/login', { 'accept-language': many(3_000, (n) => `x${n % 9};q=0.${n % 9}`) }),
    'a page that is not there': get(`/${'a/'.repeat(5_000)}`),
    'a proxy that names very many addresses': get('/login', { 'x-forwarded-for': many(900, () => '2001:db8::1') }),
    'the description of the API': get('/openapi.json'),
    'the form of settings': get('/settings.schema.json'),
    'the page of the API': get('/docs'),
    'public plans': get('/api/plans/public'),
    'whether it is ready': get('/readyz'),
  }
}

interface Made {
  url: string
  flow: string
  cookie: string
  reset: string
  invitation: string
  jwt: string
  bogus: string
}

async function prepare(service: TestService): Promise<Made> {
  const ana = await service.user('ana@exemplo.com.br')
  const browser = service.browser()
  const flow = hiddenFlow((await browser.get('/login')).text)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const ticket = async (purpose: 'reset_password' | 'invitation') =>
    (await mint(service, { purpose, userId: ana.id, email: ana.email })).secret
  const jwt = sessionOf(await signedIn(service, ana.email))
  const { kid } = await openSigner(service)
  const bogus = assemble({ alg: 'ES256', typ: 'eg-session+jwt', kid }, { sub: 'x'.repeat(1_000) }, Buffer.alloc(64, 7))
  const [reset, invitation] = [await ticket('reset_password'), await ticket('invitation')]
  return { url: service.url, flow, cookie, reset, invitation, jwt, bogus }
}

describe('Checks beside what strangers ask for', () => {
  let service: TestService
  let made: Made
  let quiet = { p99: 0, eachMs: 0 }
  let remove = () => {}

  /**
   * How long 99 of 100 checks of a live session wait at most for the event loop while the shot is sent over ten connections, and how much
   * of its thread each request takes, both in ms of CPU time: other programs on the machine make an answer late, but cost that thread
   * nothing.
   */
  async function checksBeside(shot: Shot) {
    const check: Shot = { method: 'GET', path: '/auth/check', headers: { cookie: `eg_session=${made.jwt}` } }
    // These tests leave out what is read or loaded at first use.
    await flood({ url: made.url, shot, connections: 1, forMs: 0 })
    const [before, begun] = [process.threadCpuUsage(), performance.now()]
    const [attack, checks] = await Promise.all([
      flood({ url: made.url, shot, connections: CONNECTIONS, forMs: FOR_MS }),
      flood({ url: made.url, shot: check, connections: 1, forMs: FOR_MS }),
    ])
    const { user, system } = process.threadCpuUsage(before)
    assert.deepEqual(Object.keys(checks.statuses), ['200'])
    const cpuMs = (user + system) / 1_000
    const [shots, asked] = [attack.times.length, checks.times.length]
    const share = Math.min(1, cpuMs / (performance.now() - begun))
    return { p99: p99(checks.times) * share, cpuMs, eachMs: cpuMs / (shots + asked), shotMs: (cpuMs - asked * quiet.eachMs) / shots }
  }

  /** Looks again before it fails, beside a quiet service as it is by then. */
  async function assertHarmless(shot: Shot, maxMs: number): Promise<void> {
    for (let look = 1; ; look++) {
      const seen = await checksBeside(shot)
      if (seen.p99 < 250 + 10 * quiet.p99 && seen.shotMs < maxMs + 10 * quiet.eachMs) return
      const said = `99 of 100 checks waited up to ${seen.p99} ms, each request took ${seen.shotMs} ms of the event loop; beside a quiet one ${quiet.p99} and ${quiet.eachMs}`
      assert.ok(look < LOOKS, `${shot.path}: ${said}`)
      quiet = await checksBeside(ALIVE)
    }
  }

  before(async () => {
    const database = await createSqlite('in_memory', 'tables')
    remove = database.remove
    const environment = { PORTARIA_TRUST_PROXY: '1', PORTARIA_WEBHOOK_SECRET: WEBHOOK_SECRET }
    service = await startService(database, { environment, passwords: cheapPasswords, stops: 'by_caller' })
    made = await prepare(service)
    await checksBeside(ALIVE)
    quiet = await checksBeside(ALIVE)
  })
  after(async () => {
    await service.stop()
    remove()
  })

  for (const name of Object.keys(attacksOn({ url: '', flow: '', cookie: '', reset: '', invitation: '', jwt: '', bogus: '' })))
    it(`W2: go on beside ${name}`, async () => {
      const shot = attacksOn(made)[name]
      assert.ok(shot)
      await assertHarmless(shot, 10)
    })

  it('W12: the description of the API and its page are read and written once, in every language', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs?lang=en', '/docs?lang=es'])
      await assertHarmless({ method: 'GET', path, headers: { accept: 'text/html' } }, 4)
    const [first, second] = [await service.browser().get('/docs?lang=en'), await service.browser().get('/docs?lang=en')]
    assert.match(first.text, /<html lang="en"/)
    assert.equal(first.text, second.text)
  })
})
