import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../support/databases.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { type Admin, adminOf, giveRole, lastAudit, scriptOf, versionOf } from '../../support/users/admins.ts'

const WHY = { reason: 'a test' }

eachDatabase('Whoever attacks the admin API', (database) => {
  const service = startForSuite(database)

  /** Somebody with a role, who has bought something. */
  async function administrator(name: string) {
    const { id, email } = await service().user(`${name}@example.com`)
    const subscription = await bought(service(), email)
    await giveRole(service(), email, 'viewer')
    return { id, email, subscription: subscription.id }
  }

  it('as support takes no copy of all that is known about an administrator', async () => {
    const support = await adminOf(service(), 'copia@example.com', 'support')
    const { id } = await administrator('copiada')
    const answer = await support.send('POST', `/users/${id}/export`, WHY)
    assert.deepEqual([answer.status, answer.json().error], [403, 'nao permitido'])
  })

  it("as support neither ends, refunds, unlinks nor moves an administrator's purchase, nor moves one to an administrator", async () => {
    const support = await adminOf(service(), 'compras@example.com', 'support')
    const { email, subscription } = await administrator('compradora')
    const guest = await bought(service(), 'visita@example.com')
    const { email: customer } = await service().user('cliente@example.com')
    for (const [path, body] of [
      [`/subscriptions/${subscription}/end`, WHY],
      [`/subscriptions/${subscription}/refund`, WHY],
      [`/subscriptions/${subscription}/unlink`, WHY],
      [`/subscriptions/${subscription}/move`, { ...WHY, to: customer }],
      [`/subscriptions/${guest.id}/move`, { ...WHY, to: email }],
    ] as const) {
      const answer = await support.send('POST', path, body)
      assert.deepEqual([answer.status, answer.json().error], [403, 'nao permitido'], path)
    }
    const owner = await adminOf(service(), 'compras-dona@example.com', 'owner')
    assert.equal((await owner.send('POST', `/subscriptions/${guest.id}/move`, { ...WHY, to: email })).status, 200)
  })

  it('with a token, be it an owner’s, takes no power away from users: that is done by users alone', async () => {
    const script = await scriptOf(service(), 'owner')
    const { id } = await administrator('poder')
    for (const [method, path, body] of [
      ['DELETE', `/users/${id}`, WHY],
      ['POST', `/users/${id}/disable`, {}],
      ['POST', `/users/${id}/remove-factors`, WHY],
    ] as const) {
      const answer = await script.send(method, path, body)
      assert.deepEqual([answer.status, answer.json().error], [403, 'nao permitido'], path)
    }
  })

  it('with a body that is nested thousands deep gets a refusal, and the log no fault', async () => {
    const owner = await adminOf(service(), 'fundo@example.com', 'owner')
    const { id } = await service().user('fundo-alvo@example.com')
    const deep = [`{"reason":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`]
    for (const body of deep) {
      const answer = await owner.browser.request('POST', `/api/admin/users/${id}/enable`, {
        headers: { origin: service().url, 'content-type': 'application/json' },
        body,
      })
      assert.deepEqual([answer.status, answer.json().error], [400, 'Payload invalido'])
    }
    assert.doesNotMatch(service().log(), /"fault"/)
  })

  it('with half of a character, which one database would keep and another replace, is refused', async () => {
    const owner = await adminOf(service(), 'meia@example.com', 'owner')
    const { id } = await service().user('meia-alvo@example.com')
    const answer = await owner.send('POST', `/users/${id}/enable`, { reason: 'half \ud83e' })
    assert.deepEqual([answer.status, answer.json<{ fields: unknown }>().fields], [400, { reason: 'unstorable' }])
  })

  it('with a reason that would forge lines, or steer the terminal in which the audit log is read, is refused, or writes one line', async () => {
    const support = await adminOf(service(), 'forja@example.com', 'support')
    const { id } = await service().user('forja-alvo@example.com')
    const steering = await support.send('POST', `/users/${id}/enable`, { reason: 'ok \u001b[2J' })
    assert.deepEqual([steering.status, steering.json<{ fields: unknown }>().fields], [400, { reason: 'invalid_format' }])
    const lines = await support.send('POST', `/users/${id}/enable`, { reason: 'ok\n2026-11-21  user:x  token.create' })
    assert.equal(lines.status, 200)
    assert.equal((await lastAudit(service(), 'user.enable')).reason, 'ok 2026-11-21 user:x token.create')
  })

  it('by registering one product many times at once makes one, and no fault', async () => {
    const owner = await adminOf(service(), 'corrida@example.com', 'owner')
    for (let round = 0; round < 5; round++) {
      const product = { slug: `corrida-${round}`, name: 'Corrida', audience: 'internal', checkout: 'integrated' }
      const answers = await atOnce(8, () => owner.send('POST', '/products', product))
      assert.deepEqual(answers, [201, 400, 400, 400, 400, 400, 400, 400])
    }
  })

  it('by mutual removal of two owners leaves one, and neither waits for the other for ever', async () => {
    const one = await adminOf(service(), 'uma@example.com', 'owner')
    const other = await adminOf(service(), 'outra@example.com', 'owner')
    for (let round = 0; round < 5; round++) {
      const removals = [one.send('DELETE', `/administrators/${other.id}`, {}), other.send('DELETE', `/administrators/${one.id}`, {})]
      const statuses = (await Promise.all(removals)).map(({ status }) => status)
      for (const status of statuses) assert.ok([200, 403, 409].includes(status), String(statuses))
      for (const { id } of [one, other])
        await service().context.storage.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute()
    }
  })

  it('by asking for links again and again mails a user no more than a few', async () => {
    const support = await adminOf(service(), 'cartas@example.com', 'support')
    const { id } = await service().user('carta@example.com')
    const statuses = await atOnce(15, () => support.send('POST', `/users/${id}/send-link`, {}))
    assert.equal(statuses.filter((status) => status === 200).length, 5, String(statuses))
    assert.equal(statuses.filter((status) => status === 429).length, 10)
  })

  it('from a browser left open does nothing to who has power, and vouches for no address', async () => {
    const owner = await adminOf(service(), 'ausente@example.com', 'owner')
    const { id: administrator } = await service().user('colega@example.com')
    await giveRole(service(), 'colega@example.com', 'owner')
    const { id: user } = await service().user('pessoa@example.com')
    const version = versionOf(await owner.get(`/users/${user}`))
    const { clock } = service()
    clock.now += 10 * 60_000
    try {
      for (const answer of [
        await owner.send('POST', `/users/${administrator}/disable`, {}),
        await owner.send('POST', `/users/${administrator}/revoke-sessions`, {}),
        await owner.send(
          'PATCH',
          `/users/${administrator}`,
          { name: 'Outra' },
          { version: versionOf(await owner.get(`/users/${administrator}`)) },
        ),
        await owner.send('PATCH', `/users/${user}`, { verified: true }, { version }),
      ])
        assert.deepEqual([answer.status, answer.json().error], [403, 'prova recente necessaria'])
      assert.equal((await owner.send('PATCH', `/users/${user}`, { name: 'Outra' }, { version })).status, 200)
      assert.equal((await owner.send('POST', `/users/${user}/disable`, {})).status, 200)
    } finally {
      clock.now -= 10 * 60_000
    }
  })

  it('from a browser left open moves nobody’s purchase, and sells no plan for less', async () => {
    const owner = await adminOf(service(), 'aberta@example.com', 'owner')
    const guest = await bought(service(), 'aberta-visita@example.com')
    const { id: plan } = (await owner.get('/plans?limit=1')).json<{ data: Array<{ id: string }> }>().data[0] ?? assert.fail()
    const { clock } = service()
    clock.now += 10 * 60_000
    try {
      for (const answer of [
        await owner.send('POST', `/subscriptions/${guest.id}/move`, { ...WHY, to: owner.id }),
        await owner.send('PATCH', `/plans/${plan}`, { price: 1 }, { version: 'seen' }),
        await owner.send('POST', '/plans', { slug: 'barato', name: 'Barato', price: 1 }),
      ])
        assert.deepEqual([answer.status, answer.json().error], [403, 'prova recente necessaria'])
    } finally {
      clock.now -= 10 * 60_000
    }
  })
})

function bought(service: TestService, email: string) {
  return bring(service, { ref: email, kind: 'paid', email, periodEnd: service.clock.now + 86_400_000 })
}

async function atOnce(times: number, ask: () => ReturnType<Admin['get']>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: times }, ask))
  return answers.map(({ status }) => status).toSorted()
}
