import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { MINUTE_MS } from '../../../src/kit/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { adminOf, lastAudit, listAll, scriptOf, withResponses } from '../../support/users/admins.ts'
import { assertRefused, check, INVALID, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

interface Key {
  id: string
  kid: string
  state: string
}

oneDatabase('Signing keys in the admin API', (database) => {
  const service = startForSuite(database)
  const said: string[] = []

  it('are listed with what each is for; a rotation makes the next one, audited', async () => {
    const owner = withResponses(await adminOf(service(), 'dona@example.com', 'owner'), said)
    const [first, ...none] = await listAll(owner, '/signing-keys')
    assert.deepEqual([first?.state, first?.id, none], ['signing', first?.kid, []])
    const made = await owner.send('POST', '/signing-keys/rotate', { reason: 'rotina' })
    assert.equal(made.status, 201, made.text)
    const next = made.json<Key>()
    assert.equal(next.state, 'next')
    assert.deepEqual(
      (await listAll(owner, '/signing-keys', 1)).map(({ id }) => id),
      [next.id, first?.id],
    )
    assert.deepEqual(
      (await listAll(owner, '/signing-keys?sort=signs_from', 1)).map(({ id }) => id),
      [first?.id, next.id],
    )
    const { actor, target, after, reason, ip } = await lastAudit(service(), 'signing_key.add')
    assert.deepEqual([actor, target, reason, Object.keys(after ?? {})], [`user:${owner.id}`, next.id, 'rotina', ['signsFrom']])
    assert.match(ip ?? '', /^(127\.0\.0\.1|::1)$/)
  })

  it('have one next key at a time: another is refused, and one that signs at once is not', async () => {
    const script = withResponses(await scriptOf(service(), 'owner'), said)
    const before = await listAll(script, '/signing-keys')
    const again = await script.send('POST', '/signing-keys/rotate')
    assert.deepEqual([again.status, again.json()], [409, { error: 'conflito', reason: 'next_key_waits' }])
    assert.deepEqual(await listAll(script, '/signing-keys'), before)
    assert.equal((await script.send('POST', '/signing-keys/rotate', { at: 'once' })).json<Key>().state, 'signing')
    const next = (await script.get('/signing-keys')).json<{ data: Key[] }>().data.find(({ state }) => state === 'next')
    await script.send('POST', `/signing-keys/${next?.id}/revoke`)
    assert.equal((await script.send('POST', '/signing-keys/rotate')).status, 201)
  })

  it('are revoked with every token that they have signed', async () => {
    const owner = withResponses(await adminOf(service(), 'dono@example.com', 'owner'), said)
    const keys = (await owner.get('/signing-keys')).json<{ data: Key[] }>().data
    const signing = keys.find(({ state }) => state === 'signing') ?? assert.fail()
    await service().user('ana@example.com')
    const cookie = `eg_session=${sessionOf(await signedIn(service(), 'ana@example.com'))}`
    assert.notDeepEqual(await check(service(), cookie), INVALID)
    const script = withResponses(await scriptOf(service(), 'owner', ['signing-keys:write']), said)
    const revoked = await script.send('POST', `/signing-keys/${signing.id}/revoke`, { reason: 'vazou' })
    assert.deepEqual([revoked.status, revoked.json<Key>().state], [200, 'revoked'])
    // The keys are read again after the change is announced.
    await until(async () => isDeepStrictEqual(await check(service(), cookie), INVALID), 2_000)
    assertRefused(await script.send('POST', `/signing-keys/${signing.id}/revoke`), 404, 'nao encontrado')
    assertRefused(await script.send('POST', '/signing-keys/%00/revoke'), 404, 'nao encontrado')
    const { actor, target, before, reason } = await lastAudit(service(), 'signing_key.revoke')
    assert.deepEqual([actor, target, reason, Object.keys(before ?? {})], [`token:${script.id}`, signing.id, 'vazou', ['signsFrom']])
  })

  it('can be made to sign at once, and by no other word', async () => {
    const script = withResponses(await scriptOf(service(), 'owner'), said)
    assert.equal((await script.send('POST', '/signing-keys/rotate', { at: 'once' })).json<Key>().state, 'signing')
    const wrong = await script.send('POST', '/signing-keys/rotate', { at: 'never' })
    assert.deepEqual([wrong.status, wrong.json()], [400, { error: 'Payload invalido', fields: { at: 'invalid_value' } }])
  })

  it('are seen by owners alone, and changed by those who have just authenticated', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const viewer = await adminOf(service(), 'vista@example.com', 'viewer')
    const reader = await scriptOf(service(), 'owner', ['signing-keys:read'])
    for (const admin of [support, viewer]) assertRefused(await admin.get('/signing-keys'), 403, 'nao permitido')
    for (const admin of [support, viewer, reader]) {
      assertRefused(await admin.send('POST', '/signing-keys/rotate'), 403, 'nao permitido')
      assertRefused(await admin.send('POST', '/signing-keys/x/revoke'), 403, 'nao permitido')
    }
    const owner = withResponses(await adminOf(service(), 'tarde@example.com', 'owner'), said)
    service().clock.now += 10 * MINUTE_MS
    assert.equal((await owner.get('/signing-keys')).status, 200)
    assertRefused(await owner.send('POST', '/signing-keys/rotate'), 403, 'prova recente necessaria')
    assertRefused(await owner.send('POST', '/signing-keys/x/revoke'), 403, 'prova recente necessaria')
  })

  it('never show their private half', async () => {
    const rows = await service().context.storage.db.selectFrom('signing_keys').selectAll().execute()
    assert.ok(rows.length >= 3 && said.length > 5)
    for (const { kid, private_sealed: sealed } of rows) {
      const opened = service().context.sealer.open(sealed, `signing_keys.private_sealed.${kid}`) ?? assert.fail()
      const { d } = JSON.parse(opened)
      assert.ok(d.length > 20)
      for (const text of said) assert.ok(!text.includes(d) && !text.includes(sealed), 'a private key in an answer')
    }
  })
})
