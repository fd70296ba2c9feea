import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onPostgres } from '../../support/databases.ts'
import { check, openShop, sessionOf } from '../../support/faults/actions.ts'
import { freePort } from '../../support/free-port.ts'
import { newBook, sell, sendAgain } from '../../support/gateways/purchase-senders.ts'
import { assertAsNotified, assertProcessed } from '../../support/gateways/purchase-truth.ts'
import { completed, signed, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { environmentBeside, startServer } from '../../support/server-process.ts'
import { PASSWORD, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const SENDERS = 8
const PROPAGATION_MS = 2_000

onPostgres('Purchases at one of two nodes', (database) => {
  it('are taken in without a pause while the other starts, stops, and is killed', async () => {
    // A connection for each request: nobody waits in line behind a slow commit.
    const node = await startService(await database.fresh(), { environment: { ...WEBHOOKS, PORTARIA_DATABASE_CONNECTIONS: '16' } })
    const shop = await openShop(node)
    const users = [await node.user('ana@exemplo.com.br'), await node.user('bia@exemplo.com.br')]
    const [stays, leaves, state] = [newBook(), newBook(), { isOver: false }]
    const known = users.map(({ email }) => email)
    const to = { productId: shop.product.id, known, isOver: () => state.isOver }
    const selling = Array.from({ length: SENDERS }, () => sell(node.url, { book: stays, ...to }))
    const port = await freePort()
    const environment = { ...environmentBeside(node, { port }), ...WEBHOOKS }
    const endings = ['SIGTERM', 'SIGKILL'] as const
    for (const ending of endings) {
      const other = await startServer(environment)
      const before = leaves.acknowledged.size
      const sellingThere = Promise.allSettled(
        Array.from({ length: SENDERS }, () => sell(`http://localhost:${port}`, { book: leaves, ...to })),
      )
      await until(() => leaves.acknowledged.size >= before + 5)
      other.child.kill(ending)
      await other.exited
      await sellingThere
    }
    state.isOver = true
    await Promise.all(selling)
    assert.deepEqual([...stays.answers.keys()], [200])
    await sendAgain(node.url, leaves)
    const all = { ...stays, acknowledged: new Map([...stays.acknowledged, ...leaves.acknowledged]) }
    await assertProcessed(all, node.context.storage)
    await assertAsNotified(node.url, [...all.acknowledged.values()], { apiKey: shop.apiKey, users })
  })

  it('show as the plan of a user who is signed in at the other, within two seconds', async () => {
    const fresh = await database.fresh()
    const environment = { ...WEBHOOKS, PORTARIA_URL: 'http://sso.exemplo.test' }
    const [a, b] = [await startService(fresh, { environment }), await startService(fresh, { environment })]
    const { email } = await a.user('ana@exemplo.com.br')
    const browser = a.browser()
    await browser.signIn('/login', { email, password: PASSWORD })
    const plan = async () => (await check(a, sessionOf(browser))).session?.plan_slug
    assert.equal(await plan(), null)
    const headers = { 'content-type': 'application/json' }
    const body = signed(completed({ email, plan: 'easy-pro' }))
    assert.equal((await b.browser().request('POST', '/api/webhook/payment', { headers, body })).status, 200)
    await until(async () => (await plan()) === 'easy-pro', PROPAGATION_MS)
  })
})
