import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { eachDatabase } from '../../server/test/support/databases.ts'
import { startProxy } from '../../server/test/support/faults/proxy.ts'
import { bring } from '../../server/test/support/gateways/purchases.ts'
import { startService } from '../../server/test/support/service.ts'
import { until } from '../../server/test/support/until.ts'
import { isLive } from '../../server/test/support/users/sign-in-steps.ts'
import { impatientWith } from './calls.ts'
import { fixtureForSuite, reasonOf, signedIn, sqlite, tokenOf } from './fixture.ts'

const MINUTE = 60_000
/** Longer than a test waits for anything: a view that waits for the whole of it shows. */
const ENDLESS = 60_000
const AT_ONCE = 10_000
const OWN = { 'sec-fetch-site': 'same-origin' }
const carrying = (name: string, token: string) => ({ headers: new Headers({ cookie: `${name}=${token}` }) })

eachDatabase('While the database of Portaria is away', (database) => {
  if (database.name !== 'postgres') return
  const place = { url: '' }
  const fresh = async () => Object.assign(place, await database.fresh())
  const started = fixtureForSuite({ ...database, fresh })

  it('F13: who was signed in stays so at a node that has not seen them, and is confirmed as soon as it is back', async () => {
    const fixture = started()
    const [app, other] = [fixture.internal(), fixture.internal()]
    const someone = await signedIn(fixture, app)
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    const way = await startProxy(place)
    const node = await startService({ url: way.url }, { environment: { PORTARIA_URL: fixture.proxy.url } })
    fixture.proxy.forward(node.config.port)
    way.cut()
    app.clock.now += 2 * MINUTE
    fixture.proxy.asked()
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    assert.equal(fixture.proxy.count('/auth/check'), 1)
    const carried = carrying('eg_session', tokenOf(someone))
    assert.equal(await reasonOf(other.portaria.session(carried)), 'unconfirmed', 'nobody knows that it is over')

    const bare = await fetch(`${fixture.proxy.url}/auth/check`, { headers: { cookie: `eg_session=${tokenOf(someone)}` } })
    assert.deepEqual(await bare.json(), { authenticated: false, reason: 'invalid_session' })
    assert.deepEqual([bare.status, bare.headers.get('portaria-degraded'), bare.headers.get('retry-after')], [200, 'database', '1'])

    await way.restore()
    await until(async () => (await node.browser().get('/readyz')).status === 200, AT_ONCE)
    for (const one of [app, other]) one.clock.now += 1_000
    await until(async () => {
      for (const one of [app, other]) one.clock.now += 1_000
      return (await reasonOf(other.portaria.session(carried))) === someone.id
    }, AT_ONCE)
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    const again = await fetch(`${fixture.proxy.url}/auth/check`, { headers: { cookie: `eg_session=${tokenOf(someone)}` } })
    assert.deepEqual([again.headers.get('portaria-degraded'), (await again.json()).authenticated], [null, true])
  })
})

describe('While Portaria hangs', () => {
  const started = fixtureForSuite(sqlite)

  it('L12: no view waits for the whole time-out, and one call is under way for all of them', async () => {
    const fixture = started()
    const app = fixture.internal({ timeoutMs: ENDLESS })
    const someone = await signedIn(fixture, app)
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    app.clock.now += 2 * MINUTE
    fixture.proxy.setMode('hangs')
    fixture.proxy.asked()
    const from = performance.now()
    for (let view = 0; view < 20; view++) assert.equal(await reasonOf(someone.at.session()), someone.id)
    assert.ok(performance.now() - from < AT_ONCE)
    assert.equal(fixture.proxy.count('/auth/check'), 1)
  })

  it('L12: what Portaria says behind counts: who was signed out meanwhile is so at the next view', async () => {
    const fixture = started()
    const app = fixture.internal(impatientWith(fixture.proxy))
    const someone = await signedIn(fixture, app)
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    fixture.proxy.setMode('hangs')
    app.clock.now += 2 * MINUTE
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    await until(() => app.faults.length > 0, AT_ONCE)
    await someone.browser.get('/auth/signout')
    fixture.proxy.setMode('passes')
    app.clock.now += 5_000
    await until(async () => (await reasonOf(someone.at.session())) === 'ended', AT_ONCE)
  })

  it('L12: checkAccess answers what it has granted before without waiting, and one call is under way for all', async () => {
    const fixture = started()
    const app = await fixture.external({ timeoutMs: ENDLESS, accessSeconds: 5 })
    const { email } = await fixture.service.user('paga@exemplo.com.br')
    await bring(fixture.service, { ref: 'a line', productId: app.productId, email, kind: 'paid' })
    assert.equal((await app.portaria.checkAccess({ email })).active, true)
    fixture.proxy.setMode('hangs')
    app.clock.now += MINUTE
    const from = performance.now()
    fixture.proxy.asked()
    for (let view = 0; view < 20; view++) assert.equal((await app.portaria.checkAccess({ email })).active, true)
    assert.ok(performance.now() - from < AT_ONCE)
    assert.equal(fixture.proxy.count('/api/saas/check-access'), 1)
  })
})

eachDatabase('A sign-out of an external app while Portaria is down', (database) => {
  const started = fixtureForSuite(database)

  it('L13: is remembered and made again until Portaria has heard it; the app refuses the session meanwhile', async () => {
    const fixture = started()
    const app = await fixture.external()
    const someone = await signedIn(fixture, app)
    const token = tokenOf(someone)
    fixture.proxy.setMode('is down', '/auth/signout')
    const out = await someone.at.open('/auth/sign-out', { headers: OWN })
    assert.equal(out.status, 302)
    assert.equal(await isLive(fixture.service, token, app.apiKey), true)
    assert.equal(await reasonOf(app.portaria.session(carrying(app.cookieName, token))), 'ended')
    await wait(0)
    fixture.proxy.setMode('passes', '/auth/signout')
    await until(async () => !(await isLive(fixture.service, token, app.apiKey)), 3 * AT_ONCE)
    const asked = fixture.proxy.count('/auth/signout')
    assert.ok(asked >= 2)
    await wait(1_500)
    assert.equal(fixture.proxy.count('/auth/signout'), asked, 'and then no more')
  })
})
