import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../../../test/support/databases.ts'
import { startForSuite } from '../../../../test/support/service.ts'
import { endpointStore } from '../../../app-events/index.ts'
import { readConfiguration } from '../form/read-configuration.ts'
import type { ApplyOptions } from './applied.ts'
import { applyConfiguration } from './apply.ts'
import type { ApplyDeps } from './step.ts'

eachDatabase('An application of settings', (database) => {
  const service = startForSuite(database)
  const apply = async (text: string, options: Partial<ApplyOptions> = {}, deps: Partial<ApplyDeps> = {}) => {
    const configuration = readConfiguration(text)
    assert.ok(!('faults' in configuration), text)
    const { context } = service()
    const file = { configuration, secrets: new Map(), images: new Map() }
    const all = { ...context, ...context.config, actor: 'operator:test', onFault: assert.ifError, ...deps }
    const applied = await applyConfiguration(file, { prunes: false, takesOver: false, ...options }, all)
    assert.ok(!('refusal' in applied), JSON.stringify(applied))
    return applied
  }

  it('answers the keys of what it has made though the removal of an endpoint failed, and removes that the next time', async () => {
    const { storage } = service().context
    await apply('portaria: 1\nendpoints: {ops: {url: "https://ops.example/", types: [access.granted]}}')
    const faults: unknown[] = []
    const away = { ...storage, transaction: () => Promise.reject(new Error('the database is away')) }
    const file = 'portaria: 1\nproducts: {shop: {audience: external, checkout: external}}'
    const applied = await apply(file, { prunes: true }, { storage: away, onFault: (fault) => faults.push(fault) })
    assert.match(applied.products[0]?.apiKey ?? '', /^sk_/)
    assert.deepEqual([applied.unremoved, faults.length], [['endpoints.ops'], 1])
    const [left] = await endpointStore(storage.db).list()
    assert.equal(left?.disabledReason, 'operator')
    assert.deepEqual((await apply(file, { prunes: true })).unremoved, [])
    assert.deepEqual(await endpointStore(storage.db).list(), [])
  })
})
