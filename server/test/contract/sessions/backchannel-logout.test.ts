import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { deleteUser, disableUser, findUser } from '../../../src/admin/index.ts'
import { tidyIfDue } from '../../../src/housekeeping/index.ts'
import { addOpenJobs, reviveJob } from '../../../src/outbox/index.ts'
import {
  endEverySession,
  endOtherSessions,
  endPasskeySessions,
  endProductSessions,
  endProviderSessions,
  endSession,
  endSessionsOfUser,
} from '../../../src/sessions/index.ts'
import type { Transaction } from '../../../src/storage/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { openIdApp, signInTo } from '../../support/openid/apps.ts'
import { type LogoutReceiver, notifyOfSignOuts, startLogoutReceiver } from '../../support/openid/logout-receiver.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { decode, enter, parameter, pass, post, sessionOf, signedIn, verify } from '../../support/users/sign-in-steps.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const NOTIFIED_MS = 2_000

let serial = 0

/** An external product with its receiver, and a user signed in there; `sid` is the one in the app's own `eg_session`. */
async function shopWithVisitor(service: TestService) {
  const n = ++serial
  const uri = `https://loja-${n}.example/callback`
  const { product, apiKey } = await service.product({ slug: `loja-${n}`, audience: 'external', checkout: 'external', uris: [uri] })
  const receiver = await startLogoutReceiver()
  await notifyOfSignOuts(service, product.slug, receiver.url)
  const user = await service.user(`cliente-${n}@exemplo.com.br`)
  const browser = await signedIn(service, user.email)
  const callback = await pass(browser, { redirect_to: uri, api_key: product.publishableKey })
  const answer = await verify(service, parameter(callback, 'eg_token'), apiKey)
  const { eg_session: egSession } = answer.json<{ eg_session: string }>()
  const { claims } = decode(egSession)
  const domainSid = String(decode(sessionOf(browser)).claims.sid)
  return { product, apiKey, receiver, user, browser, egSession, sid: String(claims.sid), domainSid }
}

const outbox = (service: TestService, productId: string) =>
  service.context.storage.db.selectFrom('outbox').selectAll().where('lane', '=', `logout/${productId}`).execute()

const ended = (receiver: LogoutReceiver, sid: string) => until(() => receiver.sids().includes(sid), NOTIFIED_MS)

eachDatabase('Back-channel logout', (database) => {
  const started = startForSuite(database)

  it('tells a client of OpenID Connect of a sign-out by the sid and sub of its ID token, signed as its ID tokens are', async () => {
    const service = started()
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    for (const idTokenAlg of ['RS256', 'ES256'] as const) {
      const app = await openIdApp(service, { slug: `logout-${idTokenAlg.toLowerCase()}`, openid: { idTokenAlg } })
      const receiver = await startLogoutReceiver()
      await notifyOfSignOuts(service, app.slug, receiver.url)
      const user = await service.user(`${idTokenAlg.toLowerCase()}@exemplo.com.br`)
      const browser = service.browser()
      const idToken = (await signInTo(app, browser, user.email)).claims() ?? assert.fail()
      await browser.get('/auth/signout')
      await until(() => receiver.requests.length > 0, NOTIFIED_MS)
      const [request = assert.fail(), ...more] = receiver.requests
      assert.deepEqual(more, [])
      assert.deepEqual([request.method, request.path], ['POST', '/backchannel-logout'])
      assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded')
      assert.match(request.body, /^logout_token=[\w-]+\.[\w-]+\.[\w-]+$/)
      const { payload, protectedHeader } = await jwtVerify(receiver.tokens()[0] ?? '', keys, {
        algorithms: [idTokenAlg],
        typ: 'logout+jwt',
        currentDate: new Date(service.clock.now),
      })
      const at = Math.floor(service.clock.now / 1000)
      assert.match(String(payload.jti), /^[\da-f-]{36}$/)
      assert.deepEqual(payload, {
        events: { [EVENT]: {} },
        sid: idToken.sid,
        iss: service.url,
        aud: app.clientId,
        sub: user.id,
        iat: at,
        exp: at + 120,
        jti: payload.jti,
      })
      assert.deepEqual(protectedHeader, { alg: idTokenAlg, typ: 'logout+jwt', kid: protectedHeader.kid })
      await until(async () => (await outbox(service, app.productId)).length === 0)
    }
  })

  it('is announced in the discovery document, with sessions', async () => {
    const discovery = (await started().browser().get('/.well-known/openid-configuration')).json<Record<string, unknown>>()
    assert.equal(discovery.backchannel_logout_supported, true)
    assert.equal(discovery.backchannel_logout_session_supported, true)
  })

  it('tells an external product by the sid of its eg_session, for its publishable key, in ES256', async () => {
    const service = started()
    const { product, receiver, browser, user, sid } = await shopWithVisitor(service)
    await browser.get('/auth/signout')
    await ended(receiver, sid)
    const { header, claims } = decode(receiver.tokens()[0] ?? '')
    assert.deepEqual([header.alg, header.typ], ['ES256', 'logout+jwt'])
    assert.deepEqual([claims.aud, claims.sub, claims.iss], [product.publishableKey, user.id, service.url])
  })

  it("notifies an internal product that received the domain's session by redirect, and none that did not", async () => {
    const service = started()
    const uri = `http://localhost:4001/dentro-${++serial}`
    const { product } = await service.product({ slug: `dentro-${serial}`, uris: [uri] })
    const other = await service.product({ slug: `outro-${serial}`, uris: [`${uri}-outro`] })
    const [receiver, silent] = [await startLogoutReceiver(), await startLogoutReceiver()]
    await notifyOfSignOuts(service, product.slug, receiver.url)
    await notifyOfSignOuts(service, other.product.slug, silent.url)
    const user = await service.user(`dentro-${serial}@exemplo.com.br`)
    const browser = service.browser()
    const { claims } = decode(parameter(await enter(browser, user.email, { redirect_to: uri }), 'eg_session'))
    await pass(browser, { redirect_to: uri })
    await browser.get('/auth/signout')
    await ended(receiver, String(claims.sid))
    const notice = decode(receiver.tokens()[0] ?? '').claims
    assert.deepEqual([notice.aud, notice.sub, notice.sid], [service.url, user.id, claims.sid])
    assert.deepEqual([receiver.requests.length, silent.requests.length], [1, 0])
  })

  it("notifies an internal product that speaks OpenID Connect of both: the domain's session that it received by redirect, and its own", async () => {
    const service = started()
    const uri = `http://localhost:4001/ambos-${++serial}`
    const app = await openIdApp(service, { slug: `ambos-${serial}`, uris: [uri] })
    const receiver = await startLogoutReceiver()
    await notifyOfSignOuts(service, app.slug, receiver.url)
    const user = await service.user(`ambos-${serial}@exemplo.com.br`)
    const browser = service.browser()
    const { claims } = decode(parameter(await enter(browser, user.email, { redirect_to: uri }), 'eg_session'))
    const idToken = (await signInTo(app, browser, user.email)).claims() ?? assert.fail()
    await browser.get('/auth/signout')
    await ended(receiver, String(claims.sid))
    await ended(receiver, String(idToken.sid))
    const notices = receiver.tokens().map((token) => [decode(token).claims.sid, decode(token).claims.aud, decode(token).header.alg])
    const expected = [
      [claims.sid, service.url, 'ES256'],
      [idToken.sid, app.clientId, 'RS256'],
    ]
    const bySid = ([one]: unknown[], [other]: unknown[]) => String(one).localeCompare(String(other))
    assert.deepEqual(notices.sort(bySid), expected.sort(bySid))
  })

  type Shop = Awaited<ReturnType<typeof shopWithVisitor>>
  type Ending = (shop: Shop, service: TestService) => Promise<unknown>
  const inTransaction =
    (end: (tx: Transaction, shop: Shop, deps: Parameters<typeof endSession>[3]) => Promise<unknown>): Ending =>
    (shop, { context }) =>
      context.changes.transaction((tx, announce) => end(tx, shop, { announce, now: context.now }))
  const operator = ({ context }: TestService) => ({ ...context, actor: 'operator:test' })
  const userOf = async ({ user }: Shop, { context }: TestService) => (await findUser(context.storage.db, user.id)) ?? assert.fail()
  const endings: Record<string, Ending> = {
    'a sign-out': ({ browser }) => browser.get('/auth/signout'),
    'a sign-in in its place': async ({ browser, user }) => {
      browser.cookies.delete('portaria')
      await browser.signIn('/login', { email: user.email, password: PASSWORD })
    },
    'the end of one session by its user or the operator': inTransaction((tx, { domainSid }, deps) =>
      endSession(tx, domainSid, 'ended_by_owner', deps),
    ),
    "the end of a product's session alone": inTransaction((tx, { sid }, deps) => endSession(tx, sid, 'grant_revoked', deps)),
    'a changed password, from another browser': inTransaction((tx, { user }, deps) =>
      endOtherSessions(tx, { userId: user.id, keep: 'another' }, 'password_changed', deps),
    ),
    'a reported sign-in': inTransaction((tx, { user }, deps) => endSessionsOfUser(tx, user.id, 'sign_in_reported', deps)),
    'a withdrawn consent': inTransaction((tx, { user, product }, deps) =>
      endProductSessions(tx, { userId: user.id, productId: product.id }, 'consent_withdrawn', deps),
    ),
    'a removed passkey': inTransaction(async (tx, { user, domainSid }, deps) => {
      await tx.updateTable('sessions').set({ passkey_id: 'pk' }).where('id', '=', domainSid).execute()
      await endPasskeySessions(tx, { userId: user.id, passkeyId: 'pk', keep: 'another' }, 'passkey_removed', deps)
    }),
    'an unlinked provider': inTransaction(async (tx, { user, domainSid }, deps) => {
      await tx.updateTable('sessions').set({ sign_in_method: 'provider' }).where('id', '=', domainSid).execute()
      await endProviderSessions(tx, { userId: user.id, keep: 'another' }, 'ended_by_owner', deps)
    }),
    'a disabled user': async (shop, service) => disableUser(await userOf(shop, service), 'test', operator(service)),
    'a removed user': async (shop, service) => deleteUser(await userOf(shop, service), operator(service)),
    'the sign-out of everyone': (_shop, { context }) => endEverySession({ ...context, actor: 'operator:test' }),
    "the product's own sign-out": ({ apiKey, egSession }, service) => post(service, '/auth/signout', { eg_session: egSession }, apiKey),
  }
  for (const [cause, end] of Object.entries(endings))
    it(`notifies of ${cause}`, async () => {
      const service = started()
      const shop = await shopWithVisitor(service)
      await end(shop, service)
      await ended(shop.receiver, shop.sid)
      assert.equal(decodeJwt(shop.receiver.tokens()[0] ?? '').sub, shop.user.id)
      assert.equal(shop.receiver.requests.length, 1)
    })

  const jobOf = async (service: TestService, { product }: Shop) => (await outbox(service, product.id))[0]
  /** Puts the service's clock where the job is due, and waits for the attempt. */
  const nextAttempt = async (service: TestService, shop: Shop) => {
    const count = shop.receiver.requests.length
    await until(async () => (await jobOf(service, shop))?.leased_until === null)
    service.clock.now = Math.max(service.clock.now, Number((await jobOf(service, shop))?.run_at))
    // A change wakes the outbox, which would look by itself each second.
    await service.context.changes.transaction(async (_tx, announce) => announce({ kind: 'user_changed', subject: 'nobody' }))
    await until(() => shop.receiver.requests.length > count)
  }

  it('tries again after a 5xx, with a fresh token each time, and is done with the first 2xx', async () => {
    const service = started()
    const shop = await shopWithVisitor(service)
    const { receiver, browser, product } = shop
    receiver.answers((count) => ({ status: count < 3 ? 503 : 200 }))
    await browser.get('/auth/signout')
    await until(() => receiver.requests.length === 1)
    await nextAttempt(service, shop)
    await nextAttempt(service, shop)
    const claims = receiver.tokens().map((token) => decodeJwt(token))
    assert.equal(new Set(claims.map(({ jti }) => jti)).size, 3)
    const [first = 0, , last = 0] = claims.map(({ iat }) => iat)
    assert.ok(last - first >= 40, 'the clock went on, and the token with it')
    assert.deepEqual(
      claims.map(({ iat = 0, exp = 0 }) => exp - iat),
      [120, 120, 120],
    )
    await until(async () => (await outbox(service, product.id)).length === 0)
  })

  for (const status of [400, 404, 302])
    it(`gives up at once on ${status}: a dead letter, an audit entry and a number for the operator`, async () => {
      const service = started()
      const shop = await shopWithVisitor(service)
      const elsewhere = await startLogoutReceiver()
      shop.receiver.answers(() => ({ status, headers: { location: elsewhere.url } }))
      await shop.browser.get('/auth/signout')
      await until(async () => (await jobOf(service, shop))?.dead_at != null)
      assert.deepEqual([shop.receiver.requests.length, elsewhere.requests.length], [1, 0])
      assert.equal((await jobOf(service, shop))?.last_error, `the app answers ${status}`)
      const { db } = service.context.storage
      const entries = await db.selectFrom('audit').selectAll().where('target', '=', shop.product.id).execute()
      const [entry = assert.fail()] = entries.filter(({ action }) => action === 'product.logout_undelivered')
      assert.deepEqual([entry.actor, entry.reason], ['system', `the app answers ${status}`])
      const metrics = (await service.browser().get('/metrics')).text
      assert.ok(metrics.includes(`portaria_logout_deliveries_total{product="${shop.product.slug}",result="given_up"} 1`), metrics)
      assert.ok(metrics.includes(`portaria_logout_dead{product="${shop.product.slug}"} 1`))
    })

  it('leaves an app alone for as long as its 429 says', async () => {
    const service = started()
    const shop = await shopWithVisitor(service)
    shop.receiver.answers((count) => (count === 1 ? { status: 429, headers: { 'retry-after': '90' } } : { status: 204 }))
    const at = service.clock.now
    await shop.browser.get('/auth/signout')
    await until(async () => (await jobOf(service, shop))?.last_error === 'the app answers 429')
    assert.equal((await jobOf(service, shop))?.run_at, at + 90_000)
    await nextAttempt(service, shop)
    await until(async () => (await jobOf(service, shop)) === undefined)
  })

  it('gives up after a day of trying, and notifies again when the operator says so', async () => {
    const service = started()
    const shop = await shopWithVisitor(service)
    shop.receiver.answers(() => ({ status: 500 }))
    const began = service.clock.now
    await shop.browser.get('/auth/signout')
    await until(() => shop.receiver.requests.length === 1)
    while (shop.receiver.requests.length < 11) await nextAttempt(service, shop)
    await until(async () => (await jobOf(service, shop))?.dead_at != null)
    const hours = (service.clock.now - began) / 3_600_000
    assert.ok(hours > 24 && hours < 30, `${hours} hours`)
    shop.receiver.answers(() => ({ status: 200 }))
    assert.ok(await reviveJob(service.context.storage.db, String((await jobOf(service, shop))?.id), service.clock.now))
    await until(async () => (await jobOf(service, shop)) === undefined)
    assert.equal(shop.receiver.requests.length, 12)
  })

  it('notifies a healthy app at once while another hangs with a hundred notices', async () => {
    const service = started()
    const [hanging, healthy] = [await shopWithVisitor(service), await shopWithVisitor(service)]
    hanging.receiver.answers(() => 'hangs')
    const lane = `logout/${hanging.product.id}` as const
    const payload = { product: hanging.product.id, sid: hanging.sid, sub: hanging.user.id }
    const jobs = Array.from({ length: 100 }, () => ({ kind: 'backchannel_logout', payload, lane }) as const)
    await service.context.storage.transaction((tx) => addOpenJobs(tx, jobs, service.clock.now))
    await until(() => hanging.receiver.requests.length === 2)
    await healthy.browser.get('/auth/signout')
    await ended(healthy.receiver, healthy.sid)
    assert.equal(hanging.receiver.requests.length, 2)
    await service.context.storage.db.deleteFrom('outbox').where('lane', '=', lane).execute()
  })

  it('notifies nobody of a session that expires, and nobody whose address was removed', async () => {
    const service = started()
    const shop = await shopWithVisitor(service)
    const { db } = service.context.storage
    await db.updateTable('sessions').set({ expires_at: service.clock.now }).where('id', '=', shop.domainSid).execute()
    await db.updateTable('sessions').set({ expires_at: service.clock.now }).where('id', '=', shop.sid).execute()
    await tidyIfDue(service.context)
    assert.equal(await jobOf(service, shop), undefined)
    const other = await shopWithVisitor(service)
    await notifyOfSignOuts(service, other.product.slug, 'none')
    await other.browser.get('/auth/signout')
    assert.equal(await jobOf(service, other), undefined)
    assert.deepEqual([shop.receiver.requests.length, other.receiver.requests.length], [0, 0])
  })
})
