import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { reportDue } from '../../../server/src/access/reported/report-access.ts'
import { createEndpoint } from '../../../server/src/event-delivery/index.ts'
import { eachDatabase } from '../../../server/test/support/databases.ts'
import { bring } from '../../../server/test/support/gateways/purchases.ts'
import { until } from '../../../server/test/support/until.ts'
import { type PortariaEvent, receiveEvents } from '../../src/events/index.ts'
import { fixtureForSuite, signedIn } from '../fixture.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const CHECK = '/auth/check'
const CHECK_ACCESS = '/api/saas/check-access'

/** An app that receives what Portaria has recorded for it. */
async function openReceiver(fixture: ReturnType<ReturnType<typeof fixtureForSuite>>) {
  const { service } = fixture
  const events: PortariaEvent[] = []
  const onEvent = receiveEvents((event) => events.push(event), { secret: SECRET })
  const app = await fixture.external({ onEvent })
  const { slug } = await service.context.storage.db
    .selectFrom('products')
    .select('slug')
    .where('id', '=', app.productId)
    .executeTakeFirstOrThrow()
  const types = ['access.granted', 'access.changed', 'access.revoked'] as const
  const endpoint = { productSlug: slug, url: `${app.origin}/auth/events`, types, description: '' }
  assert.ok('secret' in (await createEndpoint(endpoint, { ...service.context, actor: 'operator:test', isDevelopment: false })))
  // The endpoint is ready once the scan for it is through.
  await until(async () => {
    await reportDue(service.context)
    return (
      (await service.context.storage.db.selectFrom('event_endpoints').select('id').where('ready_at', 'is', null).execute()).length === 0
    )
  })
  /** All of this app's, again where they have been delivered before. */
  const deliver = async () => {
    await reportDue(service.context)
    const rows = await service.context.storage.db.selectFrom('app_events').selectAll().where('product_id', '=', app.productId).execute()
    for (const { id, type, occurred_at, data } of rows) {
      const body = `{"type":"${type}","timestamp":"${new Date(occurred_at).toISOString()}","data":${data}}`
      const at = new Date()
      const signature = new Webhook(SECRET).sign(id, at, body)
      const headers = { 'webhook-id': id, 'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`, 'webhook-signature': signature }
      const answer = await app.portaria.handle(new Request(endpoint.url, { method: 'POST', headers, body }))
      assert.equal(answer?.status, 200)
    }
  }
  return { app, events, deliver }
}

eachDatabase('An app that Portaria tells of a purchase', (database) => {
  const started = fixtureForSuite(database)

  it('knows the new plan at its next look, within the minute, and asks once for it', async () => {
    const fixture = started()
    const { app, events, deliver } = await openReceiver(fixture)
    const someone = await signedIn(fixture, app)
    const other = await signedIn(fixture, app)
    const plan = async () => {
      // What `@portaria/client/react` asks when its window is looked at.
      const { text } = await someone.at.open('/api/auth/session', { headers: { accept: 'application/json', 'sec-fetch-dest': 'empty' } })
      return JSON.parse(text).user.planSlug
    }
    const about = { ref: `order ${someone.email}`, productId: app.productId, email: someone.email }
    assert.equal(await plan(), null)
    await bring(fixture.service, { ...about, kind: 'paid' })
    assert.equal(await plan(), null, 'the session was confirmed less than a minute ago')
    // The service reports in the background too: what it has under way is not there yet.
    await until(async () => {
      await deliver()
      return events.length === 1
    })
    fixture.proxy.asked()
    // A look does not wait for an answer that takes longer than usual, and the next one has it.
    await until(async () => typeof (await plan()) === 'string')
    const bought = await plan()
    assert.equal(await plan(), bought)
    assert.equal((await other.at.session()).status, 'signed_in')
    assert.deepEqual(fixture.proxy.asked(), [CHECK], 'once, and for nobody else')
    const [event] = events
    assert.ok(event?.type === 'access.granted')
    assert.deepEqual([event.userId, event.access], [someone.id, await app.portaria.checkAccess({ userId: someone.id })])
    await deliver()
    assert.equal(events.length, 1)
  })

  it('does not go on with a grant that it remembers, even while Portaria is away', async () => {
    const fixture = started()
    const { app, events, deliver } = await openReceiver(fixture)
    const someone = await signedIn(fixture, app)
    const about = { ref: `order ${someone.email}`, productId: app.productId, email: someone.email }
    await bring(fixture.service, { ...about, kind: 'paid' })
    // The service reports in the background too: what it has under way is not there yet.
    const delivered = (count: number) =>
      until(async () => {
        await deliver()
        return events.length === count
      })
    await delivered(1)
    const isActive = async () => (await app.portaria.checkAccess({ userId: someone.id })).active
    assert.equal(await isActive(), true)
    fixture.proxy.asked()
    assert.equal(await isActive(), true)
    assert.equal(fixture.proxy.count(CHECK_ACCESS), 0)
    await bring(fixture.service, { ...about, kind: 'refunded' })
    await delivered(2)
    fixture.proxy.setMode('is down')
    await assert.rejects(isActive(), { code: 'unavailable' })
    fixture.proxy.setMode('passes')
    assert.equal(await isActive(), false)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['access.granted', 'access.revoked'],
    )
  })
})
