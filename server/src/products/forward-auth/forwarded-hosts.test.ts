import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../../test/support/databases.ts'
import { startService } from '../../../test/support/service.ts'
import { forwarded } from '../../../test/support/users/forwarded.ts'
import type { ChangeEvent } from '../../changes/index.ts'
import { createForwardedHosts } from './forwarded-hosts.ts'

const HOST = 'localhost:4999'

eachDatabase('The memory of hosts behind a proxy', (database) => {
  it('is read once, and anew after a change of any product, also one that comes while it is being read', async () => {
    const service = await startService(await database.fresh())
    await forwarded(service, 'wiki', { host: HOST })
    let hear: (change: ChangeEvent) => void = () => assert.fail('nobody follows')
    const changes = {
      follow(follower: typeof hear) {
        hear = follower
      },
    }
    const hosts = createForwardedHosts({ storage: service.context.storage, changes, baseUrl: service.url })
    const change = () => hear({ kind: 'product_changed', subject: 'p' } as ChangeEvent)
    assert.equal(hosts.remembered(HOST), 'unread')
    const first = (await hosts.find(HOST)) ?? assert.fail()
    assert.deepEqual([hosts.remembered(HOST) === first, hosts.isCurrent(first), first.origin], [true, true, `http://${HOST}`])
    assert.equal(hosts.remembered('localhost:5000'), undefined, 'an unknown host is known to be none')
    change()
    assert.deepEqual([hosts.remembered(HOST), hosts.isCurrent(first)], ['unread', false])
    const underWay = hosts.find(HOST)
    change()
    const late = (await underWay) ?? assert.fail()
    assert.deepEqual([hosts.remembered(HOST) === late, hosts.isCurrent(late)], [true, true])
  })
})
