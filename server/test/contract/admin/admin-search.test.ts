import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { hmacSha256 } from '../../../src/kit/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { deliver, openSchool } from '../../support/gateways/gateways.ts'
import { invoicePaid, sale } from '../../support/gateways/made-events.ts'
import { activated, completed, notify, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { type Admin, adminOf, giveRole, lastAudit, scriptOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

const CPF = '529.982.247-25'

interface SearchResult {
  type: string
  id: string
  title: string
  subtitle: string
  state: string | null
  user_id: string | null
  path: string
}

async function search(admin: Admin, typed: string): Promise<SearchResult[]> {
  const answer = await admin.get(`/search?q=${encodeURIComponent(typed)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ data: SearchResult[] }>().data
}

/** The results, as `type id`. */
async function found(admin: Admin, typed: string): Promise<string[]> {
  return (await search(admin, typed)).map(({ type, id }) => `${type} ${id}`)
}

eachDatabase('The search of the console', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('finds a user by the whole id of the system before, in the list too, and hides it from a viewer', async () => {
    const support = await adminOf(service(), 'apoio.antigo@example.com', 'support')
    const viewer = await adminOf(service(), 'leitura.antigo@example.com', 'viewer')
    const { id } = await service().user('veio@example.com', { name: 'Veio de Fora' })
    const externalId = 'google-oauth2|108000000000000000001'
    await service().context.storage.db.updateTable('users').set({ external_id: externalId }).where('id', '=', id).execute()
    assert.deepEqual(await found(support, externalId), [`user ${id}`])
    assert.deepEqual(await found(support, externalId.slice(0, -1)), [])
    const list = (admin: Admin) => admin.get(`/users?q=${encodeURIComponent(externalId)}`)
    const idsOf = (answer: Awaited<ReturnType<typeof list>>) =>
      answer.json<{ data: Array<{ id: string; external_id: string }> }>().data.map((user) => [user.id, user.external_id])
    assert.deepEqual(idsOf(await list(support)), [[id, externalId]])
    assert.deepEqual(idsOf(await list(viewer)), [[id, '•••']])
    assert.deepEqual(idsOf(await support.get(`/users?disabled=true&q=${encodeURIComponent(externalId)}`)), [])
  })

  it('finds a user by address, by words of a name in any order, without accents, and by their tax id, which is in no answer', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const { id } = await service().user('ze.conceicao@example.com', { name: 'José Conceição da Silva' })
    await giveTaxId(service(), id, CPF)
    const [user] = await search(support, ' ZE.Conceicao@example.com ')
    assert.deepEqual(user, {
      ...{ type: 'user', id, title: 'José Conceição da Silva', subtitle: 'ze.conceicao@example.com', state: null },
      ...{ user_id: id, path: `/users/${id}/show` },
    })
    for (const typed of ['jose conceicao', 'Conceição José', 'silv jos', CPF, CPF.replaceAll(/\D/g, '')])
      assert.deepEqual(await found(support, typed), [`user ${id}`], typed)
    assert.deepEqual(await found(support, 'jose souza'), [])
    const answer = await support.get(`/search?q=${encodeURIComponent(CPF)}`)
    for (const written of [CPF, CPF.replaceAll(/\D/g, '')]) assert.ok(!answer.text.includes(written))
    assert.ok(!service().log().includes('52998224725') && !service().log().includes(CPF))
    const mistyped = async (admin: Admin, typed: string) => (await admin.get(`/search?q=${typed}`)).json<object>()
    assert.deepEqual(await mistyped(support, '529.982.247-26'), { data: [], mistyped: 'cpf' })
    assert.deepEqual(await mistyped(support, '123.456.789-09'), { data: [], mistyped: null })
    const viewer = await adminOf(service(), 'leitura.digitos@example.com', 'viewer')
    assert.deepEqual(await mistyped(viewer, '529.982.247-26'), { data: [], mistyped: null })
  })

  it('finds whatever has an id: users, sessions, subscriptions, notifications, products, plans, entries of the log, jobs', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const { db } = service().context.storage
    const { id } = await service().user('tudo@example.com')
    await notify(service().url, completed({ email: 'tudo@example.com' }))
    const { product } = await service().product({ slug: 'tudo-junto', name: 'Tudo Junto' })
    await giveRole(service(), 'tudo@example.com', 'viewer')
    const session = await db.selectFrom('sessions').select('id').where('user_id', '=', owner.id).executeTakeFirstOrThrow()
    const [subscription] = await subscriptionsOf(service(), 'tudo@example.com')
    const notification = await db
      .selectFrom('notifications')
      .select('id')
      .where('subject', '=', 'tudo@example.com')
      .executeTakeFirstOrThrow()
    const plan = await db.selectFrom('plans').select('id').where('slug', '=', 'easy-pro').executeTakeFirstOrThrow()
    const job = randomUUID()
    const times = { run_at: 9e12, created_at: 1, leased_until: null, dead_at: null, last_error: null }
    await db
      .insertInto('outbox')
      .values({ id: job, kind: 'mail', payload_sealed: 'x', attempts: 0, lane: null, ...times })
      .execute()
    const entry = await lastAudit(service(), 'user.change')
    for (const [type, wanted, path, userId] of [
      ['user', id, `/users/${id}/show`, id],
      ['session', session.id, `/users/${owner.id}/show`, owner.id],
      ['subscription', subscription?.id, `/subscriptions/${subscription?.id}/show`, id],
      ['notification', notification.id, `/notifications/${notification.id}/show`, id],
      ['product', product.id, `/products/${product.id}/show`, null],
      ['plan', plan.id, `/plans/${plan.id}`, null],
      ['audit', entry.id, `/audit/${entry.id}/show`, null],
      ['job', job, `/jobs/${job}/show`, null],
    ] as const) {
      const [first, ...rest] = await search(owner, String(wanted).toUpperCase())
      assert.deepEqual([first?.type, first?.id, first?.path, first?.user_id, rest], [type, wanted, path, userId, []], type)
    }
    assert.deepEqual(await found(owner, 'tudo-junto'), [`product ${product.id}`])
    assert.deepEqual(await found(owner, randomUUID()), [])
  })

  it('finds what was bought with an address, whether or not anybody has an account with it', async () => {
    const support = await adminOf(service(), 'vendas@example.com', 'support')
    const id = randomUUID()
    await notify(service().url, activated({ email: 'visita@example.com', id }))
    const [bought] = await subscriptionsOf(service(), 'visita@example.com')
    const about = await found(support, 'visita@example.com')
    assert.equal(about[0], `subscription ${bought?.id}`)
    assert.match(about[1] ?? '', /^notification /)
    assert.deepEqual(await found(support, id.toUpperCase()), [`subscription ${bought?.id}`])
  })

  it('finds a purchase by whatever its gateway calls it: the payment, the subscription, the event', async () => {
    const support = await adminOf(service(), 'gateway@example.com', 'support')
    await openSchool(service(), 'stripe')
    const school = await openSchool(service(), 'stripe')
    const event = { ...sale('pi_procurado', 'aluna@example.com'), id: 'evt_procurado' }
    assert.equal((await deliver(school, event)).status, 200)
    const [bought] = await subscriptionsOf(service(), 'aluna@example.com')
    assert.ok(bought)
    assert.equal((await search(support, 'pi_procurado'))[0]?.id, bought.id)
    const [delivery] = await search(support, 'evt_procurado')
    assert.deepEqual([delivery?.type, delivery?.title], ['notification', 'checkout.session.completed'])
    assert.equal((await deliver(school, invoicePaid('sub_procurada', 'assina@example.com', { invoice: 'in_procurada' }))).status, 200)
    const [renewed] = await subscriptionsOf(service(), 'assina@example.com')
    assert.ok(renewed)
    assert.equal((await search(support, 'sub_procurada'))[0]?.id, renewed.id)
    assert.equal((await search(support, 'in_procurada'))[0]?.id, renewed.id)
    assert.deepEqual(await found(support, 'pi_procurad'), [])
  })

  it('says of each notification of a gateway whose it is, so that everything found leads to one user', async () => {
    const support = await adminOf(service(), 'de-quem@example.com', 'support')
    const school = await openSchool(service(), 'stripe')
    const { id } = await service().user('comprou@example.com')
    assert.equal((await deliver(school, sale('pi_de_quem', 'comprou@example.com'))).status, 200)
    const results = await search(support, 'pi_de_quem')
    assert.deepEqual(
      results.map(({ type, user_id }) => [type, user_id]),
      [
        ['subscription', id],
        ['notification', id],
      ],
    )
  })

  it('answers twenty at most, and shows a script nothing that it may not read', async () => {
    const support = await adminOf(service(), 'muitos@example.com', 'support')
    for (let n = 0; n < 12; n++) await service().user(`fulano-${n}@example.com`, { name: 'Fulano Repetido' })
    for (let n = 0; n < 25; n++) await service().product({ slug: `repetido-${n}` })
    const all = await search(support, 'repetido')
    assert.equal(all.length, 20)
    assert.ok(all.some(({ type }) => type === 'user') && all.some(({ type }) => type === 'product'))
    const script = await scriptOf(service(), 'support', ['search:read', 'products:read'])
    assert.deepEqual([...new Set((await search(script, 'repetido')).map(({ type }) => type))], ['product'])
    assertRefused(await (await scriptOf(service(), 'owner', ['products:read'])).get('/search?q=a'), 403, 'nao permitido')
  })

  it('takes one question of 200 characters at most, and finds nothing odd in any', async () => {
    const viewer = await adminOf(service(), 'vista@example.com', 'viewer')
    for (const [query, field, code] of [
      ['', 'q', 'invalid_type'],
      ['?q=%20', 'q', 'too_small'],
      [`?q=${'x'.repeat(201)}`, 'q', 'too_big'],
      ['?q=a%00b', 'q', 'unstorable'],
      ['?q=a&q=b', 'q', 'repeated'],
      ['?q=a&limit=5', 'limit', 'unknown'],
    ] as const) {
      const answer = await viewer.get(`/search${query}`)
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'Payload invalido', fields: { [field]: code } }], query)
    }
    for (const odd of ["' or 1=1 --", '%', '_', '*', '\\', '<script>', '\u{10ffff}', '@', '"', '\ud83d\ude00'])
      assert.deepEqual(await found(viewer, odd), [], odd)
  })
})

/** As the profile page writes it: found by the keyed hash alone. */
async function giveTaxId({ context }: TestService, userId: string, printed: string): Promise<void> {
  const hash = hmacSha256(context.masterKeys.taxIdIndex, printed.replaceAll(/\D/g, '')).toString('hex')
  await context.storage.db.updateTable('users_company').set({ tax_id_hash: hash }).where('user_id', '=', userId).execute()
}
