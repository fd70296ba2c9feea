import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { JWTPayload } from 'jose'
import { addProvider, changeProvider, removeProvider } from '../../../src/identity-providers/index.ts'
import { texts } from '../../../src/pages/texts.ts'
import type { Answer, Browser } from '../../support/browser.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase, oneDatabase, type TestDatabase } from '../../support/databases.ts'
import { codeIn, startMailbox } from '../../support/mailbox.ts'
import { begin as begun, openIdApp, redeem } from '../../support/openid/apps.ts'
import { PASSWORD, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startProvider, type TestProvider } from '../../support/users/openid-provider.ts'

async function begin(database: TestDatabase, { authoritativeFor = ['exemplo.com.br'] }: { authoritativeFor?: string[] } = {}) {
  const mailbox = await startMailbox()
  const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url } })
  const connect = async (id: string) => {
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const added = await addProvider(
      { id, name: `Provedor ${id}`, issuer, clientId, clientSecret, authoritativeFor, accessTokenAudience: undefined },
      { ...service.context, actor: 'operator:test' },
    )
    assert.ok(!('refusal' in added), JSON.stringify(added))
    return provider
  }
  return { mailbox, service, connect, provider: await connect('um') }
}

/** Every node shows a change after this time at the latest. */
const SEEN_WITHIN_MS = 2_000

/** From the login page through the provider; answers what the callback answered. */
async function signInBy(browser: Browser, provider: TestProvider, id = 'um', login = '/login'): Promise<Answer> {
  const page = await browser.get(login)
  const flow = hiddenFlow(page.text)
  const start = await browser.get(`/auth/provider/${id}?flow=${encodeURIComponent(flow)}`)
  assert.equal(start.status, 302)
  const callback = await provider.walk(start.location?.href ?? '')
  return browser.get(callback.pathname + callback.search)
}

const { notices } = texts['pt-BR'].login

/** The answer leads to the login page, which says this of the provider in so many words. */
async function assertNotice(browser: Browser, answer: Answer, kind: keyof typeof notices): Promise<void> {
  assert.equal(answer.location?.pathname, '/login')
  const { text } = await browser.get(answer.location?.href ?? '')
  const { title, advice } = notices[kind]
  assert.ok(text.includes(title('Provedor um')) && text.includes(advice('Provedor um')), text)
}

async function userOf(service: TestService, browser: Browser): Promise<string | undefined> {
  const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${browser.cookies.get('eg_session')}` } })
  return ((await check.json()) as { session?: { sub: string } }).session?.sub
}

const ANA = { subject: 'ana-1', email: 'Ana@Exemplo.com.br', email_verified: true, name: 'Ana Flávia' }

eachDatabase('The answer of a provider', (database) => {
  it('takes a callback once: the same code and state again, fifty times at once too, opens nothing', async () => {
    const { service, provider } = await begin(database)
    provider.next = ANA
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/login')).text)
    const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
    const { pathname, search } = await provider.walk(start.location?.href ?? '')
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.get(pathname + search)))
    assert.equal(answers.filter(({ status }) => status === 302).length, 1)
    assert.equal(answers.filter(({ status }) => status === 400).length, 49)
    assert.equal(provider.tokenCalls, 1)
  })
})

eachDatabase('The sign-in page', (database) => {
  it('offers the providers as they are, also those that another node has added, renamed or removed', async () => {
    const given = await database.fresh()
    const [here, other] = [await startService(given), await startService(given)]
    const shows = async (name: string) => (await here.browser().get('/login')).text.includes(name)
    const operator = { ...other.context, actor: 'operator:test' } as const
    const rest = { issuer: 'https://idp.example', clientId: 'c', clientSecret: 's', authoritativeFor: [], accessTokenAudience: undefined }
    assert.equal(await shows('Provedor um'), false)
    assert.ok(!('refusal' in (await addProvider({ id: 'um', name: 'Provedor um', ...rest }, operator))))
    await until(() => shows('Provedor um'), SEEN_WITHIN_MS)
    assert.ok(!('refusal' in (await changeProvider('um', { name: 'Provedor dois' }, operator))))
    await until(() => shows('Provedor dois'), SEEN_WITHIN_MS)
    assert.equal(await removeProvider('um', operator), 'removed')
    await until(async () => !(await shows('Provedor')), SEEN_WITHIN_MS)
  })
})

oneDatabase('A new sign-in that is asked for', (database) => {
  /** A browser that has a session at the provider, and what its users do there from the login page on. */
  async function signedInThere() {
    const { service, provider } = await begin(database)
    provider.next = ANA
    const [browser, cookies] = [service.browser(), new Map<string, string>()]
    const callOf = async (login: URL | undefined) => {
      const page = await browser.get(login?.href ?? assert.fail())
      const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(hiddenFlow(page.text))}`)
      return start.location ?? assert.fail()
    }
    const back = async (authorization: URL) => {
      const callback = await provider.walk(authorization.href, cookies)
      return browser.get(callback.pathname + callback.search)
    }
    const app = await openIdApp(service, { change: { requirements: { requires: [] } } })
    const first = await begun(app)
    await browser.follow(await back(await callOf((await browser.get(first.url.pathname + first.url.search)).location)))
    assert.equal(provider.signIns, 1)
    return { service, provider, browser, app, callOf, back }
  }

  for (const [asked, parameters] of [
    ['prompt=login', { prompt: 'login' }],
    ['max_age', { max_age: '0' }],
  ] as const)
    it(`by an app with ${asked} is one at the provider too, whose live session does not answer it`, async () => {
      const { service, provider, browser, app, callOf, back } = await signedInThere()
      const open = async () => {
        service.clock.now += 1_000
        const asking = await begun(app, parameters)
        return { asking, call: await callOf((await browser.get(asking.url.pathname + asking.url.search)).location) }
      }
      const { asking, call } = await open()
      assert.equal(call.searchParams.get('max_age'), '0')
      const left = await browser.follow(await back(call))
      assert.equal(provider.signIns, 2)
      await redeem(app, left.location ?? assert.fail(left.text), asking)
      // A provider that has answered from its session says so.
      provider.tamper = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3_600 })
      await assertNotice(browser, await back((await open()).call), 'provider_not_recent')
      // Several say nothing.
      provider.tamper = ({ auth_time: _left, ...claims }) => claims
      assert.ok((await browser.follow(await back((await open()).call))).location?.searchParams.has('code'))
    })

  it('is asked of nobody who merely signs in', async () => {
    const { service, callOf, browser, app } = await signedInThere()
    await browser.get('/auth/signout')
    const asking = await begun(app)
    const call = await callOf((await browser.get(asking.url.pathname + asking.url.search)).location)
    assert.equal(call.searchParams.has('max_age'), false)
    assert.ok(service)
  })

  it('by a page that changes a sign-in method is one at the provider too', async () => {
    const { service, provider, browser, callOf, back } = await signedInThere()
    service.clock.now += 11 * 60_000
    const sent = await browser.get('/account/email')
    assert.equal(sent.location?.pathname, '/login')
    const call = await callOf(sent.location)
    assert.equal(call.searchParams.get('max_age'), '0')
    const page = await browser.follow(await back(call))
    assert.deepEqual([page.status, provider.signIns], [200, 2])
    provider.tamper = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3_600 })
    service.clock.now += 11 * 60_000
    await assertNotice(browser, await back(await callOf((await browser.get('/account/email')).location)), 'provider_not_recent')
  })
})

oneDatabase('A sign-in through an identity provider', (database) => {
  it('makes an account the first time and finds it again the second, by issuer and subject', async () => {
    const { service, provider } = await begin(database)
    provider.next = ANA
    const first = service.browser()
    assert.equal((await signInBy(first, provider)).location?.pathname, '/complete-profile')
    const sub = await userOf(service, first)
    assert.ok(sub)
    provider.next = { ...ANA, email: 'outra@exemplo.com.br' }
    const second = service.browser()
    await signInBy(second, provider)
    assert.equal(await userOf(service, second), sub)
  })

  it('links an account with a verified address when the provider is authoritative for its domain, and notifies the owner', async () => {
    const { mailbox, service, provider } = await begin(database)
    const ana = await service.user('ana@exemplo.com.br')
    provider.next = ANA
    const browser = service.browser()
    assert.equal((await signInBy(browser, provider)).location?.pathname, '/auth/welcome')
    assert.equal(await userOf(service, browser), ana.id)
    await mailbox.find('ana@exemplo.com.br')
  })

  it('takes an unproven account over: its old password, sessions and tax id are gone', async () => {
    const { service, provider } = await begin(database)
    const squatter = await service.user('ana@exemplo.com.br')
    await service.context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', squatter.id).execute()
    const thief = service.browser()
    await thief.signIn('/login', { email: squatter.email, password: PASSWORD })
    provider.next = ANA
    const owner = service.browser()
    assert.equal((await signInBy(owner, provider)).location?.pathname, '/complete-profile')
    assert.equal(await userOf(service, owner), squatter.id)
    assert.equal(await userOf(service, thief), undefined)
    assert.equal((await service.browser().signIn('/login', { email: squatter.email, password: PASSWORD })).status, 401)
  })

  for (const [what, claims] of [
    ['email_verified is missing', { email_verified: undefined }],
    ['email_verified is false', { email_verified: false }],
    ['email_verified is the string "true"', { email_verified: 'true' }],
    ['the provider is not authoritative for the domain', { email: 'ana@alheio.com.br' }],
  ] as const) {
    it(`links nothing when ${what}: the local account has to be verified first`, async () => {
      const { service, provider } = await begin(database)
      const email = 'email' in claims ? claims.email : 'ana@exemplo.com.br'
      const ana = await service.user(email)
      provider.next = { ...ANA, ...claims }
      const browser = service.browser()
      const answer = await signInBy(browser, provider)
      await assertNotice(browser, answer, 'link_with_password')
      assert.equal(await userOf(service, browser), undefined)
      const page = await browser.get(answer.location?.href ?? '')
      const authenticated = await browser.submit('/login', { flow: hiddenFlow(page.text), email, password: PASSWORD })
      assert.equal(authenticated.status, 302)
      const again = service.browser()
      await signInBy(again, provider)
      assert.equal(await userOf(service, again), ana.id)
    })
  }

  it('never links an administrator by itself', async () => {
    const { service, provider } = await begin(database)
    await service.user('ana@exemplo.com.br', { admin: true })
    provider.next = ANA
    const browser = service.browser()
    assert.equal((await signInBy(browser, provider)).location?.pathname, '/login')
    assert.equal(await userOf(service, browser), undefined)
  })

  it('asks the mailbox where nobody has the address and the provider may not vouch for it', async () => {
    const { mailbox, service, provider } = await begin(database, { authoritativeFor: [] })
    provider.next = ANA
    const browser = service.browser()
    const answer = await signInBy(browser, provider)
    assert.equal(answer.location?.pathname, '/check-mail')
    assert.equal(await userOf(service, browser), undefined)
    const flow = hiddenFlow((await browser.get(answer.location?.href ?? '')).text)
    const done = await browser.submit('/check-mail', { flow, code: codeIn(await mailbox.find('ana@exemplo.com.br')) })
    assert.equal(done.status, 302)
    const sub = await userOf(service, browser)
    assert.ok(sub)
    const again = service.browser()
    await signInBy(again, provider)
    assert.equal(await userOf(service, again), sub)
  })

  it('says so on the login page when the provider gives no address, or the user says no', async () => {
    const { service, provider } = await begin(database)
    provider.next = { subject: 'sem-endereco' }
    const browser = service.browser()
    const nameless = await signInBy(browser, provider)
    await assertNotice(browser, nameless, 'provider_gave_no_address')
    provider.next = 'cancel'
    const cancelled = await signInBy(browser, provider)
    await assertNotice(browser, cancelled, 'provider_denied')
  })

  for (const [lie, change] of [
    ['a wrong nonce', (claims: JWTPayload): JWTPayload => ({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _nonce, ...claims }: JWTPayload): JWTPayload => claims],
    ['another issuer', (claims: JWTPayload): JWTPayload => ({ ...claims, iss: 'https://evil.example' })],
    ['another audience', (claims: JWTPayload): JWTPayload => ({ ...claims, aud: 'someone-else' })],
    ['an expired token', (claims: JWTPayload): JWTPayload => ({ ...claims, exp: 1 })],
  ] as const) {
    it(`signs nobody in on ${lie}`, async () => {
      const { service, provider } = await begin(database)
      provider.next = ANA
      provider.tamper = change
      const browser = service.browser()
      await assertNotice(browser, await signInBy(browser, provider), 'provider_failed')
      assert.equal(await userOf(service, browser), undefined)
      assert.equal(await service.context.storage.db.selectFrom('identities').selectAll().executeTakeFirst(), undefined)
    })
  }

  it('says so on the login page when the provider answers with an error, and uses the attempt up', async () => {
    const { service, provider } = await begin(database)
    for (const error of ['server_error', 'temporarily_unavailable', 'invalid_request', 'an_error_of_its_own']) {
      const browser = service.browser()
      const flow = hiddenFlow((await browser.get('/login')).text)
      const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
      const state = start.location?.searchParams.get('state') ?? ''
      const callback = `/auth/callback?${new URLSearchParams({ error, error_description: 'no', state, iss: provider.issuer })}`
      await assertNotice(browser, await browser.get(callback), 'provider_failed')
      assert.equal(await userOf(service, browser), undefined)
      assert.equal((await browser.get(callback)).status, 400)
    }
  })

  it('refuses a callback in another browser, and one without or with a foreign state (login CSRF)', async () => {
    const { service, provider } = await begin(database)
    provider.next = ANA
    const attacker = service.browser()
    const flow = hiddenFlow((await attacker.get('/login')).text)
    const start = await attacker.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
    const { pathname, searchParams } = await provider.walk(start.location?.href ?? '')
    const victim = service.browser()
    await victim.get('/login')
    for (const state of ['', 'made-up', searchParams.get('state') ?? '']) {
      const query = new URLSearchParams({ code: searchParams.get('code') ?? '', ...(state && { state }), iss: provider.issuer })
      assert.equal((await victim.get(`${pathname}?${query}`)).status, 400)
    }
    assert.equal(await userOf(service, victim), undefined)
  })

  it('does not take an answer of one provider for the attempt at another (mix-up)', async () => {
    const { service, provider, connect } = await begin(database)
    const other = await connect('dois')
    provider.next = ANA
    other.next = { ...ANA, subject: 'evil' }
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/login')).text)
    const atOne = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
    const atTwo = await browser.get(`/auth/provider/dois?flow=${encodeURIComponent(flow)}`)
    const evil = await other.walk(atTwo.location?.href ?? '')
    const state = atOne.location?.searchParams.get('state') ?? ''
    const mixed = new URLSearchParams({ code: evil.searchParams.get('code') ?? '', state, iss: other.issuer })
    const answer = await browser.get(`/auth/callback?${mixed}`)
    assert.equal(answer.location?.pathname, '/login')
    assert.equal(await userOf(service, browser), undefined)
  })

  it('lets two providers and five tabs run side by side, each back to its own app and state', async () => {
    const { service, provider, connect } = await begin(database)
    const other = await connect('dois')
    provider.next = ANA
    other.next = { ...ANA, subject: 'ana-at-two' }
    await service.user('ana@exemplo.com.br')
    await service.product({ slug: 'painel', uris: ['http://localhost:4001/callback', 'http://localhost:4002/callback'] })
    const browser = service.browser()
    const tabs: Array<{ n: number; target: string; flow: string }> = []
    for (const n of [1, 2, 3, 4, 5]) {
      const target = `http://localhost:${n % 2 ? 4001 : 4002}/callback`
      const page = await browser.get(`/auth/login?redirect_to=${encodeURIComponent(target)}&state=tab${n}&prompt=login`)
      tabs.push({ n, target, flow: hiddenFlow(page.text) })
    }
    for (const { n, target, flow } of [tabs[2], tabs[0], tabs[4], tabs[1], tabs[3]].flatMap((tab) => (tab ? [tab] : []))) {
      const start = await browser.get(`/auth/provider/${n % 2 ? 'um' : 'dois'}?flow=${encodeURIComponent(flow)}`)
      const callback = await (n % 2 ? provider : other).walk(start.location?.href ?? '')
      const end = await browser.follow(await browser.get(callback.pathname + callback.search))
      assert.equal(`${end.location?.origin}${end.location?.pathname}`, target)
      assert.equal(end.location?.searchParams.get('state'), `tab${n}`)
      assert.ok(end.location?.searchParams.get('eg_session'))
    }
  })

  for (const mood of ['down', 'rubbish'] as const) {
    it(`lands on the login page with a message when the provider is ${mood}, and works again when it is back`, async () => {
      const { service, provider } = await begin(database)
      provider.mood = mood
      const browser = service.browser()
      const flow = hiddenFlow((await browser.get('/login')).text)
      const answer = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
      await assertNotice(browser, answer, 'provider_unreachable')
      provider.mood = 'well'
      provider.next = ANA
      await signInBy(browser, provider)
      assert.ok(await userOf(service, browser))
    })
  }

  it('refuses a disabled user', async () => {
    const { service, provider } = await begin(database)
    provider.next = ANA
    const browser = service.browser()
    await signInBy(browser, provider)
    await service.context.storage.db.updateTable('users').set({ disabled_at: 1 }).execute()
    const again = service.browser()
    assert.equal((await signInBy(again, provider)).location?.pathname, '/login')
    assert.equal(await userOf(service, again), undefined)
    // The audit log names the account, which the deletion finds; the provider's name for its user would stay in it.
    const { db } = service.context.storage
    const user = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const refused = await db.selectFrom('audit').select('target').where('action', '=', 'sign_in.refused_disabled').execute()
    assert.deepEqual(refused, [{ target: user.id }])
  })
})
