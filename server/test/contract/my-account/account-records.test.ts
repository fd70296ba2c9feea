import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newId } from '../../../src/kit/index.ts'
import { currentNda, userStore } from '../../../src/users/index.ts'
import type { Browser } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { linkIn, startMailbox } from '../../support/mailbox.ts'
import { countQueries, fewestQueries } from '../../support/routes/asked-queries.ts'
import { cheapPasswords, PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { ticketOf } from '../../support/users/mailed-service.ts'
import {
  assertOwnRedirect,
  assertPage,
  assertRefused,
  decode,
  EXTERNAL,
  enter,
  isLive,
  loginAddress,
  parameter,
  pass,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'

eachDatabase('What a user reads and decides on their own page', (database) => {
  const start = startForSuite(database, { environment: WEBHOOKS })
  let users = 0
  const address = () => `pagina${++users}.${database.name}@exemplo.com.br`
  const someone = (service: TestService, options: { beta?: boolean } = {}) => service.user(address(), options)
  let shop: ReturnType<TestService['product']> | undefined
  /** An external product, the same for all tests. */
  const external = (service: TestService) => {
    shop ??= service.product({ slug: 'loja', name: 'Loja <b>Aurora</b>', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
    return shop
  }
  async function entered(service: TestService, email: string) {
    const { product, apiKey } = await external(service)
    const login = { redirect_to: EXTERNAL, api_key: product.publishableKey }
    const browser = service.browser()
    const handoff = parameter(await enter(browser, email, login), 'eg_token')
    return { browser, product, apiKey, handoff, login }
  }

  it('shows on the first page who is signed in, with a tax id only masked, and leads to every other', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const sealed = service.context.sealer.seal('52998224725', `users_company.tax_id_sealed.${id}`)
    const company = { tax_id_sealed: sealed, phone: '+5511912345678', company_name: 'Ana & Filhos' }
    await service.context.storage.db.updateTable('users_company').set(company).where('user_id', '=', id).execute()
    const browser = await signedIn(service, email)
    const page = await browser.get('/account')
    assertPage(page, 200)
    for (const text of [email, '+55 11 91234-5678', 'Ana &#38; Filhos']) assert.ok(page.text.includes(text), text)
    assert.doesNotMatch(page.text, /529\.?982\.?247/)
    assert.equal(await fewestQueries(service, () => browser.get('/account'), /^(?!.*outbox)/s), 5)
    for (const name of [
      'profile',
      'tax-id',
      'password',
      'email',
      'second-factor',
      'passkeys',
      'providers',
      'sessions',
      'purchases',
      'consents',
      'language',
      'data',
      'delete',
    ]) {
      assert.ok(page.text.includes(`href="/account/${name}"`), name)
      const answer = await browser.get(`/account/${name}`)
      assert.equal(answer.status, 200, name)
      assertOwnRedirect(await service.browser().get(`/account/${name}`), '/login')
    }
  })

  it('shows an internal app that never sends its users here, once it has checked a session with its key, by one statement', async () => {
    const service = start()
    const { email } = await someone(service)
    const n = ++users
    const uri = `https://mural-${n}.${database.name}.example/auth/callback`
    const { apiKey } = await service.product({ slug: `mural-${n}`, name: `Mural ${n}`, uris: [uri] })
    const browser = await signedIn(service, email)
    const shows = async () => (await browser.get('/account')).text.includes(`Mural ${n}`)
    const isNoted = countQueries(service, /^insert into "opened_apps"/)
    const cookie = `eg_session=${sessionOf(browser)}`
    for (let i = 0; i < 3; i++) assert.equal((await service.browser().request('GET', '/auth/check', { headers: { cookie } })).status, 200)
    assert.equal(await shows(), false, 'without a key nobody knows which app checks')
    for (let i = 0; i < 5; i++) {
      const headers = { cookie, authorization: `Bearer ${apiKey}` }
      assert.equal(
        (await service.browser().request('GET', '/auth/check', { headers })).json<{ authenticated: boolean }>().authenticated,
        true,
      )
    }
    await until(shows)
    assert.equal(isNoted(), 1)
    const other = await service.browser().request('GET', '/auth/check', {
      headers: { cookie: 'eg_session=none', authorization: `Bearer ${apiKey}` },
    })
    assert.equal(other.json<{ authenticated: boolean }>().authenticated, false)
    assert.equal(isNoted(), 1)
  })

  it('shows the apps that the user opened, shares with or has bought, with the links where they begin, and nobody else’s', async () => {
    const service = start()
    const { email } = await someone(service)
    const n = ++users
    const uris = (at: string) => [`https://${at}-${n}.${database.name}.example/auth/callback`]
    const internal = uris('painel')
    await service.product({ slug: `painel-${n}`, name: `Painel ${n}`, uris: internal, trusted: internal })
    await service.product({ slug: `alheio-${n}`, name: `Alheio ${n}`, uris: uris('alheio') })
    const sold = await service.product({
      slug: `curso-${n}`,
      name: `Curso ${n}`,
      audience: 'external',
      checkout: 'external',
      uris: uris('curso'),
    })
    const { browser } = await entered(service, email)
    await pass(browser, { redirect_to: internal[0] ?? '' })
    const tiles = async (who: Browser) => {
      const { text } = await who.get('/account?lang=en')
      const list = /<ul class="apps">.*?<\/ul>/s.exec(text)?.[0] ?? ''
      return [...list.matchAll(/<li>(?:<a href="([^"]*)">|<div>).*?<span>([^<]*)<\/span>/gs)].map(([, href, name]) => [name, href])
    }
    const opened = [
      ['Loja &#60;b&#62;Aurora&#60;/b&#62;', 'http://127.0.0.1:4002/'],
      [`Painel ${n}`, `https://painel-${n}.${database.name}.example/`],
    ]
    assert.deepEqual(await tiles(browser), opened)
    const { id } = (await userStore(service.context.storage.db).findByEmail(email)) ?? assert.fail()
    const { db } = service.context.storage
    const stream = { id: newId(), source: 'purchase', ref: newId(), product_id: sold.product.id, buyer_forgotten_at: null, created_at: 1 }
    await db.insertInto('event_streams').values(stream).execute()
    const owner = {
      email,
      email_hash: null,
      user_id: id,
      product_user: null,
      link_closed_at: null,
      product_id: sold.product.id,
      plan_id: null,
    }
    const state = { state: 'active', period_end: null, grace_from: null, access_until: service.clock.now + 1_000, method: 'pix' }
    const at = { changed_at: 1, created_at: 1 }
    await db
      .insertInto('subscriptions')
      .values({ id: newId(), stream_id: stream.id, number: 0, ...owner, ...state, ...at })
      .execute()
    assert.deepEqual(
      (await tiles(browser)).map(([name]) => name),
      [`Curso ${n}`, ...opened.map(([name]) => name)],
    )
    service.clock.now += 1_000
    assert.deepEqual(await tiles(browser), opened)
    assert.deepEqual(await tiles(await signedIn(service, (await someone(service)).email)), [])
  })

  it('says how each setting stands', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const browser = await signedIn(service, email)
    const states = async () => {
      const { text } = await browser.get('/account?lang=en')
      return Object.fromEntries(
        [...text.matchAll(/<span>([^<]+?)(?: <span class="state">([^<]*)<\/span>)?<\/span><\/a>/g)].map(([, label, state]) => [
          label,
          state,
        ]),
      )
    }
    const first = await states()
    assert.deepEqual(
      [
        'Change password',
        'Two-step verification',
        'Passkeys',
        'Other accounts to sign in with',
        'Where you are signed in',
        'What you agreed to',
      ].map((label) => first[label]),
      ['Set', 'Off', 'None', 'None', '1 browser', 'No app'],
    )
    assert.equal((await browser.submit('/account/password', { password: 'girassol azul no telhado' })).status, 200)
    assert.equal((await states())['Change password'], 'Changed today')
    const { db } = service.context.storage
    await db
      .updateTable('users')
      .set({ password_changed_at: service.clock.now - 100 * 86_400_000 })
      .where('id', '=', id)
      .execute()
    assert.equal((await states())['Change password'], 'Changed 3 months ago')
  })

  it('shows what was bought with its plan, standing and time, guest purchases as such, and nothing of others', async () => {
    const service = start()
    const email = address()
    assert.equal((await notify(service.url, completed({ email, plan: 'easy-pro' }))).status, 200)
    service.clock.now += 1_000
    const { id } = await service.user(email)
    await notify(service.url, completed({ email: address(), plan: 'easy-enterprise' }))
    await notify(service.url, completed({ email, plan: 'easy-standard' }))
    const browser = await signedIn(service, email)
    const { text } = await browser.get('/account/purchases?lang=en')
    assert.match(text, /Easy Pro/)
    assert.match(text, /Easy Standard/)
    assert.doesNotMatch(text, /Easy Enterprise/)
    assert.equal(text.match(/Bought before this account existed/g)?.length, 1)
    assert.match(text, /R\$\s?99\.00/)
    const until = Date.UTC(2027, 0, 15, 15)
    const late = { state: 'past_due', period_end: service.clock.now - 1_000, grace_from: service.clock.now - 1_000, access_until: until }
    await service.context.storage.db.updateTable('subscriptions').set(late).where('user_id', '=', id).execute()
    const overdue = (await browser.get('/account/purchases')).text
    assert.match(overdue, /Payment overdue; access continues for a few days/)
    assert.match(overdue, /Access until<\/dt><dd><time datetime="2027-01-15T15:00:00.000Z">/)
    assert.equal(await fewestQueries(service, () => browser.get('/account/purchases'), /^(?!.*outbox)/s), 2)
  })

  it('pages what was bought', async () => {
    const service = start()
    const { email } = await someone(service)
    for (let n = 0; n < 12; n++) await notify(service.url, completed({ email, plan: 'easy-pro' }))
    const browser = await signedIn(service, email)
    const first = await browser.get('/account/purchases')
    const cursor = /purchases\?cursor(?:=|&#61;)([0-9a-f-]+)/.exec(first.text)?.[1]
    const second = await browser.get(`/account/purchases?cursor=${cursor}`)
    assert.deepEqual(
      [first, second].map(({ text }) => text.match(/class="entry"/g)?.length),
      [10, 2],
    )
  })

  it('shows the NDA as it was accepted: version, text, when, and from where', async () => {
    const service = start()
    const { id, email } = await someone(service, { beta: true })
    const at = Date.UTC(2026, 10, 20, 12)
    const nda = {
      nda_accepted_at: at,
      nda_ip: '203.0.113.5',
      nda_user_agent: 'x',
      nda_version: currentNda.version,
      nda_text_hash: currentNda.textHash,
    }
    const put = (change: object) =>
      service.context.storage.db
        .updateTable('beta_users')
        .set({ ...nda, ...change })
        .where('user_id', '=', id)
        .execute()
    await put({})
    const browser = await signedIn(service, email)
    const { text } = await browser.get('/account/consents')
    for (const said of [currentNda.version, '203.0.113.5', new Date(at).toISOString(), 'manter em sigilo o que vir'])
      assert.ok(text.includes(said), said)
    await put({ nda_version: '2025-01', nda_text_hash: 'a'.repeat(64) })
    const older = (await browser.get('/account/consents')).text
    assert.ok(older.includes('2025-01'))
    assert.ok(!older.includes('manter em sigilo o que vir'), 'a text that was not the one accepted')
  })

  it('takes a sharing back: the product is signed out within 2 s, the next visit asks again, and other products and users keep theirs', async () => {
    const service = start()
    const { email } = await someone(service)
    const bia = await entered(service, (await someone(service)).email)
    const biaSession = (await verify(service, bia.handoff, bia.apiKey)).json<{ eg_session: string }>().eg_session
    const { browser, product, apiKey, handoff, login } = await entered(service, email)
    const session = (await verify(service, handoff, apiKey)).json<{ eg_session: string }>().eg_session
    assert.ok(await isLive(service, session, apiKey))
    const page = await browser.get('/account/consents')
    assert.ok(page.text.includes('Loja &#60;b&#62;Aurora&#60;/b&#62;') && page.text.includes(product.id))
    assertOwnRedirect(await browser.submit('/account/consents/withdraw', { product: product.id }), '/account/consents')
    assert.equal(await isLive(service, session, apiKey), false)
    assert.ok(await isLive(service, biaSession, apiKey))
    assert.ok(await isLive(service, sessionOf(browser)), 'the session of the domain goes on')
    assert.ok(!(await browser.get('/account/consents')).text.includes(product.id))
    const asked = await browser.get((await browser.get((await browser.get(loginAddress(login))).location?.href ?? '')).location?.href ?? '')
    assert.match(asked.text, /class="facts"/, 'the splash says again what the product receives')
    assert.ok(parameter(await pass(browser, login), 'eg_token'))
    assertOwnRedirect(await browser.submit('/account/consents/withdraw', { product: product.id }), '/account/consents')
  })

  it('voids a handoff that was under way when the sharing was taken back', async () => {
    const service = start()
    const { browser, product, apiKey, handoff } = await entered(service, (await someone(service)).email)
    await browser.submit('/account/consents/withdraw', { product: product.id })
    assertRefused(await verify(service, handoff, apiKey), 401, 'invalid_token')
  })

  it('speaks the language that was chosen, on pages and in mails, and no other word than ours', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const browser = await signedIn(service, email)
    const saved = await browser.submit('/account/language', { language: 'es' })
    const page = await browser.get(assertOwnRedirect(saved, '/account/language'))
    assert.match(page.text, /<html lang="es">/)
    assert.match((await browser.get('/account')).text, /<html lang="es">/)
    const row = await service.context.storage.db.selectFrom('users').select('language').where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(row.language, 'es')
    const wrong = await browser.submit('/account/language', { language: 'xx"><b>' })
    assertPage(wrong, 400)
    assert.doesNotMatch(wrong.text, /xx"><b>/)
  })

  it('unlinks a provider after a recent authentication, but never the last way in', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const { db } = service.context.storage
    const issuer = 'https://login.example.com'
    const tie = (subject: string) =>
      db.insertInto('identities').values({ issuer, subject, user_id: id, email: null, created_at: 1 }).execute()
    const left = async () => (await db.selectFrom('identities').select('subject').where('user_id', '=', id).execute()).length
    await tie(`a-${id}`)
    const other = await someone(service)
    const browser = await signedIn(service, email)
    const foreign = await signedIn(service, other.email)
    await foreign.submit('/account/providers/unlink', { issuer, subject: `a-${id}` })
    assert.equal(await left(), 1)
    service.clock.now += 10 * 60_000
    const stale = await browser.submit('/account/providers/unlink', { issuer, subject: `a-${id}` })
    assertOwnRedirect(stale, '/login')
    assert.equal(await left(), 1)
    await browser.signIn(stale.location?.href ?? '', { email, password: PASSWORD })
    assert.match((await browser.get('/account/providers')).text, /login\.example\.com/)
    await db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    assert.equal((await browser.submit('/account/providers/unlink', { issuer, subject: `a-${id}` })).status, 400)
    assert.equal(await left(), 1)
    await db.updateTable('users').set({ password_hash: 'cheap:x' }).where('id', '=', id).execute()
    const sentMails = async () =>
      (await db.selectFrom('sent_mails').select('kind').where('user_id', '=', id).execute()).map(({ kind }) => kind)
    assert.ok(!(await sentMails()).includes('identity_unlinked'), 'who unlinked nothing gets no mail')
    assertOwnRedirect(await browser.submit('/account/providers/unlink', { issuer, subject: `a-${id}` }), '/account/providers')
    assert.equal(await left(), 0)
    assertOwnRedirect(await browser.submit('/account/providers/unlink', { issuer, subject: `a-${id}` }), '/account/providers')
    assert.equal((await sentMails()).filter((kind) => kind === 'identity_unlinked').length, 1)
  })

  it('ends what a provider began once it is unlinked, products too: but neither this browser nor what began otherwise', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const { db } = service.context.storage
    const issuer = 'https://login.example.com'
    await db.insertInto('identities').values({ issuer, subject: id, user_id: id, email: null, created_at: 1 }).execute()
    const sidOf = (browser: Browser) => String(decode(sessionOf(browser)).claims.sid)
    /** As if it had begun by another method; null in sessions of before. */
    const beganBy = async (browser: Browser, sign_in_method: 'provider' | 'passkey' | null) => {
      await db.updateTable('sessions').set({ sign_in_method }).where('id', '=', sidOf(browser)).execute()
      return browser
    }
    const thief = await entered(service, email)
    await beganBy(thief.browser, 'provider')
    const outside = (await verify(service, thief.handoff, thief.apiKey)).json<{ eg_session: string }>().eg_session
    const old = await beganBy(await signedIn(service, email), null)
    const here = await beganBy(await signedIn(service, email), 'provider')
    const others = [here, await signedIn(service, email), await beganBy(await signedIn(service, email), 'passkey')]
    const other = await someone(service)
    const stranger = await beganBy(await signedIn(service, other.email), 'provider')
    const impersonation = sidOf(await beganBy(await signedIn(service, email), null))
    await db.updateTable('sessions').set({ impersonator_id: other.id }).where('id', '=', impersonation).execute()
    const before = (await here.get('/account/providers')).text
    // Nothing is unlinked here, so nothing ends.
    await here.submit('/account/providers/unlink', { issuer, subject: 'another' })
    assert.ok(await isLive(service, sessionOf(thief.browser)))
    assertOwnRedirect(await here.submit('/account/providers/unlink', { issuer, subject: id }), '/account/providers')
    for (const browser of [thief.browser, old]) assert.equal(await isLive(service, sessionOf(browser)), false)
    assert.equal(await isLive(service, outside, thief.apiKey), false)
    for (const browser of [...others, stranger]) assert.ok(await isLive(service, sessionOf(browser)))
    const ended = await db
      .selectFrom('sessions')
      .select('ended_reason')
      .where('user_id', '=', id)
      .where('ended_at', 'is not', null)
      .execute()
    assert.deepEqual(
      ended.map(({ ended_reason }) => ended_reason),
      Array(3).fill('ended_by_owner'),
    )
    assert.match(before, /saem os outros navegadores/)
  })

  it('tells who unties a provider by mail, in their language, by the provider’s name, with a way to object', async () => {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), {
      environment: { PORTARIA_SMTP_URL: mailbox.url },
      passwords: cheapPasswords,
    })
    const issuer = 'https://login.example.com'
    const { db } = service.context.storage
    const named = { id: 'alfa', name: 'Alfa Contas', issuer, client_id: 'x', client_secret_sealed: 'x', authoritative_for: '' }
    await db
      .insertInto('identity_providers')
      .values({ ...named, access_token_audience: null, kind: null, created_at: 1, updated_at: 1 })
      .execute()
    const subjects = {
      'pt-BR': 'Uma forma de entrar saiu da sua conta',
      en: 'A sign-in method was removed',
      es: 'Una forma de entrar salió de tu cuenta',
    }
    for (const [language, subject] of Object.entries(subjects)) {
      const { id, email } = await someone(service)
      await db.insertInto('identities').values({ issuer, subject: id, user_id: id, email: null, created_at: 1 }).execute()
      const browser = await signedIn(service, email)
      await browser.submit('/account/language', { language })
      assertOwnRedirect(await browser.submit('/account/providers/unlink', { issuer, subject: id }), '/account/providers')
      const mail = await mailbox.find(email, (one) => one.subject === subject)
      assert.match(mail.text ?? '', /Alfa Contas/)
      assert.match(
        (mail.text ?? '').replace(/\s+/g, ' '),
        /os navegadores que entraram|the browsers that signed in|los navegadores que entraron/,
      )
      const ticket = ticketOf(linkIn(mail, '/report-sign-in'))
      assertPage(await service.browser().submit('/report-sign-in', { ticket }), 200)
      assert.equal(await isLive(service, sessionOf(browser)), false)
    }
  })
})
