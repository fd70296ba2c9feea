import assert from 'node:assert/strict'
import { it } from 'node:test'
import { adminOf, giveRole, listAll, scriptOf, versionOf } from '../admins.ts'
import { eachDatabase } from '../databases.ts'
import { startForSuite } from '../service.ts'
import { assertRefused } from './steps.ts'

eachDatabase('People in the admin API', (database) => {
  const service = startForSuite(database)

  it('are listed page by page, newest first, or by address, each of them once', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const emails = ['caio', 'ana', 'bia', 'davi', 'eva'].map((name) => `lista-${name}@example.com`)
    for (const email of emails) await service().user(email)
    const listed = async (query: string) => (await listAll(owner, `/users?q=lista-${query}`)).map(({ email }) => email)
    assert.deepEqual(await listed(''), emails.toReversed())
    assert.deepEqual(await listed('&sort=created_at'), emails)
    assert.deepEqual(await listed('&sort=email'), emails.toSorted())
    assert.deepEqual(await listed('&sort=-email'), emails.toSorted().reverse())
  })

  it('are listed by what is asked for alone: unknown words, and places of another list or order, are refused', async () => {
    const owner = await adminOf(service(), 'lugar@example.com', 'owner')
    const page = (await owner.get('/users?limit=1&sort=email')).json<{ next_cursor: string }>().next_cursor
    assert.equal((await owner.get(`/users?limit=1&sort=email&cursor=${page}`)).status, 200)
    for (const cursor of [`x${page}`, `${page}x`, page.replace('.', ''), page.split('.')[0] ?? '', 'WzEsMl0.', '%00'])
      assertRefused(await owner.get(`/users?limit=1&sort=email&cursor=${cursor}`), 400, 'cursor invalido')
    assertRefused(await owner.get(`/users?limit=1&sort=-email&cursor=${page}`), 400, 'cursor invalido')
    for (const [query, field, word] of [
      ['limit=0', 'limit', 'custom'],
      ['limit=101', 'limit', 'custom'],
      ['limit=1e1', 'limit', 'invalid_format'],
      ['sort=password_hash', 'sort', 'invalid_value'],
      ['page=2', 'page', 'unknown'],
      ['disabled=yes', 'disabled', 'invalid_value'],
      ['limit=1&limit=2', 'limit', 'repeated'],
    ] as const) {
      const answer = await owner.get(`/users?${query}`)
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'Payload invalido', fields: { [field]: word } }], query)
    }
  })

  it('are changed by whoever has seen them as they are; the second of two editors is told', async () => {
    const owner = await adminOf(service(), 'dono@example.com', 'owner')
    const { id } = await service().user('editada@example.com')
    const seen = versionOf(await owner.get(`/users/${id}`))
    const first = await owner.send('PATCH', `/users/${id}`, { rank_name: 'Ouro', reason: 'pediu por telefone' }, { version: seen })
    assert.equal(first.status, 200, first.text)
    assert.equal(first.json<{ rank_name: string }>().rank_name, 'Ouro')
    const second = await owner.send('PATCH', `/users/${id}`, { rank_name: 'Prata' }, { version: seen })
    assertRefused(second, 412, 'alterado por outra pessoa')
    assert.equal((await owner.get(`/users/${id}`)).json<{ rank_name: string }>().rank_name, 'Ouro')
    assert.equal(versionOf(await owner.get(`/users/${id}`)), versionOf(first))
    assertRefused(await owner.send('PATCH', `/users/${id}`, { rank_name: 'Prata' }), 428, 'If-Match ausente')
    const entry = await service()
      .house.storage.db.selectFrom('audit')
      .selectAll()
      .where('target', '=', id)
      .where('action', '=', 'user.change')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual([entry.actor, entry.reason, entry.after], [`user:${owner.id}`, 'pediu por telefone', '{"rankName":"Ouro"}'])
    assert.match(entry.ip ?? '', /^(127\.0\.0\.1|::1)$/)
  })

  it('are locked down by support, but nobody who has power', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const { id } = await service().user('presa@example.com')
    const disabled = await support.send('POST', `/users/${id}/disable`, { reason: 'conta invadida' })
    assert.notEqual(disabled.json<{ disabled_at: string | null }>().disabled_at, null)
    const { id: viewer } = await service().user('vista@example.com')
    await giveRole(service(), 'vista@example.com', 'viewer')
    assertRefused(await support.send('POST', `/users/${viewer}/disable`, {}), 403, 'nao permitido')
    assertRefused(await (await scriptOf(service(), 'viewer')).send('POST', `/users/${id}/disable`, {}), 403, 'nao permitido')
  })
})
