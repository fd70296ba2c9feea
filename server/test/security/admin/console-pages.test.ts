import assert from 'node:assert/strict'
import { it } from 'node:test'
import { oneDatabase } from '../../support/databases.ts'
import { startForSuite } from '../../support/service.ts'
import { adminOf, lastAudit, scriptOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

oneDatabase('A page of the console that was opened by one user, in a browser where another has signed in since', (database) => {
  const service = startForSuite(database)

  it('is shown nothing and does nothing: what it asks is refused as nobody’s, whatever the other may', async () => {
    const ana = await adminOf(service(), 'ana@example.com', 'owner')
    const bruno = await adminOf(service(), 'bruno@example.com', 'owner')
    const { id } = await service().user('alvo@example.com')
    const lock = (user: string) => bruno.send('POST', `/users/${id}/disable`, {}, { headers: { 'portaria-user': user } })
    for (const user of [ana.id, `${bruno.id}, ${ana.id}`, `${ana.id}, ${bruno.id}`, bruno.id.toUpperCase(), id, 'x', '']) {
      assertRefused(await lock(user), 401, 'nao autenticado')
      const headers = { origin: service().url, 'sec-fetch-site': 'same-origin', 'portaria-user': user }
      assertRefused(await bruno.browser.request('GET', '/api/admin/me', { headers }), 401, 'nao autenticado')
    }
    assert.equal((await bruno.get(`/users/${id}`)).json<{ disabled_at: string | null }>().disabled_at, null)
    assert.equal((await lock(bruno.id)).status, 200)
    assert.equal((await lastAudit(service(), 'user.disable')).actor, `user:${bruno.id}`)
  })

  it('is no matter of scripts, which are nobody’s browser', async () => {
    const script = await scriptOf(service(), 'support')
    const { id } = await service().user('roteiro@example.com')
    const locked = await script.send('POST', `/users/${id}/disable`, {}, { headers: { 'portaria-user': 'x' } })
    assert.equal(locked.status, 200, locked.text)
  })
})
