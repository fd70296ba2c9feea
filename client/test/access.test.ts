import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { revokeSigningKey, rotateSigningKey } from '../../server/src/sessions/index.ts'
import { eachDatabase } from '../../server/test/support/databases.ts'
import { bring, completed, notify, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { until } from '../../server/test/support/until.ts'
import { decode } from '../../server/test/support/users/sign-in-steps.ts'
import { type AccessReason, PortariaError, type PortariaOptions } from '../src/index.ts'
import { type App, type Fixture, fixtureForSuite, reasonOf, signedIn, type User, Visitor } from './fixture.ts'

const MINUTE = 60_000
const SECRET = 'a secret of thirty-two characters and more'
const TOKEN = '/auth/token'
const CHECK_ACCESS = '/api/saas/check-access'

const isOf = (code: PortariaError['code']) => (fault: unknown) =>
  fault instanceof PortariaError && fault.code === code && !/sk_\w{9}|eyJ/.test(fault.message)

/** A handler of an app: it asks for the token, and sends the cookies to be kept. */
async function tokenAt({ portaria }: App, { at }: User): Promise<string | undefined> {
  const headers = new Headers()
  const token = await portaria.accessToken(at.request('/'), headers)
  for (const line of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    at.cookies.set(name, value)
  }
  return token
}

eachDatabase('An access token', (database) => {
  const started = fixtureForSuite(database)

  it('speaks for the user of the session, and is kept in memory until a minute before it expires', async () => {
    const fixture = started()
    for (const app of [fixture.internal(), await fixture.external()]) {
      const someone = await signedIn(fixture, app)
      const token = (await tokenAt(app, someone)) ?? assert.fail()
      const { header, claims } = decode(token)
      assert.deepEqual([header.typ, claims.sub, claims.client_id], ['at+jwt', someone.id, app.productId || 'internal'])
      assert.ok(!someone.at.cookies.has('access_token'))
      app.clock.now += 59 * MINUTE - 1
      assert.equal(await tokenAt(app, someone), token)
      assert.equal(fixture.proxy.count(TOKEN), 1)
      app.clock.now += 1
      assert.notEqual(await tokenAt(app, someone), token)
      assert.equal(fixture.proxy.count(TOKEN), 2)
      fixture.proxy.asked()
    }
  })

  it('is exchanged once, however many want it at once, and each user has their own', async () => {
    const fixture = started()
    const app = fixture.internal()
    const [one, other] = [await signedIn(fixture, app), await signedIn(fixture, app)]
    const all = await Promise.all(Array.from({ length: 40 }, (_, at) => tokenAt(app, at % 2 === 0 ? one : other)))
    assert.equal(fixture.proxy.count(TOKEN), 2)
    assert.equal(decode(all[0] ?? '').claims.sub, one.id)
    assert.equal(decode(all[1] ?? '').claims.sub, other.id)
    assert.equal(new Set(all).size, 2)
  })

  it('is nobody’s where nobody is signed in, also where the app did not know it', async () => {
    const fixture = started()
    const app = fixture.internal()
    assert.equal(await app.portaria.accessToken(new Visitor(app).request('/')), undefined)
    assert.equal(await app.portaria.me(new Visitor(app).request('/')), undefined)
    const someone = await signedIn(fixture, app)
    await someone.browser.get('/auth/signout')
    assert.equal(await reasonOf(someone.at.session()), someone.id, 'within the minute')
    assert.equal(await tokenAt(app, someone), undefined)
    assert.equal(await reasonOf(someone.at.session()), 'ended', 'since the exchange has shown it')
  })

  it('is kept in a sealed cookie where there is a secret, and outlives the process in it', async () => {
    const fixture = started()
    const app = await fixture.external({ cookieSecret: SECRET })
    const someone = await signedIn(fixture, app)
    const headers = new Headers()
    const token = (await app.portaria.accessToken(someone.at.request('/'), headers)) ?? assert.fail()
    const [line = ''] = headers.getSetCookie()
    assert.match(line, /^access_token=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/)
    assert.ok(!line.includes(token.slice(0, 20)), 'nothing of it can be read')
    const cookie = line.slice(0, line.indexOf(';')).slice('access_token='.length)
    someone.at.cookies.set('access_token', cookie)
    const restarted = (options = {}) => ({ ...app, ...reopen(fixture, app, { cookieSecret: SECRET, ...options }) })
    fixture.proxy.asked()
    assert.equal(await tokenAt(restarted(), someone), token)
    assert.equal(fixture.proxy.count(TOKEN), 0)

    const parts = cookie.split('.')
    const at = parts[3]?.startsWith('A') ? 'B' : 'A'
    const altered = [...parts.slice(0, 3), at + (parts[3] ?? '').slice(1), parts[4]].join('.')
    for (const bad of [altered, 'x', '', cookie.slice(0, -2), parts.slice(0, 4).join('.'), `${cookie}x`]) {
      someone.at.cookies.set('access_token', bad)
      assert.notEqual(await tokenAt(restarted(), someone), token, bad)
    }
    someone.at.cookies.set('access_token', cookie)
    assert.notEqual(await tokenAt(restarted({ cookieSecret: `${SECRET}!` }), someone), token, 'of another secret')
    const other = await signedIn(fixture, app)
    other.at.cookies.set('access_token', cookie)
    const others = (await tokenAt(restarted(), other)) ?? ''
    assert.equal(decode(others).claims.sub, other.id, 'of another session')
    someone.at.cookies.set('access_token', cookie)
    const late = restarted()
    late.clock.now += 59 * MINUTE
    assert.notEqual(await tokenAt(late, someone), token, 'a minute before it expires')
  })

  it('can’t be had with a wrong key', async () => {
    const fixture = started()
    const app = await fixture.external()
    const someone = await signedIn(fixture, app)
    const wrong = reopen(fixture, app, { apiKey: 'sk_wrong' })
    assert.equal(await wrong.portaria.accessToken(someone.at.request('/')), undefined, 'since with it nobody is signed in')
    await assert.rejects(wrong.portaria.checkAccess({ userId: 'u' }), isOf('invalid_api_key'))
  })

  it('gets the profile of today', async () => {
    const fixture = started()
    for (const app of [fixture.internal(), await fixture.external()]) {
      const someone = await signedIn(fixture, app)
      const profile = { id: someone.id, email: someone.email, name: 'Ana Flávia Conceição', avatarUrl: null, planSlug: null }
      assert.deepEqual(await app.portaria.me(someone.at.request('/')), profile)
      await fixture.service.context.storage.db
        .updateTable('users_company')
        .set({ name: 'Ana Nova' })
        .where('user_id', '=', someone.id)
        .execute()
      await fixture.service.context.changes.transaction(async (_, announce) => announce({ kind: 'user_changed', subject: someone.id }))
      assert.equal((await app.portaria.me(someone.at.request('/')))?.name, 'Ana Nova')
    }
  })
})

/** The same app after a restart: it remembers nothing. */
function reopen(fixture: Fixture, { origin, apiKey }: App, options: object): App {
  return { ...fixture.internal({ appUrl: origin, apiKey, publishableKey: 'pk_x', ...options }), origin }
}

eachDatabase('A profile', (database) => {
  const started = fixtureForSuite(database)

  it('is nobody’s once the session has ended, also within the minute', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    assert.equal((await app.portaria.me(someone.at.request('/')))?.id, someone.id)
    await someone.browser.get('/auth/signout')
    assert.equal(await app.portaria.me(someone.at.request('/')), undefined)
    assert.equal(await reasonOf(someone.at.session()), 'ended')
  })

  it('is had again where the key of the access token, but not of the session, was revoked', async () => {
    const fixture = started()
    const app = fixture.internal({ cookieSecret: SECRET })
    const someone = await signedIn(fixture, app)
    const deps = { ...fixture.service.context, actor: 'operator:test' }
    fixture.service.clock.now += 1
    const key = await rotateSigningKey({ at: 'once' }, deps)
    await until(async () => (await (await fetch(`${fixture.service.url}/.well-known/jwks.json`)).text()).includes(key.kid))
    const first = new Headers()
    assert.equal((await app.portaria.me(someone.at.request('/'), first))?.id, someone.id)
    const token = await app.portaria.accessToken(someone.at.request('/'))
    someone.at.cookies.set('access_token', /^access_token=([^;]+)/.exec(first.getSetCookie()[0] ?? '')?.[1] ?? assert.fail())
    assert.equal(await revokeSigningKey(key.kid, deps), 'revoked')
    const isRefused = async () =>
      (await fetch(`${fixture.service.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status === 401
    await until(isRefused, 5_000)
    const headers = new Headers()
    assert.equal((await app.portaria.me(someone.at.request('/'), headers))?.id, someone.id)
    assert.match(headers.getSetCookie().join(), /^access_token=[\w.-]+; Path=\/; Max-Age=\d{4};/, 'and the cookie holds the new one')
    const elsewhere = fixture.internal({ cookieSecret: SECRET })
    fixture.proxy.asked()
    for (let time = 0; time < 3; time++)
      assert.equal((await elsewhere.portaria.me(someone.at.request('/')))?.id, someone.id, 'where no cookie can be set as well')
    assert.equal(fixture.proxy.count(TOKEN), 1)
  })

  it('is asked for once more with a new access token, and not again where that is refused too', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    const refusing: typeof fetch = (input, init) =>
      String(input).endsWith('/api/me') ? Promise.resolve(Response.json({ error: 'x' }, { status: 401 })) : fetch(input, init)
    const app = fixture.internal({ fetch: refusing })
    assert.equal(await app.portaria.me(someone.at.request('/')), undefined)
    assert.equal(fixture.proxy.count(TOKEN), 2)
  })
})

eachDatabase('Whether someone may use a product', (database) => {
  const started = fixtureForSuite(database, WEBHOOKS)
  let buyers = 0
  async function fixture(options: PortariaOptions = {}) {
    const { service, proxy, ...apps } = started()
    const app = await apps.external(options)
    const email = `compra${++buyers}@exemplo.com.br`
    const buy = async () => {
      const at = new Date(service.clock.now).toISOString()
      assert.equal((await notify(service.url, completed({ email, productId: app.productId, at }))).status, 200)
    }
    proxy.asked()
    return { app, email, buy, proxy, ...apps }
  }

  it('is asked with the key, and answered with why, what and until when', async () => {
    const { app, email, buy } = await fixture()
    const none = { status: 'none', planSlug: null, currentPeriodEnd: null, graceUntil: null }
    assert.deepEqual(await app.portaria.checkAccess({ userId: 'u1', email }), { active: false, reason: 'no_subscription', ...none })
    await buy()
    const paid = { active: true, reason: 'paid', status: 'active', planSlug: 'easy-pro', currentPeriodEnd: null, graceUntil: null }
    assert.deepEqual(await app.portaria.checkAccess({ userId: 'u1', email }), paid)
    assert.deepEqual(await app.portaria.checkAccess({ userId: 'u1' }), paid, 'linked by the first call that gave both')
    assert.deepEqual(await app.portaria.checkAccess({ email }), paid)
    const others = await app.portaria.checkAccess({ userId: 'u2', email })
    assert.deepEqual([others.active, others.reason], [false, 'linked_to_another_user'])
  })

  it('is remembered for half a minute where it is granted, and never where it is denied', async () => {
    const { app, email, buy, proxy } = await fixture()
    for (let time = 0; time < 3; time++) assert.equal((await app.portaria.checkAccess({ email })).active, false)
    assert.equal(proxy.count(CHECK_ACCESS), 3)
    await buy()
    proxy.asked()
    for (let time = 0; time < 3; time++) assert.equal((await app.portaria.checkAccess({ email })).active, true)
    app.clock.now += 29_999
    assert.equal((await app.portaria.checkAccess({ email })).active, true)
    assert.equal(proxy.count(CHECK_ACCESS), 1)
    app.clock.now += 1
    await Promise.all(Array.from({ length: 20 }, () => app.portaria.checkAccess({ email })))
    await until(() => proxy.count(CHECK_ACCESS) >= 2)
    assert.equal(proxy.count(CHECK_ACCESS), 2, 'one call for all who ask at once')
    await app.portaria.checkAccess({ email: `other-${email}` })
    assert.equal(proxy.count(CHECK_ACCESS), 3, 'somebody else is somebody else')
  })

  it('that was granted holds for ten minutes without Portaria; nothing is granted anew', async () => {
    const { app, email, buy, proxy } = await fixture()
    await buy()
    assert.equal((await app.portaria.checkAccess({ email })).active, true)
    proxy.setMode('answers 500')
    app.clock.now += 10 * MINUTE - 1
    assert.equal((await app.portaria.checkAccess({ email })).active, true)
    await assert.rejects(app.portaria.checkAccess({ email: `other-${email}` }), isOf('unavailable'))
    app.clock.now += 1
    await until(() => app.portaria.checkAccess({ email }).then(() => false, isOf('unavailable')))
  })

  it('that was granted holds for no longer where the clock is set back', async () => {
    const { app, email, proxy } = await fixture()
    const events = { ref: `line ${email}`, productId: app.productId, email }
    await bring(started().service, { ...events, kind: 'paid' })
    assert.equal((await app.portaria.checkAccess({ email })).active, true)
    app.clock.now -= 24 * 60 * MINUTE
    proxy.setMode('is down')
    assert.equal((await app.portaria.checkAccess({ email })).active, true)
    app.clock.now += 10 * MINUTE
    await until(() => app.portaria.checkAccess({ email }).then(() => false, isOf('unavailable')))
    proxy.setMode('passes')
    await bring(started().service, { ...events, kind: 'refunded' })
    assert.equal((await app.portaria.checkAccess({ email })).active, false)
  })

  it('is never remembered where the app wants it so, nor without Portaria', async () => {
    const { external, service, proxy } = { ...started(), ...(await fixture()) }
    const app = await external({ accessSeconds: 0 })
    const email = `compra${++buyers}@exemplo.com.br`
    await bring(service, { ref: `line ${email}`, productId: app.productId, email, kind: 'paid' })
    proxy.asked()
    for (let time = 0; time < 2; time++) assert.equal((await app.portaria.checkAccess({ email })).active, true)
    assert.equal(proxy.count(CHECK_ACCESS), 2)
    proxy.setMode('is down')
    await assert.rejects(app.portaria.checkAccess({ email }), isOf('unavailable'))
  })

  it('is each caller’s own answer: nobody changes a date for others', async () => {
    const end = '2026-06-10T00:00:00.000Z'
    const answer = { active: true, status: 'active', reason: 'paid', plan_slug: null, current_period_end: end, grace_until: end }
    const { app } = await fixture({ fetch: async () => Response.json(answer) })
    const ask = () => app.portaria.checkAccess({ userId: 'u' })
    for (const access of [...(await Promise.all([ask(), ask()])), await ask(), await ask()]) {
      assert.deepEqual([access.currentPeriodEnd?.toISOString(), access.graceUntil?.toISOString()], [end, end])
      access.currentPeriodEnd?.setUTCFullYear(2099)
      access.graceUntil?.setUTCFullYear(2099)
      assert.throws(() => Object.assign(access, { active: false }), TypeError)
    }
  })

  it('is asked without what is null, as the address of a user without read:email is; about nobody it is not', async () => {
    const { app, email, buy } = await fixture()
    await buy()
    assert.equal((await app.portaria.checkAccess({ userId: null, email })).active, true)
    assert.equal((await app.portaria.checkAccess({ userId: randomUUID(), email: null })).reason, 'no_subscription')
    await assert.rejects(app.portaria.checkAccess({ userId: null, email: null }), /checkAccess needs a userId or an email/)
    await assert.rejects(app.portaria.checkAccess({ email: null }), isOf('invalid_request'))
  })

  it('that was granted is of no use with a key that is refused since', async () => {
    let isRefused = false
    const { email, buy, app } = await fixture({
      fetch: (input, init) =>
        isRefused ? Promise.resolve(Response.json({ error: 'invalid_api_key' }, { status: 401 })) : fetch(input, init),
    })
    await buy()
    assert.equal((await app.portaria.checkAccess({ email })).active, true)
    isRefused = true
    app.clock.now += 30_000
    await assert.rejects(app.portaria.checkAccess({ email }), isOf('invalid_api_key'))
  })

  it('that was denied since is not granted by what is remembered', async () => {
    const { app, email, proxy } = await fixture()
    const events = { ref: `line ${email}`, productId: app.productId, email }
    await bring(started().service, { ...events, kind: 'paid' })
    assert.equal((await app.portaria.checkAccess({ email })).active, true)
    await bring(started().service, { ...events, kind: 'refunded' })
    app.clock.now += 30_000
    // A page does not wait for an answer that takes longer than usual, and the next one has it.
    await until(async () => !(await app.portaria.checkAccess({ email })).active)
    const refunded = await app.portaria.checkAccess({ email })
    assert.deepEqual([refunded.active, refunded.reason], [false, 'refunded'])
    proxy.setMode('is down')
    await assert.rejects(app.portaria.checkAccess({ email }), isOf('unavailable'))
  })

  it('can’t be asked without a key, with a wrong one, or about nobody', async () => {
    const { app, internal, external } = await fixture()
    await assert.rejects(internal().portaria.checkAccess({ userId: 'u' }), isOf('configuration'))
    await assert.rejects((await external({ apiKey: 'sk_wrong' })).portaria.checkAccess({ userId: 'u' }), isOf('invalid_api_key'))
    await assert.rejects(app.portaria.checkAccess({ email: '' }), isOf('invalid_request'))
    await assert.rejects(app.portaria.checkAccess({ userId: 'x'.repeat(129) }), isOf('invalid_request'))
    const known = await app.portaria.checkAccess({ userId: randomUUID() })
    const reason: AccessReason = known.reason
    assert.equal(reason, 'no_subscription')
  })
})
