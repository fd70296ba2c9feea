import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endpointStore } from '../../../src/app-events/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startEventReceiver } from '../../support/events/event-receiver.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { adminOf, lastAudit, versionOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

eachDatabase('An endpoint that is changed', (database) => {
  const service = startForSuite(database)

  it('goes on at its new address with the same secret, and what waits goes there, too', async () => {
    const admin = await adminOf(service(), 'dona@example.com', 'owner')
    const { product } = await service().product({ slug: 'mudou', audience: 'external', checkout: 'external' })
    const [old, next] = [await startEventReceiver(), await startEventReceiver()]
    old.answers(() => ({ status: 500 }))
    const { id } = await addEndpoint(service(), { url: old.url, product: 'mudou' })
    const { email } = await service().user('ana@exemplo.com.br')
    await bring(service(), { kind: 'paid', email, productId: product.id, ref: 'ana' })
    await until(() => old.received.length === 1)
    await until(async () => (await admin.get(`/endpoints/${id}`)).json<{ state: string }>().state === 'failing')
    const version = versionOf(await admin.get(`/endpoints/${id}`))
    const changed = await admin.send('PATCH', `/endpoints/${id}`, { url: next.url, description: 'nova', reason: 'mudança' }, { version })
    assert.equal(changed.status, 200, changed.text)
    const { url, state, description } = changed.json<Record<string, unknown>>()
    assert.deepEqual([url, state, description], [next.url, 'enabled', 'nova'])
    const { before, after, reason } = await lastAudit(service(), 'endpoint.change')
    assert.deepEqual([before?.url, after?.url, after?.description, reason], [old.url, next.url, 'nova', 'mudança'])
    service().clock.now += 60_000
    await until(() => next.received.length === 1)
    assert.equal(next.received[0]?.id, old.received[0]?.id)
    assertRefused(await admin.send('PATCH', `/endpoints/${id}`, { description: '' }, { version }), 412, 'alterado por outra pessoa')
    assertRefused(await admin.send('PATCH', `/endpoints/${id}`, { description: '' }), 428, 'If-Match ausente')
  })

  it('to hear of access is preparing until every user is known, and hears of changes from then on', async () => {
    const admin = await adminOf(service(), 'outra@example.com', 'owner')
    const { product } = await service().product({ slug: 'ouve', audience: 'external', checkout: 'external' })
    const receiver = await startEventReceiver()
    const { id } = await addEndpoint(service(), { url: receiver.url, product: 'ouve' })
    // As an endpoint that has chosen nothing of access: none of the types that it could choose now is another.
    await service().context.storage.db.updateTable('event_endpoints').set({ types: 'session.revoked' }).where('id', '=', id).execute()
    const buy = async (name: string, ref: string) => {
      await bring(service(), { kind: 'paid', email: `${name}@exemplo.com.br`, productId: product.id, ref })
    }
    await service().user('bia@exemplo.com.br')
    await service().user('caio@exemplo.com.br')
    await buy('bia', 'bia')
    const version = versionOf(await admin.get(`/endpoints/${id}`))
    const changed = await admin.send('PATCH', `/endpoints/${id}`, { types: ['access.granted', 'access.granted'] }, { version })
    assert.deepEqual(
      [changed.json<{ state: string }>().state, changed.json<{ types: string[] }>().types],
      ['preparing', ['access.granted']],
    )
    await until(async () => (await endpointStore(service().context.storage.db).findById(id))?.readyAt !== undefined)
    await buy('caio', 'caio')
    await until(() => receiver.received.length === 1)
    const caio = await service()
      .context.storage.db.selectFrom('users')
      .select('id')
      .where('email', '=', 'caio@exemplo.com.br')
      .executeTakeFirst()
    assert.deepEqual([receiver.types(), receiver.received[0]?.event.data.user_id], [['access.granted'], caio?.id])
  })

  it('is refused what an endpoint can not be, and by whoever may not change it, and stays as it was', async () => {
    const admin = await adminOf(service(), 'terceira@example.com', 'owner')
    const viewer = await adminOf(service(), 'vendo@example.com', 'viewer')
    const { id } = await addEndpoint(service(), { url: 'https://app.example.com/hooks' })
    const shown = await admin.get(`/endpoints/${id}`)
    const version = versionOf(shown)
    for (const [wrong, field] of [
      [{ url: 'http://app.example.com/' }, 'url'],
      [{ url: 'https://me:secret@app.example.com/' }, 'url'],
      [{ url: 'https://app.example.com/#a' }, 'url'],
      [{ types: [] }, 'types'],
      [{ types: ['all'] }, 'types.0'],
      [{ description: 'a\nb' }, 'description'],
      [{ product: 'loja' }, 'product'],
      [{ secret: 'whsec_mine' }, 'secret'],
    ] as const) {
      const answer = await admin.send('PATCH', `/endpoints/${id}`, wrong, { version })
      assert.deepEqual([answer.status, Object.keys(answer.json<{ fields: object }>().fields)], [400, [field]], answer.text)
    }
    assert.equal((await viewer.send('PATCH', `/endpoints/${id}`, { description: 'x' }, { version })).status, 403)
    assert.deepEqual((await admin.get(`/endpoints/${id}`)).json(), shown.json())
  })
})
