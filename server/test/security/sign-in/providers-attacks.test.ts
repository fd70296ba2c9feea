import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { linkIn, startMailbox } from '../../support/mailbox.ts'
import { holdNextAnswer } from '../../support/routes/asked-queries.ts'
import { assertNothingInside, mint } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startService } from '../../support/service.ts'
import { ticketOf } from '../../support/users/mailed-service.ts'
import { startProvider, type User } from '../../support/users/openid-provider.ts'
import { assertOwnRedirect } from '../../support/users/sign-in-steps.ts'

const ANA = { subject: 'ana-1', email: 'ana@exemplo.com.br', email_verified: true, name: 'Ana Flávia' }
const AUDIENCE = 'https://api.exemplo.com.br'
const times = (n: number) => Array.from({ length: n }, (_, i) => i)

async function begin(database: TestDatabase, { authoritativeFor = ['exemplo.com.br'] }: { authoritativeFor?: string[] } = {}) {
  const mailbox = await startMailbox()
  const environment = { PORTARIA_SMTP_URL: mailbox.url, PORTARIA_TRUST_PROXY: '1' }
  const service = await startService(await database.fresh(), { environment, passwords: cheapPasswords, clock: { now: Date.now() } })
  const provider = await startProvider(`${service.url}/auth/callback`)
  const { issuer, clientId, clientSecret } = provider
  const input = { id: 'um', name: 'Provedor', issuer, clientId, clientSecret, authoritativeFor, accessTokenAudience: AUDIENCE }
  assert.ok(!('refusal' in (await addProvider(input, { ...service.context, actor: 'operator:test' }))))
  const arrive = async (browser: Browser, user: User, login = '/login') => {
    provider.next = user
    const flow = hiddenFlow((await browser.get(login)).text)
    const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
    const { pathname, search } = await provider.walk(start.location?.href ?? assert.fail('no way to the provider'))
    return browser.get(pathname + search)
  }
  const { db } = service.context.storage
  const identities = () => db.selectFrom('identities').selectAll().execute()
  return { mailbox, service, provider, arrive, db, identities }
}

eachDatabase('A provider whose word about addresses does not count', (database) => {
  it('22: makes three mails and codes an hour for an address at most, and counts with the sign-ups by form', async () => {
    const { service, arrive, db } = await begin(database, { authoritativeFor: [] })
    const email = 'vitima@exemplo.com.br'
    const form = async (from: string) => {
      const browser = service.browser({ 'x-forwarded-for': from })
      const flow = hiddenFlow((await browser.get('/sign-up')).text)
      return browser.submit('/sign-up', { flow, name: 'Bia', email, password: 'girassol azul no telhado' })
    }
    assert.equal((await form('198.51.100.99')).location?.pathname, '/check-mail')
    const answers = []
    for (const n of times(5))
      answers.push(await arrive(service.browser({ 'x-forwarded-for': `198.51.100.${n}` }), { subject: `s-${n}`, email }))
    assert.deepEqual(
      answers.map(({ status, location }) => location?.pathname ?? status),
      ['/check-mail', '/check-mail', 429, 429, 429],
    )
    assert.ok(answers[2]?.headers.get('retry-after'))
    assert.equal((await form('198.51.100.98')).status, 429)
    assert.equal((await db.selectFrom('tickets').select('id').execute()).length, 3)
  })

  it('29: shows one network no more than twenty times an hour whether an address has an account', async () => {
    const { service, arrive } = await begin(database, { authoritativeFor: [] })
    await service.user(ANA.email)
    const seen: unknown[] = []
    for (const n of times(22)) {
      const user = { subject: `s-${n}`, email: n % 2 === 0 ? ANA.email : `ninguem${n}@exemplo.com.br` }
      const { status, location } = await arrive(service.browser({ 'x-forwarded-for': '198.51.100.7' }), user)
      seen.push(location?.pathname ?? status)
    }
    assert.deepEqual(seen.slice(0, 2), ['/login', '/check-mail'])
    assert.deepEqual(seen.slice(20), [429, 429])
    const refused = await arrive(service.browser({ 'x-forwarded-for': '198.51.100.7' }), { subject: 's-23', email: ANA.email })
    assert.equal(refused.headers.get('retry-after'), '3600')
    assert.match(refused.text, /uma pausa de até uma hora/)
  })

  it('12: is named on the login page for as long as signing in there would connect it, a wrong password or not', async () => {
    const { service, arrive, identities } = await begin(database, { authoritativeFor: [] })
    await service.user(ANA.email)
    const browser = service.browser()
    const login = await arrive(browser, ANA)
    let page = await browser.get(login.location?.href ?? '')
    for (const _ of times(3)) {
      assert.match(page.text, /Provedor fica conectado/)
      page = await browser.submit('/login', { flow: hiddenFlow(page.text), email: ANA.email, password: 'wrong' })
    }
    assert.match(page.text, /Provedor fica conectado/)
    assert.equal((await browser.submit('/login', { flow: hiddenFlow(page.text), email: ANA.email, password: PASSWORD })).status, 302)
    assert.equal((await identities()).length, 1)
  })

  it('25: links nobody to an account whose owner has said "this was not me" while the password was being shown', async () => {
    const { service, arrive, identities } = await begin(database, { authoritativeFor: [] })
    const ana = await service.user(ANA.email)
    const attacker = service.browser()
    const login = await arrive(attacker, { ...ANA, subject: 'attacker' })
    const flow = hiddenFlow((await attacker.get(login.location?.href ?? '')).text)
    const { asked, goOn } = holdNextAnswer(service, /"identity_providers" where "id"/)
    const entering = attacker.submit('/login', { flow, email: ANA.email, password: PASSWORD })
    await asked
    const { secret } = await mint(service, { purpose: 'report_sign_in', userId: ana.id, email: ANA.email })
    assert.equal((await service.browser().submit('/report-sign-in', { ticket: secret })).status, 200)
    goOn()
    await entering
    assert.deepEqual(await identities(), [])
    assert.equal((await attacker.get('/account')).location?.pathname, '/login')
  })
})

eachDatabase('A provider whose word about addresses counts', (database) => {
  it('11: takes nothing from an unverified account that came to confirm its address: its password is asked, then both are joined', async () => {
    const { mailbox, service, arrive, db, identities } = await begin(database)
    const ana = await service.user(ANA.email)
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', ana.id).execute()
    await db.updateTable('users_company').set({ phone: '+5511912345678' }).where('user_id', '=', ana.id).execute()
    const rowOf = () =>
      db.selectFrom('users').innerJoin('users_company', 'user_id', 'id').selectAll().where('id', '=', ana.id).executeTakeFirstOrThrow()
    const kept = async () => {
      const { password_hash, phone } = await rowOf()
      return { password_hash, phone }
    }
    const before = await kept()
    const owner = service.browser()
    assert.equal((await owner.signIn('/login', { email: ANA.email, password: PASSWORD })).status, 302)
    assert.equal((await owner.submit('/account/email/confirm', {})).status, 200)
    const link = linkIn(await mailbox.find(ANA.email, ({ text }) => text?.includes('/confirm-email') ?? false), '/confirm-email')
    const phone = service.browser()
    const login = (await phone.get(link)).location ?? assert.fail('asked nobody to sign in')
    const back = await arrive(phone, ANA, login.pathname + login.search)
    assertOwnRedirect(back, '/login')
    const asked = await phone.get(back.location?.href ?? '')
    assert.match(asked.text, /Provedor fica conectado/)
    assert.deepEqual([await kept(), await identities()], [before, []])
    assert.equal((await owner.get('/account')).status, 200, 'the session goes on')
    const entered = await phone.follow(await phone.submit('/login', { flow: hiddenFlow(asked.text), email: ANA.email, password: PASSWORD }))
    assert.match(entered.text, /action="\/confirm-email"/)
    assert.equal((await phone.submit('/confirm-email', { ticket: ticketOf(link) })).status, 200)
    assert.deepEqual(await kept(), before)
    assert.notEqual((await rowOf()).email_verified_at, null)
    assert.deepEqual(
      (await identities()).map(({ user_id }) => user_id),
      [ana.id],
    )
  })

  it('11: makes no account of the address that another one is about to have', async () => {
    const { mailbox, service, arrive, db } = await begin(database)
    const old = await service.user('ana.antiga@exemplo.com.br')
    const owner = service.browser()
    await owner.signIn('/login', { email: old.email, password: PASSWORD })
    assert.equal((await owner.submit('/account/email', { email: ANA.email })).status, 200)
    const link = linkIn(await mailbox.find(ANA.email, ({ text }) => text?.includes('/confirm-email') ?? false), '/confirm-email')
    const phone = service.browser()
    const login = (await phone.get(link)).location ?? assert.fail('asked nobody to sign in')
    assert.doesNotMatch((await phone.get(login.pathname + login.search)).text, /href="\/sign-up/)
    for (const email_verified of [true, false]) {
      const back = await arrive(phone, { ...ANA, email_verified }, login.pathname + login.search)
      assertOwnRedirect(back, '/login')
      assert.match((await phone.get(back.location?.href ?? '')).text, /Use o e-mail que a conta tem hoje/)
    }
    assert.equal((await db.selectFrom('users').select('id').execute()).length, 1)
    const entered = await phone.follow(await phone.signIn(login.pathname + login.search, { email: old.email, password: PASSWORD }))
    assert.match(entered.text, /action="\/confirm-email"/)
    assert.equal((await phone.submit('/confirm-email', { ticket: ticketOf(link) })).status, 200)
    assert.equal((await db.selectFrom('users').select('email').executeTakeFirst())?.email, ANA.email)
  })
})

eachDatabase('A provider that was unlinked', (database) => {
  it('is linked again where its word about the address counts, as the page and the mail have said, and the owner hears of it', async () => {
    const { mailbox, service, arrive, identities } = await begin(database)
    await service.user(ANA.email)
    const browser = service.browser()
    await arrive(browser, ANA)
    const [{ issuer, subject } = assert.fail('nothing was linked')] = await identities()
    assert.match((await browser.get('/account/providers')).text, /entrar por ele vincula a conta de novo/)
    assertOwnRedirect(await browser.submit('/account/providers/unlink', { issuer, subject }), '/account/providers')
    assert.deepEqual(await identities(), [])
    const { text } = await mailbox.find(ANA.email, (mail) => mail.subject === 'Uma forma de entrar saiu da sua conta')
    assert.match(text ?? '', /Se é Provedor que fornece seu endereço de e-mail, entrar por lá vincula de novo/)
    assert.doesNotMatch(text ?? '', /não se entra mais/)
    mailbox.mails.length = 0
    await arrive(service.browser(), ANA)
    assert.equal((await identities()).length, 1)
    await mailbox.find(ANA.email, (mail) => mail.text?.includes('Provedor') === true)
  })
})

const NO_SUBJECTS: readonly unknown[] = [
  'a\u0000b',
  'x'.repeat(256),
  'x'.repeat(300_000),
  '\ud800',
  'a\nb',
  '',
  5,
  true,
  null,
  {},
  ['ana-1'],
]

eachDatabase('A provider that sends what it should not', (database) => {
  it('signs nobody in with a subject that is none, and is no fault of ours', async () => {
    const { service, provider, arrive, identities } = await begin(database)
    for (const sub of NO_SUBJECTS) {
      const about = JSON.stringify(sub).slice(0, 40)
      provider.tamper = (claims) => ({ ...claims, sub: sub as string, email: ANA.email, email_verified: true })
      const browser = service.browser()
      const answer = await arrive(browser, ANA)
      assert.equal(answer.location?.pathname, '/login', `${about}: ${answer.status}`)
      assert.equal(browser.cookies.get('eg_session'), undefined, about)
    }
    assert.deepEqual(await identities(), [])
    provider.tamper = (claims) => ({ ...claims, sub: 'x'.repeat(255), email: ANA.email, email_verified: true })
    assert.equal((await arrive(service.browser(), ANA)).location?.pathname, '/complete-profile')
  })

  it('22: opens nothing at /api/me with an access token whose subject is none', async () => {
    const { service, provider, arrive } = await begin(database)
    await arrive(service.browser(), { ...ANA, subject: '5' })
    const ask = async (sub: unknown) => {
      const exp = Math.floor(Date.now() / 1000) + 600
      const token = await provider.sign({ iss: provider.issuer, aud: AUDIENCE, exp, sub: sub as string })
      return fetch(`${service.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
    }
    assert.equal((await ask('5')).status, 200)
    for (const sub of [...NO_SUBJECTS.filter((one) => JSON.stringify(one).length < 5_000), 'x'.repeat(3_000), ['5'], { toString: '5' }]) {
      const answer = await ask(sub)
      assert.equal(answer.status, 401, `${JSON.stringify(sub).slice(0, 40)}: ${await answer.text()}`)
    }
  })

  it('W3: signs nobody in as whom an address only resembles, whatever is folded to compare it', async () => {
    const { service, provider, arrive, db } = await begin(database)
    const ana = await service.user(ANA.email)
    const likenesses = [
      'ａna@exemplo.com.br',
      'ana@ｅxemplo.com.br',
      'ana＠exemplo.com.br',
      'ana@exemplo。com.br',
      'ana@exem\u00adplo.com.br',
      ' ana@exemplo.com.br',
      'ªna@exemplo.com.br',
    ]
    for (const [n, email] of likenesses.entries()) {
      const browser = service.browser()
      provider.tamper = (claims) => ({ ...claims, email, email_verified: true })
      const answer = await arrive(browser, { ...ANA, subject: `like-${n}` })
      assert.equal(answer.location?.pathname, '/login', JSON.stringify(email))
      assert.ok(!browser.cookies.get('eg_session'), JSON.stringify(email))
    }
    assert.deepEqual(await db.selectFrom('identities').select('subject').where('user_id', '=', ana.id).execute(), [])
    provider.tamper = (claims) => ({ ...claims, email: 'ANA@Exemplo.com.BR', email_verified: true })
    const browser = service.browser()
    assert.equal((await arrive(browser, { ...ANA, subject: 'ana' })).location?.pathname, '/auth/welcome')
  })

  it('signs a user in whose name or picture can’t be used, without them', async () => {
    const { service, provider, arrive, db } = await begin(database)
    const pictures = [
      'javascript:alert(1)',
      'data:image/svg+xml,<svg onload=alert(1)>',
      'http://x.example/a.png',
      '//x.example/a',
      null,
      7,
      {},
    ]
    const names = ['a\u0000b', 'x'.repeat(100_000), '\u2028', '  ', null, 7, { given: 'Ana' }]
    for (const [n, picture] of pictures.entries()) {
      const name = names[n]
      const email = `pessoa${n}@exemplo.com.br`
      provider.tamper = (claims) => ({ ...claims, email, email_verified: true, name, picture })
      const answer = await arrive(service.browser(), { ...ANA, subject: `s-${n}` })
      assert.equal(answer.location?.pathname, '/complete-profile', JSON.stringify({ name, picture }).slice(0, 60))
      const row = await db
        .selectFrom('users')
        .innerJoin('users_company', 'user_id', 'id')
        .select(['name', 'avatar_url'])
        .where('email', '=', email)
        .executeTakeFirst()
      assert.deepEqual({ ...row }, { name: `pessoa${n}`, avatar_url: null })
    }
  })

  it('signs in whom it knows without any address, with no place to ask for one', async () => {
    const { service, provider, arrive } = await begin(database)
    await arrive(service.browser(), ANA)
    provider.tamper = (claims) => ({ ...claims, email: null, email_verified: undefined })
    provider.next = ANA
    assert.equal((await arrive(service.browser(), { subject: ANA.subject })).location?.pathname, '/complete-profile')
    assert.equal((await arrive(service.browser(), { subject: 'other' })).location?.pathname, '/login')
  })

  it('8: puts no markup of its own on the page or into a mail by name or address', async () => {
    const { mailbox, service, arrive } = await begin(database, { authoritativeFor: [] })
    const name = '<img src=x onerror=alert(1)> see https://evil.example'
    const email = "o'hara+<b>@exemplo.com.br"
    assert.equal((await arrive(service.browser(), { subject: 's-1', email, name })).location?.pathname, '/login')
    const browser = service.browser()
    const waiting = await arrive(browser, { subject: 's-2', email: "o'hara&amp@exemplo.com.br", name })
    const page = await browser.get(waiting.location?.href ?? '')
    assertNothingInside(page.text, 'check-mail')
    assert.doesNotMatch(page.text, /<img|evil/)
    const { text, html } = await mailbox.find("o'hara&amp@exemplo.com.br")
    assert.doesNotMatch(`${text}${html}`, /<img|evil/)
  })
})

eachDatabase('A provider that describes itself with lies', (database) => {
  it('7, 30: sends no browser to anything but a web address, and gets no call to where calls are refused', async (context) => {
    const service = await startService(await database.fresh(), { passwords: cheapPasswords })
    let said: Record<string, unknown> = {}
    const calls: string[] = []
    const server = createServer((request, response) => {
      calls.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    context.after(() => server.close().closeAllConnections())
    const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
    const honest = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` }
    const start = async (id: string) => {
      const input = {
        id,
        name: 'Provedor',
        issuer,
        clientId: 'x',
        clientSecret: 'x',
        authoritativeFor: ['*'],
        accessTokenAudience: undefined,
      }
      assert.ok(!('refusal' in (await addProvider(input, { ...service.context, actor: 'operator:test' }))))
      const browser = service.browser()
      const flow = hiddenFlow((await browser.get('/login')).text)
      return { browser, start: await browser.get(`/auth/provider/${id}?flow=${encodeURIComponent(flow)}`) }
    }
    const addresses = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '//evil.example',
      '/login',
      '',
      null,
      7,
      {},
    ]
    for (const [n, authorization_endpoint] of addresses.entries()) {
      said = { ...honest, authorization_endpoint }
      const { start: answer } = await start(`a${n}`)
      assert.equal(answer.location?.pathname, '/login', `${authorization_endpoint}: ${answer.status} ${answer.location}`)
      assert.equal(answer.location?.origin, new URL(service.url).origin)
    }
    for (const [n, lie] of [{ issuer: 'https://evil.example' }, { issuer: [issuer] }, { issuer: null }].entries()) {
      said = { ...honest, ...lie }
      assert.equal((await start(`b${n}`)).start.location?.pathname, '/login', JSON.stringify(lie))
    }
    for (const [n, token_endpoint] of ['http://169.254.169.254/latest', 'ftp://localhost/', 'javascript:0', null].entries()) {
      said = { ...honest, token_endpoint }
      const { browser, start: answer } = await start(`c${n}`)
      const state = answer.location?.searchParams.get('state') ?? assert.fail(`${answer.location}`)
      const back = await browser.get(`/auth/callback?code=x&state=${state}`)
      assert.equal(back.location?.pathname, '/login', `${token_endpoint}: ${back.status}`)
      assertNothingInside((await browser.get(back.location?.href ?? '')).text, String(token_endpoint))
    }
    assert.deepEqual(new Set(calls), new Set(['/.well-known/openid-configuration']))
  })
})
