import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Answer } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { leastBodyOf, NOBODY, type Operation, readOperations } from '../../support/routes/admin-operations.ts'
import { PASSWORD, startForSuite } from '../../support/service.ts'
import { type Admin, adminOf, scriptOf } from '../../support/users/admins.ts'

const operations = readOperations(NOBODY)
const reads = operations.filter(({ scope }) => scope === undefined || scope.endsWith(':read'))
const writes = operations.filter((operation) => !reads.includes(operation))

function ask(admin: Admin, { method, path }: Operation, headers: Record<string, string> = {}): Promise<Answer> {
  return method === 'GET' ? admin.get(path) : admin.send(method, path, {}, { version: 'seen', headers })
}

async function assertAll(list: readonly Operation[], answerOf: (operation: Operation) => Promise<Answer>, status: number, error: string) {
  assert.notEqual(list.length, 0)
  for (const operation of list) {
    const answer = await answerOf(operation)
    assert.deepEqual([answer.status, answer.json().error], [status, error], `${operation.operationId}: ${answer.text}`)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
}

oneDatabase('Every operation of the admin API', (database) => {
  const service = startForSuite(database)

  it('says which scope it needs', () => {
    const unknown = operations.filter(({ scope, operationId }) => scope === undefined && operationId !== 'showCaller')
    assert.deepEqual(unknown, [])
    assert.ok(operations.length > 10)
  })

  it('answers nobody who has not authenticated', async () => {
    const stranger = service().browser({ origin: service().url, 'sec-fetch-site': 'same-origin' })
    await assertAll(operations, ({ method, path }) => stranger.request(method, `/api/admin${path}`), 401, 'nao autenticado')
  })

  it('does nothing for a signed-in user without a role', async () => {
    await service().user('alguem@example.com')
    const browser = service().browser()
    await browser.signIn('/login', { email: 'alguem@example.com', password: PASSWORD })
    const headers = { origin: service().url, 'sec-fetch-site': 'same-origin' }
    await assertAll(operations, ({ method, path }) => browser.request(method, `/api/admin${path}`, { headers }), 403, 'nao permitido')
  })

  it("does nothing for another site, or for who doesn't say from where", async () => {
    const { browser } = await adminOf(service(), 'dona@example.com', 'owner')
    for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'none' }])
      await assertAll(
        operations,
        ({ method, path }) => browser.request(method, `/api/admin${path}`, { headers: { ...headers } }),
        403,
        'origem nao permitida',
      )
  })

  it('changes nothing for a viewer', async () => {
    const viewer = await adminOf(service(), 'vista@example.com', 'viewer')
    await assertAll(writes, (operation) => ask(viewer, operation), 403, 'nao permitido')
  })

  it('keeps secrets, keys, tokens and power from support', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const ofOwners = operations.filter(({ scope = '' }) =>
      /^(signing-keys|tokens|administrators|product-keys):|^(products|plans|identity-providers):write|:(impersonate|revoke-all)$/.test(
        scope,
      ),
    )
    await assertAll(ofOwners, (operation) => ask(support, operation), 403, 'nao permitido')
  })

  it('is closed to a token that is narrowed to something else', async () => {
    const narrowed = await scriptOf(service(), 'owner', ['webhooks:test'])
    const others = operations.filter(({ scope }) => scope !== undefined && scope !== 'webhooks:test')
    await assertAll(others, (operation) => ask(narrowed, operation), 403, 'nao permitido')
    const reading = await scriptOf(service(), 'owner', ['plans:read'])
    await assertAll(
      others.filter(({ scope }) => scope !== 'plans:read'),
      (operation) => ask(reading, operation),
      403,
      'nao permitido',
    )
  })

  it('that gives power, or wears a name, is closed to every script', async () => {
    const script = await scriptOf(service(), 'owner')
    const personal = operations.filter(({ scope = '' }) => /^(tokens|administrators):write|:impersonate/.test(scope))
    await assertAll(personal, (operation) => ask(script, operation), 403, 'nao permitido')
  })

  it('that is dangerous asks for an authentication of the last ten minutes, of users', async () => {
    const owner = await adminOf(service(), 'fresca@example.com', 'owner')
    const dangerous = operations.filter(({ isDangerous }) => isDangerous)
    for (const operation of dangerous) assert.doesNotMatch((await ask(owner, operation)).text, /prova recente necessaria/)
    const { clock } = service()
    clock.now += 10 * 60_000
    try {
      const send = (operation: Operation, body: object) =>
        owner.send(operation.method === 'GET' ? 'POST' : operation.method, operation.path, body, { version: 'seen' })
      await assertAll(dangerous, (operation) => send(operation, leastBodyOf(operation)), 403, 'prova recente necessaria')
    } finally {
      clock.now -= 10 * 60_000
    }
  })

  it('says what is wrong with a body before it asks for an authentication, and to nobody who may not do the action', async () => {
    const owner = await adminOf(service(), 'distraida@example.com', 'owner')
    const support = await adminOf(service(), 'curiosa@example.com', 'support')
    const plan = { slug: 'Plano Ouro', name: 'Ouro', price: 1 }
    const product = { slug: 'Loja do Bruno', name: 'Loja', audience: 'internal', checkout: 'external' }
    const token = { name: 'x', role: 'king' }
    const wrong = [
      ['/plans', plan, { slug: 'slug_malformed' }],
      ['/plans', { ...plan, slug: 'ouro', price: -1 }, { price: 'too_small' }],
      ['/products', product, { slug: 'slug_malformed' }],
      ['/products', { ...product, slug: 'loja', redirect_uris: [{ uri: 'nowhere' }] }, { 'redirect_uris.0.uri': 'malformed' }],
      ['/tokens', token, { role: 'invalid_value' }],
    ] as const
    const { clock } = service()
    clock.now += 10 * 60_000
    try {
      for (const [path, body, fields] of wrong) {
        const answer = await owner.send('POST', path, body)
        assert.deepEqual([answer.status, answer.json().error, answer.json().fields], [400, 'Payload invalido', fields], path)
        const kept = await support.send('POST', path, body)
        assert.deepEqual([kept.status, kept.json()], [403, { error: 'nao permitido' }], path)
      }
      const well = await owner.send('POST', '/plans', { ...plan, slug: 'ouro' })
      assert.deepEqual([well.status, well.json().error], [403, 'prova recente necessaria'])
    } finally {
      clock.now -= 10 * 60_000
    }
  })

  it('asks for the second factor of who has one, also when the session is older than the factor', async () => {
    const owner = await adminOf(service(), 'dupla@example.com', 'owner')
    const { db } = service().context.storage
    const row = { user_id: owner.id, secret_sealed: 'x', created_at: 1, confirmed_at: 2, last_step: 0 }
    await db.insertInto('totp_factors').values(row).execute()
    await assertAll(operations, (operation) => ask(owner, operation), 403, 'segundo fator necessario')
    await db.updateTable('sessions').set({ second_factor_at: service().clock.now }).where('user_id', '=', owner.id).execute()
    assert.equal((await owner.get('/me')).json().has_second_factor, true)
    await db.deleteFrom('totp_factors').where('user_id', '=', owner.id).execute()
    assert.equal((await owner.get('/me')).json().has_second_factor, false)
  })

  it('takes no more than what it knows: an unknown parameter or field is named', async () => {
    const owner = await adminOf(service(), 'rigor@example.com', 'owner')
    for (const operation of reads) {
      const path = `${operation.path}?surprise=1`
      // An export reads, and is a POST.
      const answer = await (operation.method === 'GET' ? owner.get(path) : owner.send(operation.method, path))
      assert.equal(answer.status, 400, `${operation.operationId}: ${answer.text}`)
      assert.equal(answer.json<{ fields: Record<string, string> }>().fields.surprise, 'unknown', operation.operationId)
    }
    for (const operation of writes) {
      const answer = await owner.send(
        operation.method === 'GET' ? 'POST' : operation.method,
        operation.path,
        { surprise: 1 },
        { version: 'seen' },
      )
      assert.equal(answer.status, 400, `${operation.operationId}: ${answer.text}`)
      assert.equal(answer.json<{ fields: Record<string, string> }>().fields.surprise, 'unknown', operation.operationId)
    }
  })

  it('is counted: over 600 calls in a minute wait', async () => {
    const script = await scriptOf(service(), 'viewer')
    const { limits, now } = { limits: service().context.storage.db, now: service().clock.now }
    await limits
      .insertInto('rate_limits')
      .values({ key: `admin:token:${script.id}`, count: 600, window_ends_at: now + 60_000 })
      .execute()
    const refused = await script.get('/me')
    assert.deepEqual([refused.status, refused.json().error, refused.headers.get('retry-after')], [429, 'muitas tentativas', '60'])
  })
})
