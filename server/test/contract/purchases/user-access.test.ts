import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { listAccessOfUser } from '../../../src/access/index.ts'
import { findPossiblePurchases } from '../../../src/admin/buyers/possible-purchases.ts'
import { findUser } from '../../../src/admin/index.ts'
import { DAY_MS } from '../../../src/kit/index.ts'
import { checkInbox } from '../../../src/notifications/index.ts'
import { listHistories } from '../../../src/payment-history/index.ts'
import { subscriptionStore } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { type Connected, deliver, openSchool } from '../../support/gateways/gateways.ts'
import { invoicePaid, refundOf, sale } from '../../support/gateways/made-events.ts'
import { activated, bring, completed, notify, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite } from '../../support/service.ts'
import { type Admin, adminOf, scriptOf } from '../../support/users/admins.ts'
import { freshCpf } from '../../support/users/newcomer.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

interface Row {
  product: string | null
  product_name: string | null
  active: boolean
  status: string
  reason: string
  plan_slug: string | null
  plan_name: string | null
  amount: number | null
  foreign_amount: string | null
  method: string | null
  current_period_end: string | null
  subscription_id: string
  event: string | null
  event_at: string | null
  by_operator: boolean
  notification_id: string | null
}

type Money = Pick<Row, 'amount' | 'foreign_amount'>

interface UserAccess {
  locked: boolean
  address_verified: boolean
  products: Array<Row & { others: number }>
  unlinked: Array<Row & { email: string | null; user_id: string | null; link_closed_at: string | null; because: string[] }>
  waiting: Array<{ notification_id: string; status: string; why: string | null; because: string[] }>
}

async function accessOf(admin: Admin, id: string): Promise<UserAccess> {
  const answer = await admin.get(`/users/${id}/access`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<UserAccess>()
}

/** Whole seconds, as gateways send them. */
const secondsAgo = (ms: number) => Math.floor((Date.now() - ms) / 1000) * 1000

eachDatabase("A user's access, product by product", (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('says what was paid, how and until when, and rests on the payment that came last', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const school = await openSchool(service(), 'stripe')
    const { id } = await service().user('paga@example.com')
    const at = secondsAgo(5 * DAY_MS)
    const card = { payment_settings: { payment_method_types: ['card'] } }
    await deliver(school, invoicePaid('sub_paga', 'paga@example.com', { at, ...card }))
    const [bought] = await subscriptionsOf(service(), 'paga@example.com')
    const { products, unlinked, waiting, ...account } = await accessOf(support, id)
    assert.deepEqual(account, { locked: false, address_verified: true })
    assert.deepEqual([unlinked, waiting], [[], []])
    const [row] = products
    const [notification] = await service()
      .context.storage.db.selectFrom('notifications')
      .select('id')
      .where('subscription_id', '=', bought?.id ?? '')
      .execute()
    const { product } = school.product
    assert.deepEqual(row, {
      ...{ product: product.slug, product_id: product.id, product_name: product.name, active: true, status: 'active', reason: 'paid' },
      ...{
        plan_slug: 'curso',
        plan_name: 'Curso',
        amount: 9_990,
        foreign_amount: null,
        method: 'card',
        subscription_id: bought?.id,
        others: 0,
      },
      ...{ event: 'paid', event_at: new Date(at).toISOString(), by_operator: false, notification_id: notification?.id },
      current_period_end: new Date(at + 30 * DAY_MS).toISOString(),
      grace_until: new Date(at + 33 * DAY_MS).toISOString(),
    })
  })

  it('says what was paid in another currency, here, on the subscription, in its list and in the timeline, and what a refund gives back of it', async () => {
    const support = await adminOf(service(), 'apoio-dolar@example.com', 'support')
    const school = await openSchool(service(), 'stripe')
    const email = 'dolar@example.com'
    const { id } = await service().user(email)
    const at = secondsAgo(5 * DAY_MS)
    await deliver(school, invoicePaid('sub_dolar', email, { at, currency: 'usd', amount_paid: 4_900 }))
    const money = async () => {
      const [row] = (await accessOf(support, id)).products
      const bought = (await support.get(`/subscriptions/${row?.subscription_id}`)).json<Money & { events: Money[] }>()
      const [inList] = (await support.get(`/subscriptions?user_id=${id}`)).json<{ data: Money[] }>().data
      assert.ok(row && inList)
      const { data } = (await support.get(`/users/${id}/timeline`)).json<{ data: { kind: string; details: Money }[] }>()
      const listed = data.filter(({ kind }) => kind === 'purchase').map(({ details }) => details)
      return [[row, bought, inList], bought.events, listed].map((all) => all.map(({ amount, foreign_amount }) => amount ?? foreign_amount))
    }
    const paid = ['USD 4900', 'USD 4900', 'USD 4900']
    assert.deepEqual(await money(), [paid, ['USD 4900'], ['USD 4900']])
    const [{ id: subscription } = { id: '' }] = await subscriptionsOf(service(), email)
    assert.equal((await support.send('POST', `/subscriptions/${subscription}/refund`, { reason: 'pediu' })).status, 200)
    assert.deepEqual(await money(), [paid, ['USD 4900', 'USD 4900'], ['USD 4900', 'USD 4900']])
    const { differences } = await checkInbox(service().context)
    assert.deepEqual(differences, [], 'the notifications come to the same, the other currency included')
  })

  it('says that it was refunded, when, what was paid, and rests on the notification of the refund', async () => {
    const support = await adminOf(service(), 'apoio-devolve@example.com', 'support')
    const school = await openSchool(service(), 'stripe')
    const { id } = await service().user('devolvida@example.com')
    const [sold, refunded] = [secondsAgo(9 * DAY_MS), secondsAgo(4 * DAY_MS)]
    await deliver(school, sale('pi_devolvida', 'devolvida@example.com', { at: sold, payment_method_types: ['card'] }))
    await deliver(school, refundOf('pi_devolvida', { at: refunded }))
    const [row] = (await accessOf(support, id)).products
    assert.deepEqual(
      [row?.active, row?.reason, row?.amount, row?.method, row?.event, row?.event_at],
      [false, 'refunded', 9_990, 'card', 'refunded', new Date(refunded).toISOString()],
    )
    const notification = await support.get(`/notifications/${row?.notification_id}`)
    assert.equal(notification.json<{ event: string }>().event, 'charge.refunded')
  })

  it('is the answer of check-access for each product, of several subscriptions the one that decides', async () => {
    const support = await adminOf(service(), 'apoio-produtos@example.com', 'support')
    const { id } = await service().user('muitas@example.com')
    const schools: Connected[] = []
    for (let n = 0; n < 3; n++) schools.push(await openSchool(service(), 'stripe'))
    const [first, second, third] = schools
    assert.ok(first && second && third)
    const [old, lately] = [secondsAgo(60 * DAY_MS), secondsAgo(2 * DAY_MS)]
    await deliver(first, invoicePaid('sub_velha', 'muitas@example.com', { at: old }))
    await deliver(first, sale('pi_nova', 'muitas@example.com', { at: lately }))
    await deliver(second, invoicePaid('sub_acabada', 'muitas@example.com', { at: old }))
    await deliver(third, sale('pi_terceira', 'muitas@example.com', { at: lately }))
    await deliver(third, refundOf('pi_terceira', { at: lately + 1_000 }))
    await notify(service().url, completed({ email: 'muitas@example.com' }))
    const { products } = await accessOf(support, id)
    assert.deepEqual(
      products.map(({ product, active, reason, event, others }) => [product, active, reason, event, others]).sort(byText),
      [
        [null, true, 'paid', 'paid', 0],
        [first.product.product.slug, true, 'paid', 'paid', 1],
        [second.product.product.slug, false, 'expired', null, 0],
        [third.product.product.slug, false, 'refunded', 'refunded', 0],
      ].sort(byText),
    )
    assert.deepEqual(products.map(({ active }) => active).slice(0, 2), [true, true])
    for (const { product } of schools) {
      const headers = { authorization: `Bearer ${product.apiKey}` }
      const answer = await fetch(`${service().url}/api/saas/check-access?user_id=${id}`, { headers })
      const { active, status, reason, plan_slug } = (await answer.json()) as Row
      const row = products.find((one) => one.product === product.product.slug)
      assert.deepEqual([row?.active, row?.status, row?.reason, row?.plan_slug], [active, status, reason, plan_slug])
    }
  })

  it('counts what a product knows under the id of the account, and says who gave what nobody paid for', async () => {
    const support = await adminOf(service(), 'apoio-nome@example.com', 'support')
    const school = await openSchool(service(), 'stripe')
    const { id } = await service().user('conhecida@example.com')
    const productId = school.product.product.id
    await bring(service(), { ref: 'conhecida', kind: 'paid', productId, email: 'outro-endereco@example.com' })
    const headers = { authorization: `Bearer ${school.product.apiKey}` }
    await fetch(`${service().url}/api/saas/check-access?user_id=${id}&email=outro-endereco%40example.com`, { headers })
    const plan = await service()
      .context.storage.db.selectFrom('plans')
      .select('id')
      .where('slug', '=', 'easy-pro')
      .executeTakeFirstOrThrow()
    const given = await support.send('POST', '/subscriptions', { user: id, plan_id: plan.id, reason: 'cortesia' })
    assert.equal(given.status, 201, given.text)
    const { products } = await accessOf(support, id)
    assert.deepEqual(
      products.map(({ product, reason, event, by_operator }) => [product, reason, event, by_operator]).sort(byText),
      [
        [null, 'paid', 'granted', true],
        [school.product.product.slug, 'paid', 'paid', false],
      ].sort(byText),
    )
  })

  it('shows purchases of the same address that are not theirs: not verified, unlinked by the operator, another account’s', async () => {
    const support = await adminOf(service(), 'apoio-solta@example.com', 'support')
    const { id } = await service().user('solta@example.com')
    await service().context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', id).execute()
    await notify(service().url, completed({ email: 'solta@example.com' }))
    const before = await accessOf(support, id)
    assert.deepEqual([before.address_verified, before.products], [false, []])
    assert.deepEqual(
      before.unlinked.map(({ active, user_id, link_closed_at, because }) => [active, user_id, link_closed_at, because]),
      [[true, null, null, ['address']]],
    )
    const bought = before.unlinked[0]?.subscription_id
    const other = await service().user('outra-conta@example.com')
    const moved = await support.send('POST', `/subscriptions/${bought}/move`, { to: other.id, reason: 'pediu' })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(
      (await accessOf(support, id)).unlinked.map(({ user_id }) => user_id),
      [other.id],
    )
    assert.equal((await support.send('POST', `/subscriptions/${bought}/unlink`, { reason: 'engano' })).status, 200)
    const [closed] = (await accessOf(support, id)).unlinked
    assert.ok(closed?.user_id === null && closed.link_closed_at !== null)
  })

  it('shows what waits about their address, though an older purchase of theirs has ended', async () => {
    const support = await adminOf(service(), 'apoio-espera@example.com', 'support')
    const { id } = await service().user('espera@example.com')
    await notify(service().url, completed({ email: 'espera@example.com', plan: 'plano-que-nao-ha' }))
    const { products, waiting } = await accessOf(support, id)
    assert.deepEqual(products, [])
    assert.deepEqual(
      waiting.map(({ status, why, because }) => [status, why, because]),
      [['unresolved', 'unknown_plan', ['address']]],
    )
    const script = await scriptOf(service(), 'support', ['subscriptions:read', 'users:read'])
    assert.deepEqual((await accessOf(script, id)).waiting, [])
  })

  it('finds what they bought with another address: by tax id, phone, one slip of a finger, the name before the @', async () => {
    const support = await adminOf(service(), 'apoio-procura@example.com', 'support')
    const { id } = await service().user('joaquim.nabuco@exemplo.com.br', { name: 'Joaquim Aurélio Nabuco' })
    const cpf = freshCpf()
    const corrected = await support.send('POST', `/users/${id}/correct`, { tax_id: cpf, phone: '(81) 98888-1234', reason: 'x' })
    assert.equal(corrected.status, 200, corrected.text)
    const buy = async (email: string, customer: object = {}) =>
      assert.equal((await notify(service().url, { ...completed({ email }), customer: { email, ...customer } })).status, 200)
    await buy('cpf@lugar.example', { document: cpf })
    await buy('telefone@lugar.example', { phone: '81988881234' })
    await buy('joaquim.nabcuo@exemplo.com.br')
    await buy('joaquim.nabuco@exemplo.com')
    await buy('nome@lugar.example', { name: 'Nabuco Joaquim Aurelio' })
    await buy('ninguem@lugar.example', { name: 'Joaquim Souza' })
    const { unlinked } = await accessOf(support, id)
    assert.deepEqual(
      unlinked.map(({ email, because }) => [email, because]),
      [
        ['cpf@lugar.example', ['tax_id']],
        ['joaquim.nabcuo@exemplo.com.br', ['nearby_address']],
        ['telefone@lugar.example', ['phone']],
        ['joaquim.nabuco@exemplo.com', ['mailbox_name']],
        ['nome@lugar.example', ['name']],
      ],
    )
    const viewer = await adminOf(service(), 'olha@example.com', 'viewer')
    assert.deepEqual((await accessOf(viewer, id)).unlinked, [])
    const moved = await support.send('POST', `/subscriptions/${unlinked[0]?.subscription_id}/move`, { to: id, reason: 'mesmo CPF' })
    assert.equal(moved.status, 200, moved.text)
    const after = await accessOf(support, id)
    assert.deepEqual([after.products.length, after.unlinked.length], [1, 4])
  })

  it('shows another user’s purchase by the tax id alone, and not by a likeness', async () => {
    const support = await adminOf(service(), 'apoio-dois@example.com', 'support')
    const { id } = await service().user('duas.contas@example.com', { name: 'Duas Contas' })
    const cpf = freshCpf()
    await support.send('POST', `/users/${id}/correct`, { tax_id: cpf, reason: 'x' })
    for (const email of ['duas.conta@example.com', 'outro-eu@example.com']) await service().user(email, { name: 'Duas Contas' })
    const buy = (email: string, customer: object) => notify(service().url, { ...completed({ email }), customer: { email, ...customer } })
    await buy('duas.conta@example.com', { name: 'Duas Contas' })
    await buy('outro-eu@example.com', { document: cpf })
    const { unlinked } = await accessOf(support, id)
    assert.deepEqual(
      unlinked.map(({ email, because }) => [email, because]),
      [['outro-eu@example.com', ['tax_id']]],
    )
  })

  it('of a closed account is still shown, and said to be closed', async () => {
    const support = await adminOf(service(), 'apoio-fecha@example.com', 'support')
    const { id } = await service().user('fechada@example.com')
    await notify(service().url, completed({ email: 'fechada@example.com' }))
    assert.equal((await support.send('POST', `/users/${id}/disable`, {})).status, 200)
    const { locked, products } = await accessOf(support, id)
    assert.deepEqual([locked, products.map(({ active }) => active)], [true, [true]])
  })

  it('takes the same number of statements for one purchase as for sixty', async () => {
    const support = await adminOf(service(), 'apoio-conta@example.com', 'support')
    const [few, many] = [await service().user('um@contadas.example'), await service().user('sessenta@contadas.example')]
    await notify(service().url, activated({ email: 'um@contadas.example' }))
    for (let n = 0; n < 60; n++) await notify(service().url, activated({ email: 'sessenta@contadas.example' }))
    const { db } = service().context.storage
    const count = async ({ id }: { id: string }) => {
      let statements = 0
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          statements++
          return result
        },
      }
      const counting = db.withPlugin(plugin) as typeof db
      const user = (await findUser(db, id)) ?? assert.fail(id)
      const own = await listAccessOfUser(counting, id, service().clock.now)
      await findPossiblePurchases({ user, taxId: '52998224725', by: 'everything' }, counting)
      const rows = await subscriptionStore(counting).listByIds(own.map(({ subscriptionId }) => subscriptionId))
      await listHistories(counting, [...new Set(rows.map(({ streamId }) => streamId))])
      return statements
    }
    const ofOne = await count(few)
    assert.ok(ofOne > 8, `${ofOne}`)
    assert.equal(await count(many), ofOne)
    assert.equal((await accessOf(support, many.id)).products[0]?.others, 59)
  })

  it('is read by whoever may read subscriptions, of whoever there is', async () => {
    const { id } = await service().user('lida@example.com')
    for (const role of ['owner', 'support', 'viewer'] as const)
      assert.deepEqual((await accessOf(await adminOf(service(), `${role}-le@example.com`, role), id)).products, [])
    assertRefused(await (await scriptOf(service(), 'owner', ['users:read'])).get(`/users/${id}/access`), 403, 'nao permitido')
    assert.equal((await (await scriptOf(service(), 'owner')).get('/users/0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21/access')).status, 404)
  })
})

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}
