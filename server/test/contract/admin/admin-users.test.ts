import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { identityStore } from '../../../src/users/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startForSuite } from '../../support/service.ts'
import { adminOf, giveRole, lastAudit, listAll, scriptOf, versionOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

eachDatabase('Users in the admin API', (database) => {
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
    for (const cursor of [`x${page}`, `${page}x`, page.replace('.', ''), page.split('.')[0] ?? '', 'WzEsMl0.'])
      assertRefused(await owner.get(`/users?limit=1&sort=email&cursor=${cursor}`), 400, 'cursor invalido')
    assertRefused(await owner.get(`/users?limit=1&sort=-email&cursor=${page}`), 400, 'cursor invalido')
    for (const [query, field, code] of [
      ['limit=0', 'limit', 'custom'],
      ['limit=101', 'limit', 'custom'],
      ['limit=1e1', 'limit', 'invalid_format'],
      ['sort=password_hash', 'sort', 'invalid_value'],
      ['page=2', 'page', 'unknown'],
      ['disabled=yes', 'disabled', 'invalid_value'],
      ['limit=1&limit=2', 'limit', 'repeated'],
      ['q=%00', 'q', 'unstorable'],
    ] as const) {
      const answer = await owner.get(`/users?${query}`)
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'Payload invalido', fields: { [field]: code } }], query)
    }
  })

  it('are changed by whoever has seen them as they are; the second of two editors is warned', async () => {
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
      .context.storage.db.selectFrom('audit')
      .selectAll()
      .where('target', '=', id)
      .where('action', '=', 'user.change')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual([entry.actor, entry.reason, entry.after], [`user:${owner.id}`, 'pediu por telefone', '{"rankName":"Ouro"}'])
    assert.match(entry.ip ?? '', /^(127\.0\.0\.1|::1)$/)
  })

  it('keep in the audit log that a field was emptied, and that someone became a beta user', async () => {
    const owner = await adminOf(service(), 'anotada@example.com', 'owner')
    const { id } = await service().user('esvaziada@example.com')
    const change = async (body: object) => {
      const version = versionOf(await owner.get(`/users/${id}`))
      assert.equal((await owner.send('PATCH', `/users/${id}`, body, { version })).status, 200)
      const { before, after } = await lastAudit(service(), 'user.change')
      return [before, after]
    }
    assert.deepEqual(await change({ rank_name: 'Ouro', beta: true }), [
      { rankName: null, beta: false },
      { rankName: 'Ouro', beta: true },
    ])
    assert.deepEqual(await change({ rank_name: null }), [{ rankName: 'Ouro' }, { rankName: null }])
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

  it('are made with an invitation by mail, which verifies the address', async () => {
    const support = await adminOf(service(), 'convida@example.com', 'support')
    const made = await support.send('POST', '/users', {
      email: ' Nova@Example.com ',
      name: 'Nova Pessoa',
      is_producer: true,
      reason: 'evento',
    })
    assert.equal(made.status, 201, made.text)
    const user = made.json<{ id: string; email: string; verified_at: null; is_producer: boolean; has_password: boolean }>()
    assert.deepEqual([user.email, user.verified_at, user.is_producer, user.has_password], ['nova@example.com', null, true, false])
    const { db } = service().context.storage
    const invited = async () =>
      (await db.selectFrom('outbox').select('id').execute()).length > 0 ||
      (await db.selectFrom('sent_mails').select('id').where('user_id', '=', user.id).execute()).length > 0
    assert.ok(await invited())
    for (const [body, fields] of [
      [{ email: 'nova@example.com', name: 'X' }, { email: 'email_taken' }],
      [{ email: 'nova', name: 'X' }, { email: 'email_malformed' }],
      [{ email: 'outra@example.com', name: '\u0000' }, { name: 'unstorable' }],
      [{ email: 'outra@example.com', name: '\t' }, { name: 'name_malformed' }],
      [{ email: 'outra@example.com', name: 'X', role: 'owner' }, { role: 'unknown' }],
      [{ name: 'X' }, { email: 'invalid_type' }],
    ] as const) {
      const refused = await support.send('POST', '/users', body)
      assert.deepEqual([refused.status, refused.json()], [400, { error: 'Payload invalido', fields }])
    }
  })

  it('get a link by mail again; a closed account gets none', async () => {
    const support = await adminOf(service(), 'reenvia@example.com', 'support')
    const { id } = await service().user('reenvio@example.com')
    const { db } = service().context.storage
    const count = async () => (await db.selectFrom('outbox').select('id').where('kind', '=', 'recovery_mail').execute()).length
    const before = await count()
    assert.equal((await support.send('POST', `/users/${id}/send-link`, {})).status, 200)
    assert.ok(
      (await count()) > before || (await db.selectFrom('audit').select('id').where('action', '=', 'user.send_link').execute()).length === 1,
    )
    await support.send('POST', `/users/${id}/disable`, {})
    const refused = await support.send('POST', `/users/${id}/send-link`, {})
    assert.deepEqual([refused.status, refused.json()], [409, { error: 'conflito', reason: 'disabled' }])
    const opened = await support.send('POST', `/users/${id}/enable`, { reason: 'engano' })
    assert.equal(opened.json<{ disabled_at: string | null }>().disabled_at, null)
  })

  it('lose their factors and sessions at the word of support, who says why', async () => {
    const support = await adminOf(service(), 'fatores@example.com', 'support')
    const { id } = await service().user('perdida@example.com')
    const { db } = service().context.storage
    assertRefused(await support.send('POST', `/users/${id}/remove-factors`, { reason: 'x' }), 409, 'conflito', {
      reason: 'nothing_to_remove',
    })
    const missing = await support.send('POST', `/users/${id}/remove-factors`, {})
    assert.deepEqual([missing.status, missing.json().fields], [400, { reason: 'invalid_type' }])
    await db.insertInto('totp_factors').values({ user_id: id, secret_sealed: 'x', created_at: 1, confirmed_at: 2, last_step: 0 }).execute()
    const removed = await support.send('POST', `/users/${id}/remove-factors`, { reason: 'perdeu o celular; conferido por vídeo' })
    assert.equal(removed.json<{ second_factor: boolean }>().second_factor, false)
    const signInMethods = (await support.get(`/users/${id}/sign-in-methods`)).json<{ has_password: boolean; two_step_since: null }>()
    assert.deepEqual([signInMethods.has_password, signInMethods.two_step_since], [true, null])
  })

  it('are shown with the providers that they sign in by, under the names that the operator gave them', async () => {
    const viewer = await adminOf(service(), 'provedores@example.com', 'viewer')
    const { id } = await service().user('vinculada@example.com')
    const issuer = 'https://idp.example.com'
    const google = {
      name: 'Google',
      kind: 'openid',
      clientId: 'c',
      clientSecret: 's',
      authoritativeFor: [],
      accessTokenAudience: undefined,
    } as const
    await addProvider({ ...google, id: 'google', issuer }, { ...service().context, actor: 'operator:test' })
    const { db } = service().context.storage
    for (const at of [issuer, 'https://gone.example.com'])
      await identityStore(db).insert({ issuer: at, subject: `ana at ${at}`, userId: id, email: undefined }, 1)
    const { providers } = (await viewer.get(`/users/${id}/sign-in-methods`)).json<{ providers: Array<Record<string, unknown>> }>()
    assert.deepEqual(
      providers.map(({ provider, issuer, subject }) => [provider, issuer, subject]).toSorted(),
      [
        ['Google', issuer, '•••'],
        [null, 'https://gone.example.com', '•••'],
      ].toSorted(),
    )
  })

  it('are exported and deleted at their wish, with the reason in the audit log', async () => {
    const support = await adminOf(service(), 'lgpd@example.com', 'support')
    const { id } = await service().user('titular@example.com')
    const file = await support.send('POST', `/users/${id}/export`, { reason: 'pedido 17' })
    assert.equal(file.headers.get('content-disposition'), `attachment; filename="portaria-${id}.json"`)
    assert.equal(file.headers.get('cache-control'), 'no-store')
    assert.equal(file.json<{ profile: { email: string } }>().profile.email, 'titular@example.com')
    const deleted = await support.send('DELETE', `/users/${id}`, { reason: 'pedido 17' })
    assert.deepEqual([deleted.status, deleted.json()], [200, { id, deleted: true }])
    assertRefused(await support.get(`/users/${id}`), 404, 'nao encontrado')
    assertRefused(await support.send('DELETE', `/users/${id}`, { reason: 'de novo' }), 404, 'nao encontrado')
    const entries = await service()
      .context.storage.db.selectFrom('audit')
      .selectAll()
      .where('target', '=', id)
      .orderBy('id', 'desc')
      .execute()
    assert.deepEqual([entries[0]?.action, entries[0]?.reason, entries[0]?.actor], ['user.delete', 'pedido 17', `user:${support.id}`])
  })

  it('that are the last owner can not be locked out', async () => {
    const { db } = service().context.storage
    const owner = await adminOf(service(), 'ultima@example.com', 'owner')
    await db.updateTable('users').set({ role: null }).where('id', '!=', owner.id).where('role', '=', 'owner').execute()
    assertRefused(await owner.send('POST', `/users/${owner.id}/disable`, {}), 409, 'conflito', { reason: 'last_owner' })
    assertRefused(await owner.send('DELETE', `/administrators/${owner.id}`, {}), 409, 'conflito', { reason: 'last_owner' })
  })
})
