import assert from 'node:assert/strict'
import { it } from 'node:test'
import { firstIdAt, MINUTE_MS } from '../../../src/kit/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite } from '../../support/service.ts'
import { adminOf, giveRole, lastAudit, listAll, scriptOf, versionOf } from '../../support/users/admins.ts'
import { assertRefused, check, INVALID, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

eachDatabase('Sessions in the admin API', (database) => {
  const service = startForSuite(database)

  it('are listed by user, address and state, and ended by support; the browser is signed out', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const { id: userId } = await service().user('sessoes@example.com')
    const browser = service().browser()
    for (let i = 0; i < 3; i++) await service().browser().signIn('/login', { email: 'sessoes@example.com', password: PASSWORD })
    await browser.signIn('/login', { email: 'sessoes@example.com', password: PASSWORD })
    const all = await listAll(support, `/sessions?user_id=${userId}`)
    assert.equal(all.length, 4)
    assert.deepEqual(
      all,
      all.toSorted((a, b) => (String(a.id) < String(b.id) ? 1 : -1)),
    )
    for (const session of all) assert.deepEqual([session.email, session.live, session.product], ['sessoes@example.com', true, null])
    const newest = String(all[0]?.id)
    const token = sessionOf(browser)
    const ended = await support.send('POST', `/sessions/${newest}/end`, { reason: 'celular roubado' })
    assert.deepEqual([ended.status, ended.json().live, ended.json().ended_reason], [200, false, 'operator'])
    assert.deepEqual(await check(service(), `eg_session=${token}`), INVALID)
    assert.equal((await listAll(support, `/sessions?user_id=${userId}&live=true`)).length, 3)
    assert.deepEqual(
      (await listAll(support, `/sessions?user_id=${userId}&live=false`)).map(({ id }) => id),
      [newest],
    )
    assert.equal((await support.send('POST', `/sessions/${newest}/end`, {})).status, 200)
    const actions = await service().context.storage.db.selectFrom('audit').selectAll().where('action', '=', 'session.end').execute()
    assert.deepEqual(
      actions.map(({ target, reason }) => [target, reason]),
      [[userId, 'celular roubado']],
    )
  })

  it('are listed by their beginning: when, and whether it was a sign-in', async () => {
    const support = await adminOf(service(), 'comeco@example.com', 'support')
    const { id: userId } = await service().user('horas@example.com')
    const signIn = () => service().browser().signIn('/login', { email: 'horas@example.com', password: PASSWORD })
    await signIn()
    await signIn()
    const { db } = service().context.storage
    const ids = async (query: string) => (await listAll(support, `/sessions?user_id=${userId}&sort=created_at${query}`)).map(({ id }) => id)
    const [first, second] = await ids('')
    const now = Date.now()
    // Ids say when they were made.
    const later = firstIdAt(now + 10 * MINUTE_MS)
    const handedOff = { id: later, parent_id: String(first) }
    await db.updateTable('sessions').set(handedOff).where('id', '=', String(second)).execute()
    const at = new Date(now + 5 * MINUTE_MS).toISOString()
    assert.deepEqual([await ids(`&since=${at}`), await ids(`&until=${at}`)], [[later], [first]])
    assert.deepEqual(await ids('&sign_in=true'), [first])
    assert.deepEqual(await ids(`&sign_in=true&since=${at}`), [])
    for (const query of ['since=ontem', 'sign_in=false']) assert.equal((await support.get(`/sessions?${query}`)).status, 400, query)
  })

  it('of who has power are not for support to end', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const support = await adminOf(service(), 'ajuda@example.com', 'support')
    const [session] = await listAll(support, `/sessions?user_id=${owner.id}`)
    assertRefused(await support.send('POST', `/sessions/${session?.id}/end`, {}), 403, 'nao permitido')
    assert.equal((await owner.get('/me')).status, 200)
  })

  it('are not ended where the user gets power between the judgement and the end', async (t) => {
    const support = await adminOf(service(), 'apoio-tardio@example.com', 'support')
    const { id: userId } = await service().user('quase@example.com')
    await service().browser().signIn('/login', { email: 'quase@example.com', password: PASSWORD })
    const [session] = await listAll(support, `/sessions?user_id=${userId}`)
    const { changes, storage } = service().context
    const { transaction } = changes
    const between: typeof transaction = async (work) => {
      await storage.db.updateTable('users').set({ role: 'owner' }).where('id', '=', userId).execute()
      return transaction(work)
    }
    const { mock } = t.mock.method(changes, 'transaction', between as (...given: never) => unknown)
    assertRefused(await support.send('POST', `/sessions/${session?.id}/end`, {}), 412, 'alterado por outra pessoa')
    mock.restore()
    assert.equal((await listAll(support, `/sessions?user_id=${userId}&live=true`)).length, 1)
  })

  it('end all at once, of users and products, by an owner who has just authenticated and says why', async () => {
    const owner = await adminOf(service(), 'chefe@example.com', 'owner')
    const support = await adminOf(service(), 'socorro@example.com', 'support')
    const revokeAll = (by: typeof owner | Awaited<ReturnType<typeof scriptOf>>, body: object = { reason: 'backup de segunda' }) =>
      by.send('POST', '/sessions/revoke-all', body)
    assertRefused(await revokeAll(support), 403, 'nao permitido')
    assertRefused(await revokeAll(await scriptOf(service(), 'owner', ['sessions:write'])), 403, 'nao permitido')
    assert.deepEqual((await revokeAll(owner, {})).json().fields, { reason: 'invalid_type' })
    service().clock.now += 10 * MINUTE_MS
    assertRefused(await revokeAll(owner), 403, 'prova recente necessaria')
    assert.equal((await owner.get('/me')).status, 200)
    const fresh = await adminOf(service(), 'fresca@example.com', 'owner')
    const live = (await listAll(fresh, '/sessions?live=true')).length
    const done = await revokeAll(fresh)
    assert.deepEqual([done.status, done.json()], [200, { sessions_ended: live }])
    for (const admin of [owner, support, fresh]) assertRefused(await admin.get('/me'), 401, 'nao autenticado')
    const { actor, reason, target } = await lastAudit(service(), 'session.revoke_all')
    assert.deepEqual([actor, reason, target], [`user:${fresh.id}`, 'backup de segunda', 'sessions'])
    const script = await scriptOf(service(), 'owner', ['sessions:revoke-all'])
    assert.deepEqual((await revokeAll(script)).json(), { sessions_ended: 0 })
    const again = await signedIn(service(), 'socorro@example.com')
    assert.notDeepEqual(await check(service(), `eg_session=${sessionOf(again)}`), INVALID)
  })
})

eachDatabase('Administrators in the admin API', (database) => {
  const service = startForSuite(database)

  it('are made, changed and unmade by an owner, at once', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const { id } = await service().user('promovida@example.com')
    const made = await owner.send('POST', '/administrators', { email: 'promovida@example.com', role: 'viewer', reason: 'contratada' })
    assert.deepEqual([made.status, made.json().role], [201, 'viewer'])
    const again = await owner.send('POST', '/administrators', { email: 'promovida@example.com', role: 'owner' })
    assert.deepEqual(again.json(), { error: 'Payload invalido', fields: { email: 'has_role' } })
    const nobody = await owner.send('POST', '/administrators', { email: 'ninguem@example.com', role: 'owner' })
    assert.deepEqual(nobody.json(), { error: 'Payload invalido', fields: { email: 'no_such_user' } })
    const promoted = service().browser()
    await promoted.signIn('/login', { email: 'promovida@example.com', password: PASSWORD })
    const asks = () => promoted.request('GET', '/api/admin/me', { headers: { 'sec-fetch-site': 'same-origin' } })
    assert.equal((await asks()).json().role, 'viewer')
    const changed = await owner.send('PATCH', `/administrators/${id}`, { role: 'support' }, { version: versionOf(made) })
    assert.equal(changed.status, 200, changed.text)
    assertRefused(
      await owner.send('PATCH', `/administrators/${id}`, { role: 'owner' }, { version: versionOf(made) }),
      412,
      'alterado por outra pessoa',
    )
    assert.deepEqual(
      (await listAll(owner, '/administrators', 100)).map(({ email, role }) => [email, role]),
      [
        ['dona@example.com', 'owner'],
        ['promovida@example.com', 'support'],
      ],
    )
    const shown = await owner.get(`/administrators/${id}`)
    assert.deepEqual([shown.status, shown.json().role, versionOf(shown)], [200, 'support', versionOf(changed)])
    assert.equal((await owner.send('DELETE', `/administrators/${id}`, {})).json().role, null)
    assertRefused(await owner.get(`/administrators/${id}`), 404, 'nao encontrado')
    assertRefused(await asks(), 403, 'nao permitido')
  })
})

eachDatabase('Admin tokens in the admin API', (database) => {
  const service = startForSuite(database)

  it('are shown once, stored as a hash, and end at once', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const made = await owner.send('POST', '/tokens', { name: 'noturno', role: 'support', scopes: ['users:read'], expires_days: 30 })
    assert.equal(made.status, 201, made.text)
    const { id, token } = made.json<{ id: string; token: string }>()
    const authorization = `Bearer ${token}`
    const asks = () => service().browser().request('GET', '/api/admin/users?limit=1', { headers: { authorization } })
    assert.equal((await asks()).status, 200)
    const [listed] = await listAll(owner, '/tokens')
    assert.deepEqual([listed?.id, listed?.state, listed?.scopes], [id, 'live', ['users:read']])
    assert.ok(!JSON.stringify(listed).includes(token))
    assert.deepEqual((await owner.send('DELETE', `/tokens/${id}`, { reason: 'vazou' })).json(), { id, deleted: true })
    assertRefused(await asks(), 401, 'nao autenticado')
    assertRefused(await owner.send('DELETE', `/tokens/${id}`, {}), 404, 'nao encontrado')
    const audit = await service().context.storage.db.selectFrom('audit').selectAll().where('target', '=', id).execute()
    assert.ok(!JSON.stringify(audit).includes(token))
    assert.deepEqual(
      audit.map(({ action, actor, reason }) => [action, actor, reason]),
      [
        ['token.create', `user:${owner.id}`, null],
        ['token.revoke', `user:${owner.id}`, 'vazou'],
      ],
    )
    assert.deepEqual(JSON.parse(audit[1]?.before ?? ''), { name: listed?.name })
  })

  it('never reach beyond their role', async () => {
    const owner = await adminOf(service(), 'outra@example.com', 'owner')
    for (const [body, fields] of [
      [{ name: 'x', role: 'viewer', scopes: ['users:write'] }, { scopes: 'scope_beyond_role' }],
      [{ name: 'x', role: 'owner', scopes: ['administrators:write'] }, { 'scopes.0': 'invalid_value' }],
      [{ name: ' ', role: 'owner' }, { name: 'name_malformed' }],
      [{ name: 'x', role: 'owner', expires_days: 0 }, { expires_days: 'too_small' }],
    ] as const) {
      const refused = await owner.send('POST', '/tokens', body)
      assert.deepEqual([refused.status, refused.json()], [400, { error: 'Payload invalido', fields }])
    }
    await giveRole(service(), 'outra@example.com', 'support')
    assertRefused(await owner.send('POST', '/tokens', { name: 'x', role: 'viewer' }), 403, 'nao permitido')
  })
})
