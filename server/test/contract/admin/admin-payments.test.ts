import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { eachDatabase } from '../../support/databases.ts'
import { activated, completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { ranSince } from '../../support/gateways/runs.ts'
import { startForSuite } from '../../support/service.ts'
import { adminOf, listAll, scriptOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

interface Shown {
  id: string
  status: string
  payload: { customer?: { email: string } }
  masked: boolean
  checks: Array<{ check: string; ok: boolean; detail: string | null }>
  changed: Array<{ subscription_id: string; kind: string }>
}

eachDatabase('Notifications in the admin API', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('show what was sent and what it changed; a viewer sees nothing personal of it', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const viewer = await adminOf(service(), 'vista@example.com', 'viewer')
    await notify(service().url, completed({ email: 'compra@example.com' }))
    const [row] = await listAll(support, '/notifications?email=Compra@example.com')
    assert.deepEqual([row?.source, row?.event, row?.status], ['purchase', 'purchase.completed', 'processed'])
    const shown = (await support.get(`/notifications/${row?.id}`)).json<Shown>()
    assert.equal(shown.payload.customer?.email, 'compra@example.com')
    assert.deepEqual(
      shown.changed.map(({ kind }) => kind),
      ['paid'],
    )
    assert.deepEqual(
      shown.checks.map(({ check, ok }) => [check, ok]),
      [
        ['verified', true],
        ['stored', true],
        ['processed', true],
      ],
    )
    const masked = await viewer.get(`/notifications/${row?.id}`)
    assert.equal(masked.json<Shown>().masked, true)
    assert.ok(!JSON.stringify(masked.json<Shown>().payload).includes('compra@example.com'))
    const bought = (await support.get(`/subscriptions/${shown.changed[0]?.subscription_id}`)).json<{
      plan_slug: string
      events: unknown[]
    }>()
    assert.deepEqual([bought.plan_slug, bought.events.length], ['easy-pro', 1])
  })

  it('that wait are resolved, ignored or tried again, each once', async () => {
    const support = await adminOf(service(), 'resolve@example.com', 'support')
    for (const email of ['um', 'dois', 'tres'])
      await notify(service().url, completed({ email: `${email}@espera.example`, plan: 'plano-novo' }))
    const pending = await listAll(support, '/notifications?status=unresolved&sort=received_at')
    const [one, two] = pending.map(({ id }) => String(id))
    const again = await support.send('POST', `/notifications/${one}/reprocess`, {})
    assert.deepEqual([again.status, again.json().error], [409, 'conflito'])
    const resolved = await support.send('POST', `/notifications/${one}/resolve`, { plan: 'easy-pro', reason: 'plano renomeado' })
    assert.deepEqual([resolved.status, resolved.json<Shown>().status], [200, 'processed'])
    assertRefused(await support.send('POST', `/notifications/${one}/resolve`, { plan: 'easy-pro' }), 409, 'conflito', {
      reason: 'not_pending',
    })
    assert.equal((await support.send('POST', `/notifications/${one}/resolve`, {})).status, 400)
    const ignored = await support.send('POST', `/notifications/${two}/ignore`, { reason: 'teste do vendedor' })
    assert.equal(ignored.json<Shown>().status, 'ignored')
    const since = new Date(service().clock.now - 60_000).toISOString()
    const replayed = await ranSince(support, since)
    assert.deepEqual([replayed.processed, replayed.pending], [0, { unknown_plan: 1 }])
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const plan = await owner.send('POST', '/plans', { slug: 'plano-novo', name: 'Plano Novo', price: 1000 })
    assert.equal(plan.status, 201, plan.text)
    const reprocessed = await ranSince(support, since)
    assert.deepEqual([reprocessed.processed, reprocessed.pending], [1, {}])
    assertRefused(await support.send('POST', `/notifications/${randomUUID()}/ignore`, { reason: 'x' }), 404, 'nao encontrado')
  })
})

eachDatabase('Payments below the price in the admin API', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('L15: wait with both amounts, and count when the plan is named', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    await owner.send('POST', '/plans', { slug: 'fixo', name: 'Fixo', price: 9_900, below_price: 'hold' })
    await notify(service().url, activated({ email: 'um@espera.example', name: 'Fixo', amount: 1 }))
    const [row] = await listAll(owner, '/notifications?status=unresolved')
    assert.deepEqual([row?.why, row?.paid_amount, row?.plan_price], ['unexpected_amount', 1, 9_900])
    const resolve = (body: object) => owner.send('POST', `/notifications/${row?.id}/resolve`, body)
    assertRefused(await resolve({ email: 'dois@espera.example' }), 409, 'conflito', { reason: 'unexpected_amount' })
    const resolved = await resolve({ plan: 'fixo' })
    assert.deepEqual([resolved.status, resolved.json<Shown>().status], [200, 'processed'])
  })
})

eachDatabase('Subscriptions in the admin API', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('are found by buyer, user, plan and state, and merged, unlinked, refunded and ended with a reason', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const { id: userId } = await service().user('pessoa@example.com')
    await notify(service().url, activated({ email: 'outra-caixa@example.com' }))
    await notify(service().url, activated({ email: 'mais-uma@example.com', name: 'Easy Standard' }))
    const [guest] = await listAll(support, '/subscriptions?email=outra-caixa@example.com')
    assert.deepEqual([guest?.user_id, guest?.state, guest?.active], [null, 'active', true])
    assert.equal((await listAll(support, '/subscriptions?guest=true')).length, 2)
    const nobody = await support.send('POST', `/subscriptions/${guest?.id}/move`, { to: 'ninguem@example.com', reason: 'x' })
    assert.deepEqual(nobody.json(), { error: 'Payload invalido', fields: { to: 'no_such_user' } })
    const moved = await support.send('POST', `/subscriptions/${guest?.id}/move`, {
      to: 'pessoa@example.com',
      reason: 'comprou com outro e-mail',
    })
    assert.deepEqual([moved.status, moved.json().user_id], [200, userId])
    assert.deepEqual(
      (await listAll(support, `/subscriptions?user_id=${userId}`)).map(({ id }) => id),
      [guest?.id],
    )
    assert.equal((await support.get(`/users/${userId}`)).json().plan_slug, 'easy-pro')
    assert.equal((await listAll(support, '/subscriptions?state=refunded')).length, 0)
    const refunded = await support.send('POST', `/subscriptions/${guest?.id}/refund`, { reason: 'arrependimento' })
    assert.equal(refunded.json().state, 'refunded')
    assertRefused(await support.send('POST', `/subscriptions/${guest?.id}/end`, { reason: 'x' }), 409, 'conflito', { reason: 'already_so' })
    const unlinked = await support.send('POST', `/subscriptions/${guest?.id}/unlink`, { links: ['account'], reason: 'engano' })
    assert.equal(unlinked.json().user_id, null)
    const trail = await listAll(support, `/audit?target=${guest?.id}&sort=at`)
    assert.deepEqual(
      trail.map(({ action, reason, actor }) => [action, reason, actor]),
      [
        ['subscription.move', 'comprou com outro e-mail', `user:${support.id}`],
        ['subscription.refund', 'arrependimento', `user:${support.id}`],
        ['subscription.unlink', 'engano', `user:${support.id}`],
      ],
    )
    const [entry] = trail
    assert.deepEqual((await support.get(`/audit/${entry?.id}`)).json(), entry)
    assert.equal(
      (await listAll(support, `/audit?target=${guest?.id}&until=${new Date(service().clock.now - 3_600_000).toISOString()}`)).length,
      0,
    )
  })
})

eachDatabase('Jobs in the admin API', (database) => {
  const service = startForSuite(database)

  it('that were given up are seen with their fault, tried again, or dropped with a reason; never what is in them', async () => {
    const support = await scriptOf(service(), 'support')
    const { db } = service().context.storage
    const ids = [randomUUID(), randomUUID()]
    for (const id of ids) {
      const job = { id, kind: 'recovery_mail', payload_sealed: 'geheim', attempts: 12, run_at: 1, leased_until: null }
      await db
        .insertInto('outbox')
        .values({ ...job, dead_at: 2, last_error: 'connect ECONNREFUSED', created_at: 0, lane: null })
        .execute()
    }
    const dead = await listAll(support, '/jobs?state=dead')
    assert.deepEqual(dead.map(({ id }) => id).toSorted(), ids.toSorted())
    assert.deepEqual([dead[0]?.state, dead[0]?.last_error], ['dead', 'connect ECONNREFUSED'])
    assert.ok(!JSON.stringify(dead).includes('geheim'))
    const [first, second] = ids
    const deleted = await support.send('DELETE', `/jobs/${first}`, { reason: 'endereço errado' })
    assert.deepEqual(deleted.json(), { id: first, deleted: true, failed_notification_id: null })
    assertRefused(await support.send('DELETE', `/jobs/${first}`, { reason: 'x' }), 404, 'nao encontrado')
    assert.equal((await support.send('POST', `/jobs/${second}/retry`, {})).status, 200)
    assert.equal((await support.send('POST', '/jobs/retry-dead', {})).status, 200)
  })
})
