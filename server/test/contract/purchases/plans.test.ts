import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startService } from '../../support/service.ts'

eachDatabase('GET /api/plans/public', (database) => {
  const start = async () => startService(await database.fresh())

  it('answers the three first plans in price order, in centavos, to anyone on any site', async () => {
    const service = await start()
    const answer = await fetch(`${service.url}/api/plans/public`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=60')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    assert.deepEqual(await answer.json(), [
      { slug: 'easy-standard', name: 'Easy Standard', price: 4900 },
      { slug: 'easy-pro', name: 'Easy Pro', price: 9900 },
      { slug: 'easy-enterprise', name: 'Easy Enterprise', price: 29900 },
    ])
  })

  it('answers 304 to who has the ETag already, until a plan changes', async () => {
    const service = await start()
    const get = (headers = {}) => fetch(`${service.url}/api/plans/public`, { headers })
    const etag = (await get()).headers.get('etag') ?? ''
    assert.match(etag, /^"[\w-]+"$/)
    const same = await get({ 'if-none-match': etag })
    assert.deepEqual([same.status, await same.text()], [304, ''])
    await setPlan({ slug: 'easy-pro', name: 'Easy Pro', price: 1_900 }, { ...service.context, actor: 'operator:test' })
    const changed = await get({ 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
    assert.deepEqual(
      ((await changed.json()) as Array<{ slug: string }>).map(({ slug }) => slug),
      ['easy-pro', 'easy-standard', 'easy-enterprise'],
    )
  })

  it("leaves a product's own plans out", async () => {
    const service = await start()
    await service.product({ slug: 'loja', audience: 'external' })
    await setPlan({ slug: 'loja-basic', name: 'Basic', price: 100, productSlug: 'loja' }, { ...service.context, actor: 'operator:test' })
    assert.doesNotMatch(await (await fetch(`${service.url}/api/plans/public`)).text(), /loja-basic/)
  })
})
