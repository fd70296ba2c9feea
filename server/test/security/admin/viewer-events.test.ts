import assert from 'node:assert/strict'
import { it } from 'node:test'
import { recordEvent } from '../../../src/app-events/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startService } from '../../support/service.ts'
import { adminOf } from '../../support/users/admins.ts'

/** An app may know its users by any text: by a tax id, or a name. */
const OWN_ID = '529.982.247-25'

eachDatabase('Events', (database) => {
  it("have no id of an app's own for a viewer, as subscriptions have none", async () => {
    const service = await startService(await database.fresh())
    const { storage } = service.context
    const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
    const types = ['subscription.created', 'access.granted'] as const
    const { id } = await addEndpoint(service, { url: 'http://localhost:1/hooks', product: 'loja', types })
    const at = service.clock.now
    const data = { product_id: product.id, user_id: null, product_user_id: OWN_ID, status: 'active' }
    await storage.transaction((tx) => recordEvent(tx, { type: types[0], productId: product.id, subject: 's', sequence: 1, data }, at))
    const granted = { product_id: product.id, user_id: OWN_ID, active: true }
    await storage.transaction((tx) =>
      recordEvent(tx, { type: types[1], productId: product.id, subject: OWN_ID, sequence: 1, data: granted }, at),
    )
    const [owner, viewer] = [await adminOf(service, 'dona@example.com', 'owner'), await adminOf(service, 've@example.com', 'viewer')]
    const ids = (await owner.get('/events')).json<{ data: Array<{ id: string }> }>().data.map((event) => event.id)
    assert.equal(ids.length, 2)
    for (const path of ['/events', ...ids.map((one) => `/events/${one}`), `/deliveries?endpoint=${id}`]) {
      const [all, some] = [await owner.get(path), await viewer.get(path)]
      assert.deepEqual([all.status, some.status], [200, 200], path)
      assert.ok(!some.text.includes(OWN_ID), `${path}: ${some.text}`)
    }
    assert.ok((await owner.get('/events')).text.includes(OWN_ID))
  })
})
