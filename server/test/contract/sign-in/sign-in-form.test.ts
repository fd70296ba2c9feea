import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { it } from 'node:test'
import { disableUser, findUser } from '../../../src/admin/index.ts'
import { createPasswordHasher } from '../../../src/users/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase, oneDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import {
  assertOwnRedirect,
  assertPage,
  assertRefused,
  decode,
  INTERNAL,
  isLive,
  loginAddress,
  sessionOf,
  setCookies,
  signedIn,
} from '../../support/users/sign-in-steps.ts'

const JSON_PLEASE = { accept: 'application/json' }

/** A browser with a login form open, and the form's flow. */
async function openForm(service: TestService, path = '/login') {
  const browser = service.browser()
  return { browser, flow: hiddenFlow((await browser.get(path)).text) }
}

eachDatabase('A sign-in by form', (database) => {
  const started = startForSuite(database)

  it('makes the profile row of users_company at the sign-in when it is missing', async () => {
    const service = started()
    const user = await service.user('semperfil@exemplo.com.br')
    const { db } = service.context.storage
    await db.deleteFrom('users_company').where('user_id', '=', user.id).execute()
    const browser = await signedIn(service, user.email)
    const rows = await db.selectFrom('users_company').select('user_id').where('user_id', '=', user.id).execute()
    assert.deepEqual(
      rows.map(({ user_id }) => user_id),
      [user.id],
    )
    assert.ok(await isLive(service, sessionOf(browser)))
  })
})

oneDatabase('The sign-in form', (database) => {
  const started = startForSuite(database, { passwords: createPasswordHasher() })

  it('is its own page at /login, for a sign-in to Portaria itself', async () => {
    const page = await started().browser().get('/login')
    assertPage(page, 200)
    assert.ok(hiddenFlow(page.text))
  })

  it('names the product of each sign-in, in the language of whoever asks, with a flow of their own', async () => {
    const service = started()
    for (const slug of ['livraria', 'escola']) await service.product({ slug, name: slug, uris: [`https://${slug}.exemplo.com.br/entrar`] })
    const flows = new Set<string>()
    for (const slug of ['livraria', 'escola', 'livraria'])
      for (const [language, sentence] of Object.entries({ en: 'Sign in to', 'pt-BR': 'Entrar em', es: 'Entrar en' })) {
        const browser = service.browser({ 'accept-language': language })
        const target = loginAddress({ redirect_uri: `https://${slug}.exemplo.com.br/entrar`, state: 'x' })
        const { text } = await browser.follow(await browser.get(target))
        assert.match(text, new RegExp(`<h1>${sentence}.*${slug}</h1>`))
        flows.add(hiddenFlow(text))
      }
    assert.equal(flows.size, 9)
  })

  it('sends whoever is signed in from /login to the account', async () => {
    const service = started()
    const user = await service.user('jaesta@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    assertOwnRedirect(await browser.get('/login'), '/account')
    const account = await browser.get('/account')
    assertPage(account, 200)
    assert.match(account.text, /jaesta@exemplo\.com\.br/)
  })

  it('answers the right password with 302 to the splash and sets session, bound and device cookie with these attributes', async () => {
    const service = started()
    const user = await service.user('certa@exemplo.com.br')
    const { browser, flow } = await openForm(service)
    const answer = await browser.submit('/login', { flow, email: user.email, password: PASSWORD })
    assertOwnRedirect(answer, '/auth/welcome')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const cookies = setCookies(answer)
    assert.deepEqual(Object.keys(cookies).sort(), ['eg_session', 'portaria', 'portaria_device'])
    assert.match(cookies.eg_session ?? '', /^eg_session=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    assert.match(cookies.portaria ?? '', /^portaria=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    assert.match(
      cookies.portaria_device ?? '',
      /^portaria_device=[0-9a-z]+~[\w-]+\.[\w-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    )
  })

  it('carries a session of its own making, whatever cookies were planted before', async () => {
    const service = started()
    const user = await service.user('plantada@exemplo.com.br')
    const planted = await signedIn(service, (await service.user('outra@exemplo.com.br')).email)
    const before = sessionOf(planted)
    await service.product({ slug: 'plantada', uris: [INTERNAL] })
    await planted.signIn(loginAddress({ redirect_to: INTERNAL, prompt: 'login' }), { email: user.email, password: PASSWORD })
    assert.equal(decode(sessionOf(planted)).claims.sub, user.id)
    assert.equal(await isLive(service, before), false, "the other user's session of this browser has ended")
  })

  it("keeps the session of the same user's second sign-in in the browser", async () => {
    const service = started()
    const user = await service.user('duasvezes@exemplo.com.br')
    await service.product({ slug: 'duasvezes', uris: ['http://localhost:4009/duasvezes'] })
    const browser = await signedIn(service, user.email)
    const first = decode(sessionOf(browser)).claims.sid
    const again = { redirect_to: 'http://localhost:4009/duasvezes', prompt: 'login' }
    assert.equal((await browser.signIn(loginAddress(again), { email: user.email, password: PASSWORD })).status, 302)
    assert.equal(decode(sessionOf(browser)).claims.sid, first)
  })

  it('ends the session of an eg_session cookie that has lost its bound cookie, at the next sign-in in that browser', async () => {
    const service = started()
    const user = await service.user('desatada@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const lost = sessionOf(browser)
    browser.cookies.delete('portaria')
    await browser.signIn('/login', { email: user.email, password: PASSWORD })
    assert.notEqual(decode(sessionOf(browser)).claims.sid, decode(lost).claims.sid)
    assert.equal(await isLive(service, lost), false)
    assert.equal(await isLive(service, sessionOf(browser)), true)
  })

  it('takes an address in any case, with spaces and full-width letters', async () => {
    const service = started()
    await service.user('forma@exemplo.com.br')
    for (const email of [' Forma@EXEMPLO.com.br ', 'ｆｏｒｍａ@exemplo.com.br']) {
      const { browser, flow } = await openForm(service)
      assertOwnRedirect(await browser.submit('/login', { flow, email, password: PASSWORD }), '/auth/welcome')
    }
  })

  it('answers a wrong password, an unknown account and a disabled one alike: 401 and the form again', async () => {
    const service = started()
    await service.user('errada@exemplo.com.br')
    const disabled = await findUser(service.context.storage.db, (await service.user('desativada@exemplo.com.br')).id)
    assert.ok(disabled)
    await disableUser(disabled, undefined, { ...service.context, actor: 'operator:test' })
    const bodies = new Set<string>()
    for (const email of ['errada@exemplo.com.br', 'ninguem@exemplo.com.br', 'desativada@exemplo.com.br', 'nem um endereco']) {
      const { browser, flow } = await openForm(service)
      const password = email.startsWith('desativada') ? PASSWORD : 'wrong password'
      const page = await browser.submit('/login', { flow, email, password })
      assertPage(page, 401)
      assert.deepEqual(setCookies(page), {})
      assert.match(page.text, /role="alert"/)
      assert.match(page.text, new RegExp(`name="email" type="email" value="${email}"`))
      assert.doesNotMatch(page.text, /wrong password/)
      bodies.add(
        page.text
          .replaceAll(email, '')
          .replace(/name="flow" value="[^"]+"/g, '')
          .replace(/flow(?:=|&#61;)[^"&]+/g, ''),
      )
    }
    assert.equal(bodies.size, 1, 'the pages differ')
  })

  it('answers {error: "credenciais invalidas"} with 401 to who asks for JSON', async () => {
    const service = started()
    const { browser, flow } = await openForm(service)
    assertRefused(
      await browser.submit('/login', { flow, email: 'x@exemplo.com.br', password: 'wrong password' }, JSON_PLEASE),
      401,
      'credenciais invalidas',
    )
  })

  it('answers an empty field with 400 and the form, a message beside each field', async () => {
    const service = started()
    const { browser, flow } = await openForm(service)
    const page = await browser.submit('/login', { flow, email: ' ', password: '' })
    assertPage(page, 400)
    assert.match(page.text, /id="email-error"/)
    assert.match(page.text, /id="password-error"/)
    assertRefused(await browser.submit('/login', { flow, email: '', password: '' }, JSON_PLEASE), 400, 'email ou senha ausente')
  })

  it('refuses a password over 1,024 bytes like a wrong one', async () => {
    const service = started()
    await service.user('longa@exemplo.com.br')
    const { browser, flow } = await openForm(service)
    const answer = await browser.submit('/login', { flow, email: 'longa@exemplo.com.br', password: 'x'.repeat(1_025) }, JSON_PLEASE)
    assertRefused(answer, 401, 'credenciais invalidas')
  })

  it('refuses a form that another site sent, with 403, whatever else is right', async () => {
    const service = started()
    const user = await service.user('forjada@exemplo.com.br')
    const { browser, flow } = await openForm(service)
    const fields = { flow, email: user.email, password: PASSWORD }
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${service.url}.evil.example` },
      { origin: service.url.replace('http:', 'https:') },
    ]) {
      const answer = await browser.submit('/login', fields, { ...headers, ...JSON_PLEASE, 'sec-fetch-site': 'same-origin' })
      assertRefused(answer, 403, 'origem nao permitida')
      assert.deepEqual(setCookies(answer), {})
    }
    assertPage(await browser.submit('/login', fields, { origin: 'https://evil.example' }), 403)
  })

  it('goes by Sec-Fetch-Site where no Origin came, and by flow cookie and hidden flow where neither did', async () => {
    const service = started()
    const user = await service.user('semorigem@exemplo.com.br')
    const { browser, flow } = await openForm(service)
    const send = (headers: Record<string, string>, cookies = browser) =>
      cookies.request('POST', '/login', {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...JSON_PLEASE, ...headers },
        body: new URLSearchParams({ flow, email: user.email, password: PASSWORD }).toString(),
      })
    for (const site of ['cross-site', 'same-site', 'none'])
      assertRefused(await send({ 'sec-fetch-site': site }), 403, 'origem nao permitida')
    assertRefused(await send({}, service.browser()), 400, 'fluxo invalido ou expirado')
    assertOwnRedirect(await send({ 'sec-fetch-site': 'same-origin' }), '/auth/welcome')
    assertOwnRedirect(await send({}), '/auth/welcome')
  })

  it('answers 503 and the form again while 64 others wait for their password to be checked', async () => {
    const service = started()
    const user = await service.user('fila@exemplo.com.br')
    const { browser, flow } = await openForm(service)
    let over = false
    const wait = async () => {
      while (!over) if ((await service.context.passwords.hash('someone else')) === 'busy') await new Promise(setImmediate)
    }
    const waiters = Array.from({ length: availableParallelism() + 66 }, wait)
    const answer = await browser.submit('/login', { flow, email: user.email, password: PASSWORD }, JSON_PLEASE)
    const page = await browser.submit('/login', { flow, email: user.email, password: PASSWORD })
    over = true
    await Promise.all(waiters)
    assertRefused(answer, 503, 'muitas entradas ao mesmo tempo, tente novamente')
    assertPage(page, 503)
    assert.deepEqual(
      [answer, page].map(({ headers }) => headers.get('retry-after')),
      ['2', '2'],
    )
    assertOwnRedirect(await browser.submit('/login', { flow, email: user.email, password: PASSWORD }), '/auth/welcome')
  })

  it('marks its cookies Secure and __Host- on https, and gives eg_session to the whole cookie domain', async () => {
    const environment = { PORTARIA_URL: 'https://sso.exemplo.com.br', PORTARIA_COOKIE_DOMAIN: 'exemplo.com.br' }
    const service = await startService(await database.fresh(), { environment })
    const user = await service.user('segura@exemplo.com.br')
    await service.product({ slug: 'app', uris: ['https://app.exemplo.com.br/callback'] })
    const { browser, flow } = await openForm(service)
    const page = setCookies(await browser.get('/login'))
    assert.match(
      page['__Host-portaria_flow'] ?? '',
      /^__Host-portaria_flow=[\w-]+\.[\w-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    )
    const cookies = setCookies(await browser.submit('/login', { flow, email: user.email, password: PASSWORD }))
    assert.match(
      cookies.eg_session ?? '',
      /^eg_session=\S+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Domain=exemplo\.com\.br; Secure$/,
    )
    assert.match(cookies['__Host-portaria'] ?? '', /^__Host-portaria=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/)
    assert.match(cookies['__Host-portaria_device'] ?? '', /; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/)
    const variant2 = setCookies(
      await service.browser().get(loginAddress({ redirect_uri: 'https://app.exemplo.com.br/callback', state: 's' })),
    )
    assert.equal(variant2.pending_state, 'pending_state=s; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure')
  })
})
