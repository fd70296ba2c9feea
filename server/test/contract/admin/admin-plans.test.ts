import assert from 'node:assert/strict'
import { it } from 'node:test'
import { applyConfiguration, readSettings } from '../../../src/admin/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startForSuite } from '../../support/service.ts'
import { adminOf, lastAudit, listAll, scriptOf, versionOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

eachDatabase('Plans in the admin API', (database) => {
  const service = startForSuite(database)

  it('are listed by price, slug or name, of the operator or of a product, found by a part of their name', async () => {
    const owner = await adminOf(service(), 'lista@example.com', 'owner')
    await service().product({ slug: 'escola' })
    const made = await owner.send('POST', '/plans', { slug: 'curso', name: 'Curso de Verão', price: 5_000, product: 'escola' })
    assert.equal(made.status, 201, made.text)
    const listed = async (query: string) => (await listAll(owner, `/plans${query}`)).map(({ slug }) => slug)
    assert.deepEqual(await listed(''), ['easy-standard', 'curso', 'easy-pro', 'easy-enterprise'])
    assert.deepEqual(await listed('?sort=-price'), ['easy-enterprise', 'easy-pro', 'curso', 'easy-standard'])
    assert.deepEqual(await listed('?sort=slug'), ['curso', 'easy-enterprise', 'easy-pro', 'easy-standard'])
    assert.deepEqual(await listed('?sort=-name'), ['easy-standard', 'easy-pro', 'easy-enterprise', 'curso'])
    assert.deepEqual(await listed('?q=verao'), ['curso'])
    assert.deepEqual(await listed('?product=escola'), ['curso'])
    assert.deepEqual(await listed('?operator=true&sort=slug'), ['easy-enterprise', 'easy-pro', 'easy-standard'])
    assert.deepEqual(await listed('?operator=false'), ['curso'])
  })

  it('are made once for a slug, and refused field by field', async () => {
    const owner = await adminOf(service(), 'cria@example.com', 'owner')
    const refs = [{ gateway: 'stripe', ref: 'price_1' }]
    const body = { slug: 'novo', name: 'Novo', price: 1_000, gateway_refs: refs, reason: 'campanha de verão' }
    const made = await owner.send('POST', '/plans', body)
    assert.equal(made.status, 201, made.text)
    const plan = made.json<{ id: string }>()
    assert.deepEqual(plan, {
      id: plan.id,
      slug: 'novo',
      name: 'Novo',
      price: 1_000,
      below_price: 'apply',
      product: null,
      gateway_refs: refs,
    })
    assert.deepEqual((await owner.get(`/plans/${plan.id}`)).json(), plan)
    const { ip, at: _at, id: _id, ...entry } = await lastAudit(service(), 'plan.set')
    assert.match(ip ?? '', /^(127\.0\.0\.1|::1)$/)
    assert.deepEqual(entry, {
      actor: `user:${owner.id}`,
      action: 'plan.set',
      target: plan.id,
      after: { scope: 'operator', slug: 'novo', name: 'Novo', price: 1_000, gatewayRefs: refs },
      reason: 'campanha de verão',
    })
    for (const [wrong, field, code] of [
      [{}, 'slug', 'slug_taken'],
      [{ slug: 'Não' }, 'slug', 'slug_malformed'],
      [{ slug: 'outro', name: ' ' }, 'name', 'name_malformed'],
      [{ slug: 'outro', name: 'a\u0001b' }, 'name', 'name_malformed'],
      [{ slug: 'outro', price: -1 }, 'price', 'too_small'],
      [{ slug: 'outro', price: 9.5 }, 'price', 'invalid_type'],
      [{ slug: 'outro', below_price: 'refuse' }, 'below_price', 'invalid_value'],
      [{ slug: 'outro', product: 'nenhum' }, 'product', 'no_such_product'],
      [{ slug: 'outro', gateway_refs: [{ gateway: 'pagarme', ref: 'x' }] }, 'gateway_refs.0.gateway', 'gateway_off'],
      [{ slug: 'outro', gateway_refs: [...refs, ...refs] }, 'gateway_refs', 'custom'],
      [{ slug: 'outro', gateway_refs: [{ gateway: 'stripe', ref: 'a b' }] }, 'gateway_refs.0.ref', 'invalid_format'],
      [{ slug: 'outro', reason: 'a\u0000b' }, 'reason', 'unstorable'],
    ] as const) {
      const answer = await owner.send('POST', '/plans', { ...body, ...wrong })
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'Payload invalido', fields: { [field]: code } }])
    }
  })

  it('are changed by whoever has seen them as they are; the second of two editors is warned', async () => {
    const owner = await adminOf(service(), 'edita@example.com', 'owner')
    const { id } = (await owner.send('POST', '/plans', { slug: 'mudado', name: 'Antes', price: 1 })).json<{ id: string }>()
    const seen = versionOf(await owner.get(`/plans/${id}`))
    const change = { price: 2, gateway_refs: [{ gateway: 'asaas', ref: 'link' }] }
    const first = await owner.send('PATCH', `/plans/${id}`, change, { version: seen })
    assert.equal(first.status, 200, first.text)
    assertRefused(await owner.send('PATCH', `/plans/${id}`, { price: 3 }, { version: seen }), 412, 'alterado por outra pessoa')
    assertRefused(await owner.send('PATCH', `/plans/${id}`, { price: 3 }), 428, 'If-Match ausente')
    const now = await owner.get(`/plans/${id}`)
    assert.deepEqual([now.json<{ price: number }>().price, versionOf(now)], [2, versionOf(first)])
    const { actor, before, after } = await lastAudit(service(), 'plan.set')
    assert.deepEqual(
      [actor, before, after],
      [
        `user:${owner.id}`,
        { id, scope: 'operator', slug: 'mudado', name: 'Antes', price: 1, belowPrice: 'apply', gatewayRefs: [] },
        { price: 2, gatewayRefs: change.gateway_refs },
      ],
    )
    assertRefused(await owner.get('/plans/x'), 404, 'nao encontrado')
    assertRefused(await owner.get('/plans/%00'), 404, 'nao encontrado')
    assertRefused(await owner.send('PATCH', '/plans/%00', {}, { version: seen }), 404, 'nao encontrado')
  })

  it('L15: say what becomes of a payment below their price, until they say otherwise', async () => {
    const owner = await adminOf(service(), 'fixo@example.com', 'owner')
    const made = await owner.send('POST', '/plans', { slug: 'fixo', name: 'Fixo', price: 1_000, below_price: 'hold' })
    const { id, below_price } = made.json<{ id: string; below_price: string }>()
    assert.deepEqual([made.status, below_price, (await lastAudit(service(), 'plan.set')).after?.belowPrice], [201, 'hold', 'hold'])
    const change = async (body: object) => {
      const version = versionOf(await owner.get(`/plans/${id}`))
      const changed = await owner.send('PATCH', `/plans/${id}`, body, { version })
      assert.notEqual(versionOf(changed), version)
      return changed.json<{ below_price: string }>().below_price
    }
    assert.equal(await change({ price: 2_000 }), 'hold')
    assert.equal(await change({ below_price: 'apply' }), 'apply')
    const { before, after } = await lastAudit(service(), 'plan.set')
    assert.deepEqual([before?.belowPrice, after], ['hold', { belowPrice: 'apply' }])
    assert.deepEqual(
      (await listAll(owner, '/plans?q=fixo')).map((plan) => plan.below_price),
      ['apply'],
    )
  })

  it('say which file of settings declares them', async () => {
    const viewer = await adminOf(service(), 'arquivo@example.com', 'viewer')
    const configuration = await readSettings(
      'portaria: 1\nmanaged_by: infra\nplans: {do-arquivo: {name: A, price: 1}, easy-pro: {name: Easy Pro}}',
    )
    assert.ok(!('faults' in configuration))
    const { config } = service().context
    const deps = { ...service().context, ...config, actor: 'operator:test' as const }
    const applied = await applyConfiguration(
      { configuration, secrets: new Map(), images: new Map() },
      { prunes: false, takesOver: false },
      deps,
    )
    assert.ok(!('refusal' in applied))
    const managers: Record<string, unknown> = {}
    for (const { id, slug } of await listAll(viewer, '/plans'))
      managers[String(slug)] = (await viewer.get(`/managed?kind=plan&id=${id}`)).json().managed_by
    assert.deepEqual([managers['do-arquivo'], managers['easy-pro'], managers['easy-enterprise']], ['infra', 'infra', null])
    assert.equal((await viewer.get('/managed?kind=user&id=x')).status, 400)
  })

  it('keep one of two changes that are made at once with the same version', async () => {
    const owner = await adminOf(service(), 'corre@example.com', 'owner')
    const { id } = (await owner.send('POST', '/plans', { slug: 'corrida', name: 'C', price: 1 })).json<{ id: string }>()
    const version = versionOf(await owner.get(`/plans/${id}`))
    const prices = [10, 11, 12, 13, 14]
    const answers = await Promise.all(prices.map((price) => owner.send('PATCH', `/plans/${id}`, { price }, { version })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412])
  })

  it('are read by every role and changed by owners alone, and by scripts as far as their scopes reach', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const viewer = await adminOf(service(), 'vista@example.com', 'viewer')
    const reader = await scriptOf(service(), 'owner', ['plans:read'])
    const { data } = (await viewer.get('/plans?limit=1')).json<{ data: Array<{ id: string }> }>()
    const path = `/plans/${data[0]?.id}`
    const version = versionOf(await support.get(path))
    for (const admin of [support, viewer, reader]) {
      assert.equal((await admin.get(path)).status, 200)
      assertRefused(await admin.send('PATCH', path, { price: 0 }, { version }), 403, 'nao permitido')
      assertRefused(await admin.send('POST', '/plans', { slug: 'x', name: 'X', price: 0 }), 403, 'nao permitido')
    }
    const writer = await scriptOf(service(), 'owner', ['plans:write'])
    assertRefused(await writer.get(path), 403, 'nao permitido')
    assert.equal((await writer.send('POST', '/plans', { slug: 'por-script', name: 'S', price: 0 })).status, 201)
    assert.equal((await lastAudit(service(), 'plan.set')).actor, `token:${writer.id}`)
  })
})
