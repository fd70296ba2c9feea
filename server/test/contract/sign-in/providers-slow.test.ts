import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { texts } from '../../../src/pages/texts.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { oneDatabase, type TestDatabase } from '../../support/databases.ts'
import { cheapPasswords, PASSWORD, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startProvider, type TestProvider } from '../../support/users/openid-provider.ts'

const TIMEOUT_SECONDS = 0.5
/** Where a provider that is well must answer within the same time, which on a busy machine may take more than half a second. */
const PATIENT_SECONDS = 3
/** The time that the rest of an answer may take on a busy machine: less than the eight seconds that a provider has otherwise. */
const MARGIN_MS = 6_000
const AUDIENCE = 'https://api.exemplo.com.br'
const ANA = { subject: 'ana-1', email: 'ana@exemplo.com.br', email_verified: true, name: 'Ana Flávia' }

async function begin(database: TestDatabase, timeoutSeconds = TIMEOUT_SECONDS) {
  const service = await startService(await database.fresh(), { passwords: cheapPasswords, timeoutSeconds })
  const connect = async (id: string) => {
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const input = { id, name: `Provedor ${id}`, issuer, clientId, clientSecret, authoritativeFor: ['*'], accessTokenAudience: AUDIENCE }
    assert.ok(!('refusal' in (await addProvider(input, { ...service.context, actor: 'operator:test' }))))
    provider.next = ANA
    return provider
  }
  const start = async (browser: Browser, id = 'um') => {
    const flow = hiddenFlow((await browser.get('/login')).text)
    return browser.get(`/auth/provider/${id}?flow=${encodeURIComponent(flow)}`)
  }
  /** The callback's path, as the provider sends a browser back to it. */
  const walk = async (browser: Browser, provider: TestProvider, id = 'um') => {
    const { pathname, search } = await provider.walk((await start(browser, id)).location?.href ?? '')
    return pathname + search
  }
  const isKnown = async (browser: Browser) => {
    const headers = { cookie: `eg_session=${browser.cookies.get('eg_session')}` }
    return (await fetch(`${service.url}/auth/check`, { headers })).status === 200 && browser.cookies.has('eg_session')
  }
  return { service, connect, start, walk, isKnown }
}

/** The answer, and how many ms it took. */
async function timed<T>(answer: Promise<T>): Promise<[T, number]> {
  const began = performance.now()
  return [await answer, performance.now() - began]
}

/** Hangs at one of its addresses. ID tokens say no address, so that userinfo is asked too. */
function hangAt(provider: TestProvider, where: TestProvider['moodAt']): void {
  provider.mood = 'hang'
  provider.moodAt = where
  provider.tamper = ({ email: _email, email_verified: _verified, ...claims }) => claims
}

oneDatabase('A provider that does not answer', (database) => {
  it('sends the user back to the login page in half a second, with a word in their language, and works when it is well again', async () => {
    const { service, connect, start, isKnown } = await begin(database)
    const provider = await connect('um')
    provider.mood = 'hang'
    for (const language of ['pt-BR', 'en', 'es'] as const) {
      const browser = service.browser({ 'accept-language': language })
      const [answer, ms] = await timed(start(browser))
      assert.equal(answer.location?.pathname, '/login')
      assert.ok(ms >= TIMEOUT_SECONDS * 1000 - 50 && ms < TIMEOUT_SECONDS * 1000 + MARGIN_MS, `${ms} ms`)
      const { text } = await browser.get(answer.location?.href ?? '')
      const { title, advice } = texts[language].login.notices.provider_unreachable
      assert.ok(text.includes(title('Provedor um')) && text.includes(advice('Provedor um')), text)
    }
    provider.mood = 'well'
    // On a busy machine half a second may be short even for one that is well: then its user tries again.
    await until(async () => {
      const browser = service.browser()
      const { location } = await start(browser)
      if (location?.pathname === '/login') return false
      const { pathname, search } = await provider.walk(location?.href ?? '')
      await browser.get(pathname + search)
      return isKnown(browser)
    })
  })

  for (const where of ['/token', '/jwks', '/me'] as const) {
    it(`at ${where} signs nobody in, in bounded time, and its code opens nothing later`, async () => {
      const { service, connect, walk, isKnown } = await begin(database, PATIENT_SECONDS)
      const provider = await connect('um')
      const browser = service.browser()
      const callback = await walk(browser, provider)
      hangAt(provider, where)
      const [answer, ms] = await timed(browser.get(callback))
      assert.equal(answer.location?.pathname, '/login')
      assert.ok(ms < PATIENT_SECONDS * 1000 + MARGIN_MS, `${ms} ms`)
      const page = await browser.get(answer.location?.href ?? '')
      assert.ok(page.text.includes(texts['pt-BR'].login.notices.provider_unreachable.title('Provedor um')), page.text)
      provider.mood = 'well'
      assert.equal((await browser.get(callback)).status, 400)
      assert.equal(provider.tokenCalls, 1)
      assert.equal(await isKnown(browser), false)
      await browser.get(await walk(browser, provider))
      assert.ok(await isKnown(browser))
    })
  }

  it('holds nobody else up: while fifty wait for it, the others come in by password and by another provider', async () => {
    const { service, connect, start, walk, isKnown } = await begin(database, 30)
    const [silent, mute, well] = [await connect('um'), await connect('dois'), await connect('tres')]
    await service.user('bia@exemplo.com.br')
    const waiting = service.browser()
    const callback = await walk(waiting, silent)
    hangAt(silent, '/token')
    mute.mood = 'hang'
    const pending = [waiting.get(callback), ...Array.from({ length: 49 }, () => start(service.browser(), 'dois'))]
    let ended = 0
    for (const one of pending) void one.then(() => (ended += 1))
    const [browser, other] = [service.browser(), service.browser()]
    const [signedIn, ms] = await timed(browser.signIn('/login', { email: 'bia@exemplo.com.br', password: PASSWORD }))
    assert.equal(signedIn.location?.pathname, '/auth/welcome')
    assert.ok(await isKnown(browser))
    await other.get(await walk(other, well, 'tres'))
    assert.ok(await isKnown(other))
    assert.ok(ms < MARGIN_MS, `${ms} ms`)
    assert.equal(ended, 0, 'nobody waited')
    // Browsers whose connection ends while they wait are sent back at once.
    await Promise.all([silent.stop(), mute.stop()])
    for (const { location } of await Promise.all(pending)) assert.equal(location?.pathname, '/login')
  })

  it('is asked for its keys in bounded time, when somebody brings an access token of its', async () => {
    const { service, connect } = await begin(database, PATIENT_SECONDS)
    const provider = await connect('um')
    const seconds = Math.floor(Date.now() / 1000)
    const token = await provider.sign({ iss: provider.issuer, sub: 'ana-1', aud: AUDIENCE, iat: seconds, exp: seconds + 300 })
    for (const where of ['/.well-known/openid-configuration', '/jwks'] as const) {
      hangAt(provider, where)
      const [answer, ms] = await timed(fetch(`${service.url}/api/me`, { headers: { authorization: `Bearer ${token}` } }))
      assert.equal(answer.status, 503)
      assert.ok(ms < PATIENT_SECONDS * 1000 + MARGIN_MS, `${ms} ms`)
    }
  })
})

oneDatabase('A provider', (database) => {
  it('that is slow and still answers signs users in', async () => {
    const { service, connect, walk, isKnown } = await begin(database, 30)
    const provider = await connect('um')
    provider.mood = 'slow'
    const browser = service.browser()
    const [, ms] = await timed(walk(browser, provider).then((callback) => browser.get(callback)))
    assert.ok(ms >= 900, 'nothing was slow')
    assert.ok(await isKnown(browser))
  })

  for (const where of ['/.well-known/openid-configuration', '/token', '/jwks'] as const) {
    it(`whose answer ends in the middle at ${where} is one that does not answer`, async () => {
      const { service, connect, start, walk, isKnown } = await begin(database, 30)
      const provider = await connect('um')
      const browser = service.browser()
      const callback = where === '/token' || where === '/jwks' ? await walk(browser, provider) : undefined
      provider.mood = 'cut'
      provider.moodAt = where
      const answer = callback === undefined ? await start(browser) : await browser.get(callback)
      assert.equal(answer.location?.pathname, '/login')
      const page = await browser.get(answer.location?.href ?? '')
      assert.ok(page.text.includes(texts['pt-BR'].login.notices.provider_unreachable.title('Provedor um')), page.text)
      assert.equal(await isKnown(browser), false)
    })
  }
})
