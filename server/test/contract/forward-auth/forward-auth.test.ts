import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findUser, setUser } from '../../../src/admin/index.ts'
import { changeProduct } from '../../../src/products/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { countQueries } from '../../support/routes/asked-queries.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { ask, BEHIND_PROXY, forward, forwarded, identity, NAVIGATION } from '../../support/users/forwarded.ts'
import { impersonateUser } from '../../support/users/impersonation.ts'
import { assertRefused, signedIn } from '../../support/users/sign-in-steps.ts'

/** Less than a day, after which a node forgets everything. */
const HOUR_MS = 3_600_000
const start = (page: string) => `https://sso.example.com/auth/forward/start?${new URLSearchParams({ redirect_to: page })}`

/** Something that happened to one plan of a user. */
function record(service: TestService, email: string, plan: string, more: Partial<Parameters<typeof bring>[1]> = {}): Promise<unknown> {
  return bring(service, { ref: `${email} ${plan}`, email, plan, kind: 'paid', at: service.clock.now, ...more })
}

oneDatabase('GET /auth/forward', (database) => {
  const started = startForSuite(database, { environment: BEHIND_PROXY })

  it('lets a signed-in user pass, and says who it is in headers, without a body or a cookie, never cached', async () => {
    const service = started()
    const { host } = await forwarded(service, 'passa')
    const user = await service.user('passa+1@exemplo.com.br', { name: 'Ana Souza' })
    const browser = await signedIn(service, user.email)
    for (const seen of ['for the first time', 'from memory']) {
      const answer = await ask(service, browser, host)
      assert.deepEqual([answer.status, answer.text], [200, ''], seen)
      assert.deepEqual(identity(answer), { user: user.id, email: user.email, name: 'Ana Souza', plan: '', impersonator: '' })
      assert.deepEqual(
        ['cache-control', 'content-length', 'content-type', 'set-cookie'].map((name) => answer.headers.get(name)),
        ['no-store', '0', null, null],
      )
    }
    const head = await browser.request('HEAD', '/auth/forward', { headers: { 'x-forwarded-host': host } })
    assert.deepEqual([head.status, head.headers.get('portaria-user')], [200, user.id])
  })

  it('is among the user’s own apps once it was let in, not among those of a user who was seen through', async () => {
    const service = started()
    const { host, product } = await forwarded(service, 'aparece')
    const user = await service.user('aparece+1@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const isNoted = countQueries(service, /^insert into "opened_apps"/)
    for (let n = 0; n < 3; n++) assert.equal((await ask(service, browser, host)).status, 200)
    await until(async () => (await browser.get('/account')).text.includes(product.name))
    assert.equal(isNoted(), 1)
    const impersonated = await impersonateUser(service, 'aparece')
    const before = isNoted()
    assert.equal((await ask(service, impersonated.browser, host)).status, 200)
    assert.equal(isNoted(), before)
  })

  it('gives an app what its scopes allow, and an empty header for the rest', async () => {
    const service = started()
    const none = await forwarded(service, 'nada', { input: { scopes: [] } })
    const name = await forwarded(service, 'so-nome', { input: { scopes: ['read:profile'] } })
    const email = await forwarded(service, 'so-email', { input: { scopes: ['read:email'] } })
    const user = await service.user('escopo@exemplo.com.br', { name: 'Bia' })
    const browser = await signedIn(service, user.email)
    for (const seen of ['for the first time', 'from memory'])
      for (const [{ host }, shown] of [
        [none, { email: '', name: '' }],
        [name, { email: '', name: 'Bia' }],
        [email, { email: user.email, name: '' }],
      ] as const)
        assert.deepEqual(identity(await ask(service, browser, host)), { user: user.id, plan: '', impersonator: '', ...shown }, seen)
  })

  it('gives an address only once it is verified: apps take it for who the user is', async () => {
    const service = started()
    const { host } = await forwarded(service, 'endereco')
    const user = await service.user('endereco@exemplo.com.br')
    const operator = { ...service.context, actor: 'operator:test' as const }
    const set = async (verified: boolean) => {
      const record = (await findUser(service.context.storage.db, user.id)) ?? assert.fail()
      assert.ok(!('refusal' in (await setUser(record, { verified }, operator))))
    }
    const browser = await signedIn(service, user.email)
    for (const [verified, email] of [
      [true, user.email],
      [false, ''],
      [true, user.email],
    ] as const) {
      await set(verified)
      for (const seen of ['for the first time', 'from memory'])
        assert.equal(identity(await ask(service, browser, host)).email, email, `verified: ${verified}, ${seen}`)
    }
  })

  it('answers 401 without a live session, and redirects a browser that opens a page to the sign-in and back to that page', async () => {
    const service = started()
    const { host } = await forwarded(service, 'entra')
    const stranger = service.browser()
    assertRefused(await ask(service, stranger, host), 401, 'sem sessao')
    const opened = await ask(service, stranger, host, { uri: '/pagina?a=1&b=%2F', headers: NAVIGATION })
    assert.equal(opened.status, 302)
    assert.equal(opened.headers.get('location'), start(`https://${host}/pagina?a=1&b=%2F`))
    assert.deepEqual([opened.headers.get('set-cookie'), opened.headers.get('cache-control')], [null, 'no-store'])
    const user = await service.user('entra@exemplo.com.br')
    const begin = `${opened.location?.pathname}${opened.location?.search}`
    const back = await stranger.follow(await stranger.signIn(begin, { email: user.email, password: 'correct horse battery' }))
    assert.equal(back.location?.href, `https://${host}/pagina?a=1&b=%2F`, 'nothing is appended')
    assert.equal((await ask(service, stranger, host)).status, 200)
    const again = await stranger.follow(await stranger.get(begin))
    assert.equal(again.location?.href, `https://${host}/pagina?a=1&b=%2F`, 'signed in already: straight back')
  })

  it('answers the status beside the address, and no redirect, where the proxy asks for that', async () => {
    const service = started()
    const { host } = await forwarded(service, 'nginx')
    const path = '/auth/forward?redirect=no'
    const answer = await ask(service, service.browser(), host, { path, uri: '/p', headers: NAVIGATION })
    assertRefused(answer, 401, 'sem sessao')
    assert.equal(answer.headers.get('location'), start(`https://${host}/p`))
    const script = await ask(service, service.browser(), host, { path, uri: '/p' })
    assert.deepEqual([script.status, script.headers.get('location')], [401, null])
  })

  it('redirects no posted form, no script and no frame, since they could not go on afterwards', async () => {
    const service = started()
    const { host } = await forwarded(service, 'formulario')
    for (const about of [
      { method: 'POST', headers: NAVIGATION },
      { method: 'HEAD', headers: NAVIGATION },
      { headers: { ...NAVIGATION, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' } },
      { headers: { ...NAVIGATION, 'sec-fetch-dest': 'iframe' } },
      { headers: { accept: 'application/json' } },
    ]) {
      const answer = await ask(service, service.browser(), host, about)
      assert.deepEqual([answer.status, answer.headers.get('location')], [401, null], JSON.stringify(about))
    }
  })

  it('asks for the profile that the product requires before it lets anyone pass, as before a handoff', async () => {
    const service = started()
    const { host } = await forwarded(service, 'perfil')
    const easy = await forwarded(service, 'sem-perfil', { input: { requirements: { requires: [] } } })
    const user = await service.user('perfil@exemplo.com.br', { profile: 'missing' })
    const browser = await signedIn(service, user.email)
    assertRefused(await ask(service, browser, host), 401, 'perfil incompleto')
    assert.equal((await ask(service, browser, easy.host)).status, 200)
    const sent = await ask(service, browser, host, { headers: NAVIGATION })
    const asked = await browser.follow(await browser.get(`${sent.location?.pathname}${sent.location?.search}`))
    assert.deepEqual([asked.status, asked.text.includes('name="tax_id"')], [200, true])
    await service.context.storage.db
      .updateTable('users_company')
      .set({ tax_id_kind: 'cpf', tax_id_sealed: 'x', tax_id_hash: user.id, phone: '+5511912345678' })
      .where('user_id', '=', user.id)
      .execute()
    assert.equal((await ask(service, browser, host)).status, 200, 'a refusal is not kept')
  })

  it('does not ask a beta user for the NDA again: that is for a sign-in', async () => {
    const service = started()
    const { host } = await forwarded(service, 'beta')
    const user = await service.user('beta@exemplo.com.br', { beta: true })
    assert.equal((await ask(service, await signedIn(service, user.email), host)).status, 200)
  })

  it('lets only users with a plan pass where the rule says so, from the purchase to the refund', async () => {
    const service = started()
    const { host } = await forwarded(service, 'pago', { access: 'any_plan' })
    const user = await service.user('pago@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    for (let times = 0; times < 2; times++) assertRefused(await ask(service, browser, host), 403, 'sem plano')
    await record(service, user.email, 'easy-standard')
    for (let times = 0; times < 2; times++) assert.equal(identity(await ask(service, browser, host)).plan, 'easy-standard')
    await record(service, user.email, 'easy-pro')
    assert.equal(identity(await ask(service, browser, host)).plan, 'easy-pro', 'the dearest')
    for (const plan of ['easy-pro', 'easy-standard']) await record(service, user.email, plan, { kind: 'refunded' })
    assertRefused(await ask(service, browser, host), 403, 'sem plano')
  })

  it('counts any of the plans that a rule names, also beside a dearer one, and plans of the product itself', async () => {
    const service = started()
    const { host, product } = await forwarded(service, 'planos', { access: 'plans', plans: ['easy-standard'] })
    const plan = await setPlan(
      { slug: 'so-aqui', name: 'Só aqui', price: 100, productSlug: 'planos' },
      { ...service.context, actor: 'operator:test' },
    )
    assert.ok(!('refusal' in plan))
    const [cheap, dear, own] = await Promise.all(['barato', 'caro', 'proprio'].map((name) => service.user(`${name}@exemplo.com.br`)))
    assert.ok(cheap && dear && own)
    const [first, second, third] = await Promise.all([cheap, dear, own].map(({ email }) => signedIn(service, email)))
    assert.ok(first && second && third)
    await record(service, cheap.email, 'easy-standard')
    await record(service, cheap.email, 'easy-enterprise')
    await record(service, dear.email, 'easy-enterprise')
    await record(service, own.email, 'so-aqui', { productId: product.id, scope: product.id })
    const statuses = async () => Promise.all([first, second, third].map(async (browser) => (await ask(service, browser, host)).status))
    assert.deepEqual(await statuses(), [200, 403, 403])
    assert.equal(identity(await ask(service, first, host)).plan, 'easy-standard', 'the one that opens the door')
    await forward(service, product, { access: 'plans', plans: ['so-aqui', 'easy-enterprise'] })
    assert.deepEqual(await statuses(), [200, 200, 200])
    assert.equal(identity(await ask(service, third, host)).plan, 'so-aqui')
  })

  it('lets nobody pass by a plan whose time is over, without any announcement', async () => {
    const service = started()
    const { host, product } = await forwarded(service, 'fim', { access: 'any_plan' })
    // The session's own claims do not know this plan, nor when it ends.
    await setPlan({ slug: 'curto', name: 'Curto', price: 100, productSlug: 'fim' }, { ...service.context, actor: 'operator:test' })
    const at = service.clock.now
    for (const [name, plan, sold] of [
      ['fim', 'easy-pro', {}],
      ['curto', 'curto', { productId: product.id, scope: product.id }],
    ] as const) {
      const user = await service.user(`${name}@exemplo.com.br`)
      const browser = await signedIn(service, user.email)
      await record(service, user.email, plan, { ...sold, periodEnd: at + HOUR_MS })
      await record(service, user.email, plan, { ...sold, kind: 'canceled', at: at + 1 })
      for (let times = 0; times < 2; times++) assert.equal((await ask(service, browser, host)).status, 200)
      service.clock.now = at + HOUR_MS + 1
      assertRefused(await ask(service, browser, host), 403, 'sem plano')
      service.clock.now = at
    }
  })

  it('sends a browser without the plan to a page that says so, on which another account can be used, and not back', async () => {
    const service = started()
    const { host } = await forwarded(service, 'caro', { access: 'any_plan', input: { name: 'Painel <caro>' } })
    const user = await service.user('semplano@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    const sent = await ask(service, browser, host, { uri: '/x', headers: NAVIGATION })
    assert.deepEqual([sent.status, sent.headers.get('location')], [302, start(`https://${host}/x`)])
    const address = `${sent.location?.pathname}${sent.location?.search}`
    const page = await browser.get(address, { 'accept-language': 'en' })
    assert.deepEqual([page.status, page.location], [403, undefined])
    for (const text of ['Your plan does not include this app', 'Painel &#60;caro&#62;', user.email])
      assert.ok(page.text.includes(text), text)
    assertRefused(await browser.get(address, { accept: 'application/json' }), 403, 'sem plano')
    const other = await service.user('complano@exemplo.com.br')
    await record(service, other.email, 'easy-pro')
    const form = /\/login\?flow(?:=|&#61;)([\w.~-]+)/.exec(page.text)?.[1] ?? assert.fail()
    const back = await browser.follow(
      await browser.signIn(`/login?flow=${form}`, { email: other.email, password: 'correct horse battery' }),
    )
    assert.equal(back.location?.href, `https://${host}/x`)
    assert.equal((await ask(service, browser, host)).status, 200)
  })

  it('shows a change of name, rule, scopes or host with the next request', async () => {
    const service = started()
    const { host, product } = await forwarded(service, 'muda')
    const user = await service.user('muda@exemplo.com.br', { name: 'Antes' })
    const browser = await signedIn(service, user.email)
    const operator = { ...service.context, actor: 'operator:test' }
    assert.equal(identity(await ask(service, browser, host)).name, 'Antes')
    const found = (await findUser(service.context.storage.db, user.id)) ?? assert.fail()
    await setUser(found, { name: 'Depois' }, operator)
    assert.equal(identity(await ask(service, browser, host)).name, 'Depois')
    await changeProduct('muda', { scopes: [] }, operator)
    assert.equal(identity(await ask(service, browser, host)).name, '')
    await forward(service, product, { access: 'any_plan' })
    assert.equal((await ask(service, browser, host)).status, 403)
    await forward(service, product, { access: 'signed_in', hosts: ['outro.example.com'] })
    assertRefused(await ask(service, browser, host), 403, 'host nao registrado')
    assert.equal((await ask(service, browser, 'outro.example.com')).status, 200)
    await forward(service, product, 'off')
    assertRefused(await ask(service, browser, 'outro.example.com'), 403, 'host nao registrado')
  })

  it('names the administrator of an impersonation, for whom no profile is asked', async () => {
    const service = started()
    const { host } = await forwarded(service, 'age')
    const { browser, user: seen, owner } = await impersonateUser(service, 'age', 'missing')
    const { user, impersonator } = identity(await ask(service, browser, host))
    assert.deepEqual([user, impersonator], [seen.id, owner.id])
    const back = await browser.follow(await browser.get(start(`https://${host}/`).replace('https://sso.example.com', '')))
    assert.equal(back.location?.href, `https://${host}/`)
  })

  it('needs no Authorization, and does not look at one, since that is the app’s', async () => {
    const service = started()
    const { host } = await forwarded(service, 'autoriza')
    const user = await service.user('autoriza@exemplo.com.br')
    const browser = await signedIn(service, user.email)
    for (const authorization of ['Bearer sk_wrong', 'Basic YTpi'])
      assert.equal((await ask(service, browser, host, { headers: { authorization } })).status, 200)
  })
})
