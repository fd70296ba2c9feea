import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { isLive, openShop } from '../../support/faults/actions.ts'
import { ask, canWrite, sellAt, signIn, signOutEach } from '../../support/faults/failing-over.ts'
import { startWays } from '../../support/faults/poolers.ts'
import { assertProcessed } from '../../support/gateways/purchase-truth.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startPostgres, startStandby } from '../../support/postgres.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const WRITES_BACK_MS = 5_000
const environment = { PORTARIA_URL: 'http://sso.exemplo.test', ...WEBHOOKS }

describe('Nodes behind HAProxy and PgBouncer whose database fails over', () => {
  it('F5: answer checks all along, write again within 5 s, hear of each other and have lost nothing that was acknowledged', async (t) => {
    const primary = await startPostgres('on_disk')
    after(() => primary.stop())
    const standby = await startStandby(primary, { through: primary.url })
    after(() => standby.stop())
    await ask(primary.url, "alter system set synchronous_standby_names = '*'")
    await ask(primary.url, 'select pg_reload_conf()')

    const { urls, onPromoted, by } = await startWays(primary, standby)
    t.diagnostic(by)
    const nodes: TestService[] = []
    for (const url of urls) nodes.push(await startService({ url }, { environment }))
    const [first, ...others] = nodes
    if (!first) throw new Error('no nodes')
    const selling = sellAt(nodes, (await openShop(first)).product.id)
    const users = [await signIn(first, 'ana@exemplo.com.br'), await signIn(first, 'bia@exemplo.com.br')]
    const areLive = async () => !(await Promise.all(nodes.flatMap((node) => users.map(({ token }) => isLive(node, token))))).includes(false)
    await until(areLive)
    await until(() => selling.book.acknowledged.size >= 60)
    await primary.kill()
    assert.equal(await areLive(), true)
    await ask(standby.url, 'select pg_promote()')
    onPromoted()
    assert.equal(await areLive(), true)
    await Promise.all(nodes.map((node) => until(() => canWrite(node), WRITES_BACK_MS)))
    for (const [i, node] of others.entries()) await signOutEach(users.slice(i, i + 1), node)
    await selling.stop()
    await assertProcessed(selling.book, first.context.storage)
  })
})
