import assert from 'node:assert/strict'
import { it } from 'node:test'
import { authenticatedScript } from '../../../src/pages/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { cheapPasswords, PASSWORD, startService } from '../../support/service.ts'
import { giveSecondFactor, typeCode } from '../../support/users/authenticator.ts'
import { administrators, OWNER, setUp, setupToken } from '../../support/users/first-owner.ts'
import { assertOwnRedirect, assertPage, assertRefused, isLive, sessionOf, setCookies, signedIn } from '../../support/users/sign-in-steps.ts'

const MINUTES_MS = 60_000
const GONE = 'link invalido ou expirado'
const ANA = 'ana@exemplo.com.br'

eachDatabase('The one-time address of the first start', (database) => {
  const start = async () => startService(await database.fresh(), { passwords: cheapPasswords })

  it('leads to a form that makes the owner, signs in as every way in does, and goes on to the console at once', async () => {
    const service = await start()
    const browser = service.browser()
    const token = await setupToken(service)
    const form = await browser.get(`/setup?token=${token}`)
    assertPage(form, 200)
    for (const field of ['name', 'email', 'password']) assert.match(form.text, new RegExp(`<input [^>]*name="${field}"`))
    assert.match(form.text, /<form method="post" action="\/setup"/)
    const answer = await setUp(browser, token, { ...OWNER, email: ' Dona@Exemplo.com.br' })
    assertOwnRedirect(answer, '/admin')
    assert.deepEqual(Object.keys(setCookies(answer)), ['portaria_flow', 'eg_session', 'portaria', 'portaria_device'])
    assert.ok(await isLive(service, sessionOf(browser)))
    assertPage(await browser.get('/account'), 200)
    const [owner, ...others] = await service.context.storage.db.selectFrom('users').selectAll().execute()
    assert.deepEqual([others, owner?.email, owner?.role, owner?.email_verified_at], [[], OWNER.email, 'owner', service.clock.now])
    const actions = await service.context.storage.db.selectFrom('audit').select(['actor', 'action', 'target', 'ip']).orderBy('id').execute()
    const [made, created, used] = actions.filter(({ action }) => /^(setup_link|user)\./.test(action))
    assert.deepEqual([made?.action, created?.action, used?.action], ['setup_link.create', 'user.create', 'setup_link.use'])
    assert.deepEqual([used?.actor, used?.target, created?.target], ['operator:setup-link', owner?.id, owner?.id])
    assert.match(used?.ip ?? '', /^(127\.0\.0\.1|::1)$/)
  })

  it('says what is wrong with each field, as the sign-up does, and stays good', async () => {
    const service = await start()
    const browser = service.browser()
    const token = await setupToken(service)
    for (const [fields, sentences] of [
      [{ name: ' ', email: 'dona', password: '' }, [/Digite seu nome\./, /Este e-mail não parece certo/, /Escolha uma senha\./]],
      [{ ...OWNER, password: 'curta' }, [/Use pelo menos 8 caracteres/]],
      [{ ...OWNER, password: 'senha123' }, [/fácil de adivinhar/]],
      [{ ...OWNER, password: 'dona flor' }, [/usa seu nome ou e-mail/]],
      [{ ...OWNER, name: 'a'.repeat(101) }, [/Este nome é longo demais/]],
    ] as const) {
      const answer = await setUp(browser, token, fields)
      assertPage(answer, 400)
      for (const sentence of sentences) assert.match(answer.text, sentence)
      assertRefused(await setUp(browser, token, fields, { accept: 'application/json' }), 400, 'campos invalidos')
    }
    assert.deepEqual(await administrators(service), [])
    assertOwnRedirect(await setUp(browser, token), '/admin')
  })

  it('is good for thirty minutes and no longer, and a page then says how to make another', async () => {
    const service = await start()
    const token = await setupToken(service)
    service.clock.now += 30 * MINUTES_MS - 1
    assertPage(await service.browser().get(`/setup?token=${token}`), 200)
    service.clock.now += 1
    const gone = await service.browser().get(`/setup?token=${token}`)
    assertPage(gone, 400)
    assert.match(gone.text, /Este endereço não vale mais/)
    assert.match(gone.text, /npx portaria setup-link/)
    assert.match(gone.text, /href="\/admin\/sign-in"/)
    assertPage(await setUp(service.browser(), token), 400)
    assertRefused(await setUp(service.browser(), token, OWNER, { accept: '*/*' }), 400, GONE)
    assert.deepEqual(await administrators(service), [])
  })

  it('is void once another was made, once it was used, and once anybody has a role', async () => {
    const service = await start()
    const first = await setupToken(service)
    const second = await setupToken(service)
    assertRefused(await setUp(service.browser(), first, OWNER, { accept: '*/*' }), 400, GONE)
    await service.user(ANA, { admin: true })
    assertPage(await service.browser().get(`/setup?token=${second}`), 400)
    assertRefused(await setUp(service.browser(), second, OWNER, { accept: '*/*' }), 400, GONE)
    assert.deepEqual(await administrators(service), [{ email: ANA, role: 'owner' }])
  })

  it('works once: used again, the page says where to sign in', async () => {
    const service = await start()
    const token = await setupToken(service)
    assertOwnRedirect(await setUp(service.browser(), token), '/admin')
    const again = await setUp(service.browser(), token, { ...OWNER, email: 'outra@exemplo.com.br' })
    assertPage(again, 400)
    assert.match(again.text, /Este endereço não vale mais/)
    assert.deepEqual(again.headers.getSetCookie(), [])
    assert.deepEqual(await administrators(service), [{ email: OWNER.email, role: 'owner' }])
  })

  it('gives the role to an account that has the address already, for its password and not otherwise', async () => {
    const service = await start()
    await service.user(ANA, { profile: 'missing' })
    await service.context.storage.db.updateTable('users').set({ email_verified_at: null }).execute()
    const browser = service.browser()
    const token = await setupToken(service)
    const answer = await setUp(browser, token, { ...OWNER, email: 'Ana@exemplo.com.br' })
    assertPage(answer, 401)
    assert.match(answer.text, /Este e-mail já tem conta/)
    assert.match(answer.text, /npx portaria user set ana@exemplo\.com\.br --role owner/)
    assert.doesNotMatch(answer.text, /role="alert"/)
    const fields = { email: ANA, account: 'known' }
    const wrong = await setUp(browser, token, { ...fields, password: 'errada' })
    assertPage(wrong, 401)
    assert.match(wrong.text, /role="alert"[\s\S]*Senha incorreta/)
    assertRefused(await setUp(browser, token, { ...fields, password: 'errada' }, { accept: '*/*' }), 401, 'senha incorreta')
    assert.deepEqual(await administrators(service), [])
    assertOwnRedirect(await setUp(browser, token, { ...fields, password: PASSWORD }), '/admin')
    assert.deepEqual(await administrators(service), [{ email: ANA, role: 'owner' }])
    const [user, ...others] = await service.context.storage.db.selectFrom('users').selectAll().execute()
    assert.deepEqual(others, [])
    assert.deepEqual([user?.email_verified_at, user?.password_hash], [service.clock.now, `cheap:${PASSWORD}`])
  })

  it('asks such an account for its second factor before it signs in', async () => {
    const service = await start()
    const ana = await service.user(ANA)
    const app = await giveSecondFactor(service, ana)
    const browser = service.browser()
    const first = await setUp(browser, await setupToken(service), { email: ANA, account: 'known', password: PASSWORD })
    assertOwnRedirect(first, '/second-factor')
    assert.equal(browser.cookies.get('eg_session'), undefined)
    assertOwnRedirect(await typeCode(browser, first, app.code()), '/admin')
  })
})

eachDatabase('Signing in to the console', (database) => {
  const start = async () => {
    const service = await startService(await database.fresh(), { passwords: cheapPasswords })
    await service.user(ANA, { admin: true, profile: 'missing' })
    return service
  }

  it('is the sign-in of everyone, ends at /admin, and asks an operator for no tax id', async () => {
    const service = await start()
    for (const browser of [service.browser(), await signedIn(service, ANA)]) {
      const form = await browser.get(assertOwnRedirect(await browser.get('/admin/sign-in'), '/login'))
      assertPage(form, 200)
      const answer = await browser.submit('/login', { flow: hiddenFlow(form.text), email: ANA, password: PASSWORD })
      assertOwnRedirect(answer, '/admin')
      assert.ok(await isLive(service, sessionOf(browser)))
    }
  })

  it('can be repeated in a window of its own, in the same session, which ends at a page that notifies the console', async () => {
    const service = await start()
    const browser = await signedIn(service, ANA)
    service.clock.now += 10 * MINUTES_MS
    assertOwnRedirect(await browser.get('/admin/authenticated'), '/admin/authenticate')
    const form = await browser.get(assertOwnRedirect(await browser.get('/admin/authenticate'), '/login'))
    assert.match(form.text, /Confirme que é você/)
    assert.match(form.text, new RegExp(`value="${ANA}"`))
    const answer = await browser.submit('/login', { flow: hiddenFlow(form.text), email: ANA, password: PASSWORD })
    const page = await browser.get(assertOwnRedirect(answer, '/admin/authenticated'))
    assertPage(page, 200)
    assert.match(page.text, new RegExp(`<script src="${authenticatedScript.path}" defer></script>`))
    const script = await browser.get(authenticatedScript.path)
    assert.deepEqual([script.status, script.headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'])
    assert.match(script.text, /new BroadcastChannel\('portaria-admin'\)[\s\S]*postMessage\('authenticated'\)/)
    assert.equal((await service.context.storage.db.selectFrom('sessions').select('id').execute()).length, 1)
  })

  it('says “proven” to nobody else: without a session, with a wrong password, or before the second factor', async () => {
    const service = await start()
    const stranger = service.browser()
    assertOwnRedirect(await stranger.get('/admin/authenticated'), '/admin/authenticate')
    const form = await stranger.get(assertOwnRedirect(await stranger.get('/admin/authenticate'), '/login'))
    assertPage(await stranger.submit('/login', { flow: hiddenFlow(form.text), email: ANA, password: 'errada' }), 401)
    assertOwnRedirect(await stranger.get('/admin/authenticated'), '/admin/authenticate')
    const { id } = await service.context.storage.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const app = await giveSecondFactor(service, { id, email: ANA })
    const first = await stranger.submit('/login', { flow: hiddenFlow(form.text), email: ANA, password: PASSWORD })
    assertOwnRedirect(first, '/second-factor')
    assertOwnRedirect(await stranger.get('/admin/authenticated'), '/admin/authenticate')
    assertOwnRedirect(await typeCode(stranger, first, app.code()), '/admin/authenticated')
    assertPage(await stranger.get('/admin/authenticated'), 200)
  })
})
