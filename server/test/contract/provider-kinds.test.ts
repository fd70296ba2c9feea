import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { examineProvider } from '../../src/cli/idp/examine-provider.ts'
import { addProvider, type ProviderKind, providerStore } from '../../src/identity-providers/index.ts'
import { texts } from '../../src/pages/texts.ts'
import { type Answer, type Browser, hiddenFlow } from '../support/browser.ts'
import { eachDatabase, oneDatabase, type TestDatabase } from '../support/databases.ts'
import { codeIn, startMailbox } from '../support/mailbox.ts'
import { startService, type TestService } from '../support/service.ts'
import { type NamedProvider, startNamedProvider } from '../support/users/named-providers.ts'

async function begin(database: TestDatabase, kind: Exclude<ProviderKind, 'openid'>, authoritativeFor: string[] = []) {
  const mailbox = await startMailbox()
  const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url } })
  const provider = await startNamedProvider(kind, `${service.url}/auth/callback`)
  const { issuer, clientId, clientSecret } = provider
  const input = { id: kind, name: kind, kind, issuer, clientId, clientSecret, authoritativeFor, accessTokenAudience: undefined }
  const added = await addProvider(input, { ...service.context, actor: 'operator:test' })
  assert.ok(!('refusal' in added), JSON.stringify(added))
  return { mailbox, service, provider }
}

/** From the login page to the provider; answers where it sent the browser, or what its page posts. */
async function leave(browser: Browser, id: string): Promise<URL> {
  const flow = hiddenFlow((await browser.get('/login')).text)
  const start = await browser.get(`/auth/provider/${id}?flow=${encodeURIComponent(flow)}`)
  return start.location ?? assert.fail(`${start.status} ${start.text}`)
}

async function signIn(browser: Browser, provider: NamedProvider, id: string): Promise<Answer> {
  const back = await provider.walk(await leave(browser, id))
  assert.ok(back instanceof URL)
  return browser.get(back.pathname + back.search)
}

/** Posts the form of Apple's page, as a browser sends it: from another site, and so without the cookies of ours. */
function post(service: TestService, fields: URLSearchParams): Promise<Answer> {
  const headers = {
    origin: 'https://appleid.apple.com',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'text/html',
  }
  return service.browser().request('POST', '/auth/callback', { headers, body: fields.toString() })
}

function nextOf(page: Answer): string {
  const link = /<a class="button" href="(\/auth\/callback\?[^"]*)"/.exec(page.text)?.[1] ?? assert.fail(page.text)
  const href = link.replaceAll('&#61;', '=').replaceAll('&#38;', '&')
  assert.equal(page.headers.get('refresh'), `0; url=${href}`)
  return href
}

async function userOf(service: TestService, browser: Browser) {
  const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${browser.cookies.get('eg_session')}` } })
  return ((await check.json()) as { session?: { sub: string; name: string } }).session
}

const APPLE = { sub: '000123.abc.0456', email: 'ana@privaterelay.appleid.com', email_verified: 'true', nonce_supported: true }

eachDatabase('Apple', (database) => {
  it('answers by POST without our cookies, and signs in by the GET that follows, with a secret that its key has signed', async () => {
    const { service, provider } = await begin(database, 'apple', ['privaterelay.appleid.com'])
    provider.next = APPLE
    const browser = service.browser()
    const fields = await provider.walk(await leave(browser, 'apple'))
    assert.ok(fields instanceof URLSearchParams)
    fields.set('user', JSON.stringify({ name: { firstName: 'Eva', lastName: 'Não Assinada' }, email: 'outra@example.com' }))
    const page = await post(service, fields)
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('set-cookie'), null)
    assert.doesNotMatch(page.text, /Assinada|outra@/)
    assert.equal(provider.secrets.length, 0, 'nothing is redeemed yet')
    const done = await browser.get(nextOf(page))
    assert.deepEqual([done.status, done.location?.pathname], [302, '/complete-profile'])
    const first = await userOf(service, browser)
    assert.equal(first?.name, 'ana')
    const [secret = ''] = provider.secrets
    const { iat = 0, exp = 0 } = decodeJwt(secret)
    assert.deepEqual([decodeProtectedHeader(secret).alg, exp - iat], ['ES256', 10_800])

    const again = service.browser()
    const second = await provider.walk(await leave(again, 'apple'))
    assert.ok(second instanceof URLSearchParams)
    await again.get(nextOf(await post(service, second)))
    assert.deepEqual([(await userOf(service, again))?.sub, provider.secrets[1]], [first?.sub, secret], 'one secret for an hour')
    service.clock.now += 3_600_001
    const third = service.browser()
    const answer = await provider.walk(await leave(third, 'apple'))
    assert.ok(answer instanceof URLSearchParams)
    await third.get(nextOf(await post(service, answer)))
    assert.equal(provider.secrets.length, 3)
  })

  it('has an address confirmed by mail that Apple says it has not verified, as a word or as a value', async () => {
    const { service, provider, mailbox } = await begin(database, 'apple', ['privaterelay.appleid.com'])
    for (const [n, email_verified] of ['false', false, 'no'].entries()) {
      const email = `eva${n}@privaterelay.appleid.com`
      provider.next = { ...APPLE, sub: `000123.abc.${n}`, email, email_verified }
      const browser = service.browser()
      const fields = await provider.walk(await leave(browser, 'apple'))
      assert.ok(fields instanceof URLSearchParams)
      const done = await browser.get(nextOf(await post(service, fields)))
      assert.equal(done.location?.pathname, '/check-mail', String(email_verified))
      assert.ok(codeIn(await mailbox.find(email)))
    }
  })

  it('signs nobody in whose browser did not begin it, twice, or whose answer was changed; and says when the user refused', async () => {
    const { service, provider } = await begin(database, 'apple', ['privaterelay.appleid.com'])
    provider.next = APPLE
    const [stranger, victim] = [service.browser(), service.browser()]
    await victim.get('/login')
    const strangers = await provider.walk(await leave(stranger, 'apple'))
    assert.ok(strangers instanceof URLSearchParams)
    // A stranger's own answer, posted by their site from the victim's browser.
    const page = await post(service, strangers)
    const taken = await victim.get(nextOf(page))
    assert.equal(taken.status, 400)
    assert.equal(victim.cookies.has('eg_session'), false)
    assert.equal((await stranger.get(nextOf(page))).status, 400, 'the attempt is used up')

    const own = await provider.walk(await leave(stranger, 'apple'))
    assert.ok(own instanceof URLSearchParams)
    const back = nextOf(await post(service, own))
    assert.equal((await stranger.get(back)).status, 302)
    assert.equal((await stranger.get(back)).status, 400)

    provider.next = { ...APPLE, nonce: 'another' }
    const changed = await provider.walk(await leave(victim, 'apple'))
    assert.ok(changed instanceof URLSearchParams)
    assert.equal((await victim.get(nextOf(await post(service, changed)))).location?.pathname, '/login')
    const refused = new URL(await leave(victim, 'apple'))
    const state = refused.searchParams.get('state') ?? ''
    const denied = await victim.get(nextOf(await post(service, new URLSearchParams({ state, error: 'access_denied' }))))
    const shown = await victim.get(denied.location?.href ?? '')
    assert.ok(shown.text.includes(texts['pt-BR'].login.notices.provider_denied.title('apple')))
    assert.equal(victim.cookies.has('eg_session'), false)

    for (const bad of ['', 'code=x', 'state=a&state=b&code=x'])
      assert.equal((await post(service, new URLSearchParams(bad))).status, 400, bad)
    const long = await post(service, new URLSearchParams({ state: 's', code: `"><script>${'x'.repeat(9_000)}` }))
    assert.equal(long.status, 200)
    assert.ok(nextOf(long).length < 2_200)
    assert.doesNotMatch(long.text, /<script>x/)
  })

  it('is connected with a key alone that can sign', async () => {
    const { service, provider } = await begin(database, 'apple')
    const { issuer, clientId } = provider
    const good = JSON.parse(provider.clientSecret)
    const rest = { name: 'A', kind: 'apple' as const, issuer, clientId, authoritativeFor: [], accessTokenAudience: undefined }
    for (const [index, secret] of [
      'a-secret',
      '{}',
      JSON.stringify({ ...good, private_key: 'no key' }),
      JSON.stringify({ ...good, team_id: 'short' }),
      JSON.stringify({ ...good, more: 1 }),
    ].entries()) {
      const added = await addProvider({ id: `a${index}`, clientSecret: secret, ...rest }, { ...service.context, actor: 'operator:test' })
      assert.deepEqual(added, { refusal: 'apple_key_malformed' })
    }
  })
})

eachDatabase('The test of a connection', (database) => {
  for (const [kind, result] of [
    ['apple', 'ok'],
    ['facebook', 'ok'],
    ['github', 'ok'],
  ] as const)
    it(`of ${kind} asks whether it knows the client and its secret, without a user`, async () => {
      const { service, provider } = await begin(database, kind)
      const { issuer, clientSecret } = provider
      const other = { id: 'outro', name: 'Outro', kind, issuer, clientId: 'another', clientSecret, authoritativeFor: [] }
      assert.ok(
        !('refusal' in (await addProvider({ ...other, accessTokenAudience: undefined }, { ...service.context, actor: 'operator:test' }))),
      )
      const found = async (id: string) => {
        const known = (await providerStore(service.context.storage.db).findById(id)) ?? assert.fail()
        const findings = await examineProvider(known, service.context)
        return findings.find(({ check }) => check === 'client')?.result
      }
      assert.deepEqual([await found(kind), await found('outro')], [result, 'fail'])
      assert.deepEqual(provider.secrets, [])
    })
})

eachDatabase('Facebook', (database) => {
  it('signs in by the code flow that its description leaves out, and its addresses are confirmed by mail', async () => {
    const { service, provider, mailbox } = await begin(database, 'facebook')
    const email = `bia.${database.name}@example.com`
    provider.next = { sub: '10160000000000001', email, name: 'Bia Lima', picture: 'https://platform-lookaside.fbsbx.com/p.jpg' }
    const browser = service.browser()
    const sent = await signIn(browser, provider, 'facebook')
    assert.equal(sent.location?.pathname, '/check-mail')
    const page = await browser.get(sent.location.href)
    await browser.submit('/check-mail', { flow: hiddenFlow(page.text), code: codeIn(await mailbox.find(email)) })
    const user = await userOf(service, browser)
    assert.equal(user?.name, 'Bia Lima')
    const again = service.browser()
    assert.equal((await signIn(again, provider, 'facebook')).location?.pathname, '/complete-profile')
    assert.equal((await userOf(service, again))?.sub, user?.sub)
    provider.next = { ...provider.next, nonce: 'another' }
    assert.equal((await signIn(service.browser(), provider, 'facebook')).location?.pathname, '/login')
  })
})

eachDatabase('GitHub', (database) => {
  it('signs in by OAuth 2 alone: its number is the user, and only addresses that it has verified count', async () => {
    const { service, provider, mailbox } = await begin(database, 'github', ['github-mail.example'])
    const address = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified, visibility: null })
    const user = { id: 583231, login: 'octocat', name: null, avatar_url: 'https://avatars.githubusercontent.com/u/583231' }
    provider.next = { user, emails: [address('dono@example.com', true, false), address(`oc.${database.name}@example.com`, false, true)] }
    const browser = service.browser()
    const sent = await signIn(browser, provider, 'github')
    assert.equal(sent.location?.pathname, '/check-mail')
    const page = await browser.get(sent.location.href)
    const mail = await mailbox.find(`oc.${database.name}@example.com`)
    await browser.submit('/check-mail', { flow: hiddenFlow(page.text), code: codeIn(mail) })
    const known = await userOf(service, browser)
    assert.equal(known?.name, 'octocat')
    // Another login and address: the same number.
    provider.next = { user: { ...user, login: 'renamed' }, emails: [] }
    const again = service.browser()
    await signIn(again, provider, 'github')
    assert.equal((await userOf(service, again))?.sub, known?.sub)

    provider.next = { user: { ...user, id: 2 }, emails: [address('nobody@example.com', true, false)] }
    const none = await signIn(service.browser(), provider, 'github')
    assert.equal(none.location?.pathname, '/login')
    provider.next = { user: { ...user, id: 3 }, emails: [address('eva@github-mail.example', true, true)] }
    const vouched = service.browser()
    assert.equal((await signIn(vouched, provider, 'github')).location?.pathname, '/complete-profile')
    for (const broken of [{ user: { ...user, id: '583231' } }, { user: { login: 'octocat' }, emails: [] }, { user, emails: {} }]) {
      provider.next = { emails: [], ...broken }
      assert.equal((await signIn(service.browser(), provider, 'github')).location?.pathname, '/login')
    }
  })

  it('refuses a code that was used, or another secret, with an answer of 200, which signs nobody in', async () => {
    const { service, provider } = await begin(database, 'github')
    const browser = service.browser()
    const back = await provider.walk(await leave(browser, 'github'))
    assert.ok(back instanceof URL)
    back.searchParams.set('code', 'another')
    const answer = await browser.get(back.pathname + back.search)
    assert.equal(answer.location?.pathname, '/login')
    assert.equal(browser.cookies.has('eg_session'), false)
  })
})

oneDatabase('The button of a provider', (database) => {
  it('has the mark of the company that its issuer names, whatever the operator calls it, and a letter for any other', async () => {
    const service = await startService(await database.fresh())
    const connect = async (id: string, issuer: string, name = id) => {
      const rest = { clientId: 'x', clientSecret: 'x', authoritativeFor: [], accessTokenAudience: undefined }
      const added = await addProvider({ id, name, issuer, ...rest }, { ...service.context, actor: 'operator:test' })
      assert.ok(!('refusal' in added))
    }
    await connect('a', 'https://accounts.google.com', 'Contas da Empresa')
    await connect('b', 'https://login.microsoftonline.com/11111111-1111-1111-1111-111111111111/v2.0', 'Entra')
    await connect('c', 'https://accounts.google.com.evil.example', 'Google')
    await connect('d', 'https://evil.example/accounts.google.com', 'Google')
    await connect('e', 'https://login.microsoftonline.com.evil.example/v2.0', 'Microsoft')
    const { text } = await service.browser().get('/login')
    const buttons = [
      ...text.matchAll(
        /<a class="button button-secondary provider" href="\/auth\/provider\/(.)[^>]*>(<svg class="icon company"|<span class="letter")/g,
      ),
    ]
    assert.deepEqual(
      new Map(buttons.map(([, id, mark]) => [id, mark?.startsWith('<svg')])),
      new Map([
        ['a', true],
        ['b', true],
        ['c', false],
        ['d', false],
        ['e', false],
      ]),
    )
  })
})
