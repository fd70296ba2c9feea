import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../support/databases.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { NOBODY, readOperations } from '../../support/routes/admin-operations.ts'
import { startForSuite } from '../../support/service.ts'
import { adminOf, giveRole, scriptOf, versionOf } from '../../support/users/admins.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const operations = readOperations(NOBODY)
const WHY = { reason: 'a test' }

eachDatabase('Requests to the admin API', (database) => {
  const service = startForSuite(database)

  it('with a method that an address does not have are answered with those it has, and nothing is kept by any cache', async () => {
    const script = await scriptOf(service(), 'owner')
    const authorization = `Bearer ${script.key}`
    const browser = service().browser({ authorization })
    for (const path of new Set(operations.map((one) => one.path))) {
      await service().context.storage.db.deleteFrom('rate_limits').execute()
      const has = methodsOf(path)
      // An action on none of them all, as /jobs/retry-dead, could be the name of one.
      const named = methodsOf(path.replace(/[^/]+$/, NOBODY))
      for (const method of METHODS) {
        const answer = await browser.request(method, `/api/admin${path}`)
        assert.equal(answer.headers.get('cache-control'), 'no-store', `${method} ${path}`)
        assert.equal(answer.headers.get('access-control-allow-origin'), null)
        if (method === 'HEAD') assert.equal(answer.text, '')
        if (has.has(method) || named.has(method)) continue
        assert.equal(answer.status, 405, `${method} ${path}`)
        assert.deepEqual(new Set(answer.headers.get('allow')?.split(', ')), new Set([...has, ...named]), `${method} ${path}`)
      }
    }
    for (const path of ['', '/', '/nothing', '/users/', '/Users', '/users//x', `/users/${NOBODY}/`, '/../admin/users'])
      assert.equal((await browser.request('PUT', `/api/admin${path}`)).status, path === '/../admin/users' ? 405 : 404, path)
  })

  it('that another page had a browser send do nothing, in whatever form: an app of the family, a sandbox, a form, plain text', async () => {
    const { browser } = await adminOf(service(), 'levada@example.com', 'owner')
    const { id } = await service().user('alvo@example.com')
    const { host, port } = new URL(service().url)
    const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']
    for (const origin of [
      'null',
      '',
      `http://app.${host}`,
      `https://${host}`,
      `${service().url}/`,
      `${service().url}.evil.example`,
      `http://localhost:1${port}`,
    ])
      for (const type of types) {
        const headers = { origin, 'sec-fetch-site': 'same-origin', ...(type !== '' && { 'content-type': type }) }
        const answer = await browser.request('POST', `/api/admin/users/${id}/disable`, { headers, body: '{}' })
        assert.deepEqual([answer.status, answer.json().error], [403, 'origem nao permitida'], `${origin} ${type}`)
      }
    for (const type of types.slice(1)) {
      const headers = { origin: service().url, ...(type !== '' && { 'content-type': type }) }
      const answer = await browser.request('POST', `/api/admin/users/${id}/disable`, { headers, body: '{"reason":"x"}' })
      assert.deepEqual([answer.status, answer.json().error], [400, 'Payload invalido'], type)
    }
    const twice = await browser.request('POST', `/api/admin/users/${id}/disable?a=1&a=1`, { headers: { origin: service().url } })
    assert.deepEqual(twice.json(), { error: 'Payload invalido', fields: { a: 'repeated' } })
    const row = await service().context.storage.db.selectFrom('users').select('disabled_at').where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(row.disabled_at, null)
  })

  it('of who has just been locked out, signed out, or has lost role or token, are heard no more', async () => {
    const owner = await adminOf(service(), 'chefe@example.com', 'owner')
    const read = ['/users?limit=1', 200] as const
    for (const [email, action, status] of [
      ['trancada@example.com', (id: string) => owner.send('POST', `/users/${id}/disable`, {}), 401],
      ['saida@example.com', (id: string) => owner.send('POST', `/users/${id}/revoke-sessions`, {}), 401],
      ['apagada@example.com', (id: string) => owner.send('DELETE', `/users/${id}`, WHY), 401],
      ['rebaixada@example.com', (id: string) => owner.send('DELETE', `/administrators/${id}`, {}), 403],
    ] as const) {
      const admin = await adminOf(service(), email, 'support')
      assert.equal((await admin.get(read[0])).status, read[1])
      assert.equal((await action(admin.id)).status, 200)
      assert.equal((await admin.get(read[0])).status, status, email)
    }
    const script = await scriptOf(service(), 'support')
    const { db } = service().context.storage
    await db
      .updateTable('admin_tokens')
      .set({ expires_at: service().clock.now + 1_000 })
      .where('id', '=', script.id)
      .execute()
    assert.equal((await script.get(read[0])).status, 200)
    service().clock.now += 1_000
    assert.equal((await script.get(read[0])).status, 401)
  })

  it('that race each other are done one after the other: a token ends once, a purchase has one owner, one of two editors is warned', async () => {
    const owner = await adminOf(service(), 'corrida@example.com', 'owner')
    const users = await Promise.all(['a', 'b', 'c', 'd'].map((name) => service().user(`corre-${name}@example.com`)))
    for (let round = 0; round < 3; round++) {
      const { id: token } = (await owner.send('POST', '/tokens', { name: 'x', role: 'viewer' })).json()
      const revoked = await Promise.all(Array.from({ length: 4 }, () => owner.send('DELETE', `/tokens/${token}`, {})))
      assert.deepEqual(revoked.map(({ status }) => status).toSorted(), [200, 404, 404, 404])
      const bought = await bring(service(), {
        ref: `race ${round}`,
        kind: 'paid',
        email: 'g@example.com',
        periodEnd: service().clock.now + 9e7,
      })
      const moves = await Promise.all(users.map(({ id }) => owner.send('POST', `/subscriptions/${bought.id}/move`, { ...WHY, to: id })))
      for (const { status, text } of moves) assert.equal(status, 200, text)
      const { user_id } = (await owner.get(`/subscriptions/${bought.id}`)).json()
      assert.ok(users.some(({ id }) => id === user_id))
      const [user] = users
      const version = versionOf(await owner.get(`/users/${user?.id}`))
      const edits = ['Uma', 'Duas', 'Três'].map((name) =>
        owner.send('PATCH', `/users/${user?.id}`, { name: `${name} ${round}` }, { version }),
      )
      assert.deepEqual((await Promise.all(edits)).map(({ status }) => status).toSorted(), [200, 412, 412])
    }
  })

  it('that make a user an administrator and act for them at once leave nobody acting for an administrator', async () => {
    for (let round = 0; round < 4; round++) {
      const owner = await adminOf(service(), `age-${round}@example.com`, 'owner')
      const other = await adminOf(service(), `faz-${round}@example.com`, 'owner')
      const { id, email } = await service().user(`vira-${round}@example.com`)
      const [changed] = await Promise.all([
        owner.send('POST', `/users/${id}/impersonate`, WHY),
        round % 2 === 0 ? other.send('POST', '/administrators', { email, role: 'owner' }) : other.send('POST', `/users/${id}/disable`, {}),
      ])
      assert.ok([200, 409].includes(changed.status), changed.text)
      const check = await owner.browser.request('GET', '/auth/check')
      assert.ok(check.json<{ session?: { sub?: string } | null }>().session?.sub !== id, check.text)
      await giveRole(service(), email, null)
    }
  })
})

function methodsOf(path: string): Set<string> {
  const methods = operations.filter((one) => one.path === path).map(({ method }) => method)
  return new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])
}
