import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { askAccess, deliver, openSchool } from '../../support/gateways/gateways.ts'
import { invoicePaid, refundOf, sale, stripeEvent } from '../../support/gateways/made-events.ts'
import { activated, bring, completed, notify, received, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { PASSWORD, startService, type TestService } from '../../support/service.ts'

type Checked = { session: { plan_slug: string | null } }

/** Personal data of a buyer in a notification, besides the address. */
const PERSONAL = ['Clarice Buyer', '+5511987654321', '12.345.678/0001-95', 'Lispector ME']

function aboutClarice(body: ReturnType<typeof completed>) {
  return {
    ...body,
    customer: { ...body.customer, name: PERSONAL[0], phone: PERSONAL[1] },
    company: { name: PERSONAL[3], cnpj: PERSONAL[2] },
  }
}

eachDatabase('A buyer whose account is deleted', (database) => {
  async function open() {
    const place = await database.fresh()
    const service = await startService(place, { environment: WEBHOOKS })
    const { product, apiKey } = await service.product({ slug: 'curso', audience: 'external', checkout: 'external' })
    const ask = async (query: Record<string, string>) => {
      const url = `${service.url}/api/saas/check-access?${new URLSearchParams(query)}`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
      return (await answer.json()) as { active: boolean; reason: string }
    }
    return { service, product, ask, portaria: commandLine(place) }
  }

  async function remove(service: TestService, idOrEmail: string) {
    const user = (await findUser(service.context.storage.db, idOrEmail)) ?? assert.fail('no such user')
    assert.equal(await deleteUser(user, { ...service.context, actor: 'operator:test' }), undefined)
  }

  it('leaves no address, name, phone or number in any table, however they bought', async () => {
    const { service, product } = await open()
    const email = 'clarice@example.com'
    const guest = aboutClarice(completed({ email: ' Clarice@Example.com ', productId: product.id }))
    assert.equal((await notify(service.url, guest)).status, 200)
    const user = await service.user(email)
    for (const body of [
      aboutClarice(completed({ email })),
      activated({ email }),
      { ...aboutClarice(completed({ email })), is_test: true },
      aboutClarice(completed({ email, plan: 'no-such-plan' })),
      activated({ email, name: 'no such product' }),
    ]) {
      assert.equal((await notify(service.url, body)).status, 200)
    }
    assert.equal((await everything(service)).includes(email), true)
    await remove(service, user.id)
    const left = await everything(service)
    for (const text of [email, 'Clarice@Example.com', ...PERSONAL]) assert.equal(left.includes(text), false, text)
    const notifications = await received(service)
    assert.deepEqual(
      notifications.map(({ status, why }) => [status, why]),
      [
        ['processed', null],
        ['processed', null],
        ['processed', null],
        ['test', null],
        ['ignored', 'buyer_forgotten'],
        ['unresolved', 'unknown_plan'],
      ],
    )
    const [first, , third] = notifications.map(({ payload }) => JSON.parse(payload))
    assert.deepEqual(first, {
      event: 'purchase.completed',
      product: { id: product.id, plan_slug: 'easy-pro' },
      timestamp: guest.timestamp,
    })
    assert.deepEqual(Object.keys(third.data).sort(), ['amount', 'is_test', 'subscription_id'])
    const kept = await service.context.storage.db.selectFrom('subscriptions').selectAll().execute()
    assert.equal(kept.length, 3)
    assert.equal(new Set(kept.map(({ email_hash }) => email_hash)).size, 1)
    for (const row of kept) {
      assert.match(row.email_hash ?? '', /^[0-9a-f]{64}$/)
      assert.deepEqual([row.user_id, row.email, row.state], [null, null, 'active'])
    }
  })

  it('leaves no address in anything that a gateway reported, whatever has become of it', async () => {
    const { service } = await open()
    const school = await openSchool(service, 'stripe')
    const email = 'clarice@example.com'
    const user = await service.user(email)
    const dressed = { email: `Clarice <${email}>` }
    const customer = { id: 'cus_1', object: 'customer', email, name: 'Clarice' }
    for (const event of [
      invoicePaid('sub_1', email),
      { ...invoicePaid('sub_1', email), type: 'invoice.payment_succeeded' },
      stripeEvent('customer.updated', customer),
      { ...sale('pi_test', email), livemode: false },
      sale('pi_unusable', email, { customer_details: dressed }),
      sale('pi_unknown', email, { metadata: { plan_slug: 'of-nobody' } }),
      sale('pi_unknown', email, { metadata: { plan_slug: 'of-nobody' } }),
      stripeEvent('charge.refunded', { ...refundOf('pi_never').data.object, billing_details: { email: email.toUpperCase() } }),
      invoicePaid('sub_2', 'outra@example.com', { customer_shipping: { note: `for ${email}.` } }),
      stripeEvent('customer.created', { email: Array.from({ length: 60 }, (_, n) => `${n}@example.com`).concat(email) }),
    ])
      assert.equal((await deliver(school, event)).status, 200)
    const before = await received(service)
    await remove(service, user.id)
    assert.equal((await everything(service)).toLowerCase().includes(email), false)
    const after = await received(service)
    assert.deepEqual(
      after.map(({ status, why }) => [status, why]),
      before.map(({ status, why }) => [status, why]),
    )
    assert.equal((await askAccess(service, school, 'outra@example.com')).active, true)
    assert.equal((await deliver(school, refundOf('pi_never'))).status, 200)
    const charged = { ...refundOf('in_sub_1').data.object, invoice: 'in_sub_1', amount_refunded: 1, refunded: false, receipt_email: email }
    assert.equal((await deliver(school, stripeEvent('charge.refunded', charged))).status, 200)
    assert.equal((await everything(service)).includes(email), false, 'later events of what was bought')
    const noted = await service.context.storage.db.selectFrom('notification_terms').selectAll().execute()
    assert.deepEqual(new Set(noted.map(({ notification_id }) => notification_id)).size, 0)
  })

  it('leaves a product what it has linked to its own user, and nobody anything else', async () => {
    const { service, product, ask } = await open()
    const { id } = await service.user('rita@example.com')
    await notify(service.url, completed({ email: 'rita@example.com', productId: product.id }))
    assert.equal((await ask({ user_id: 'aluna-7', email: 'rita@example.com' })).active, true)
    assert.equal((await ask({ user_id: id })).active, true)
    await remove(service, id)
    assert.equal((await ask({ user_id: 'aluna-7' })).reason, 'paid')
    for (const query of [{ user_id: id }, { email: 'rita@example.com' }, { user_id: 'aluna-8', email: 'rita@example.com' }]) {
      assert.equal((await ask(query as Record<string, string>)).reason, 'no_subscription', JSON.stringify(query))
    }
  })

  it('leaves a later account with that address empty, and what is bought from then on is its alone', async () => {
    const { service, product, ask } = await open()
    const email = 'volta@example.com'
    const old = completed({ email, productId: product.id })
    await service.user(email)
    await notify(service.url, old)
    await remove(service, email)
    const later = await service.user(email)
    const browser = service.browser()
    await browser.signIn('/login', { email, password: PASSWORD })
    assert.equal((await browser.get('/auth/check')).json<Checked>().session.plan_slug, null)
    assert.deepEqual(await subscriptionsOf(service, email), [])
    assert.equal((await notify(service.url, old)).status, 200) // sent again, it counts as before: as nothing
    assert.deepEqual(await subscriptionsOf(service, email), [])
    await notify(service.url, completed({ email, productId: product.id, at: new Date(service.clock.now + 1_000).toISOString() }))
    const [bought, ...others] = await subscriptionsOf(service, email)
    assert.deepEqual([bought?.user_id, bought?.number, others.length], [later.id, 0, 0])
    assert.equal((await ask({ user_id: later.id })).active, true)
    await remove(service, email) // the same address, product and plan are forgotten a second time
    assert.equal((await everything(service)).includes(email), false)
    assert.equal((await service.context.storage.db.selectFrom('event_streams').selectAll().execute()).length, 2)
  })

  it('has later events of a subscription applied without the address that it brings', async () => {
    const { service, product, ask } = await open()
    const email = 'nara@example.com'
    const plan = { email, id: randomUUID(), product_id: product.id }
    await service.user(email)
    await notify(service.url, activated(plan))
    assert.equal((await ask({ user_id: 'aluna-9', email })).active, true)
    await remove(service, email)
    const later = await service.user(email)
    const next = { ...plan, at: new Date(service.clock.now + 60_000).toISOString() }
    assert.equal((await notify(service.url, activated(next))).status, 200)
    assert.equal((await notify(service.url, activated({ ...next, product_id: randomUUID(), name: 'not known' }))).status, 200)
    const rows = await service.context.storage.db.selectFrom('subscriptions').selectAll().execute()
    assert.equal(rows.length, 1)
    assert.deepEqual([rows[0]?.email, rows[0]?.user_id, rows[0]?.changed_at], [null, null, service.clock.now + 60_000])
    assert.equal((await ask({ user_id: 'aluna-9' })).active, true)
    assert.equal((await ask({ user_id: later.id })).reason, 'no_subscription')
    await service.context.storage.db.deleteFrom('users').where('id', '=', later.id).execute()
    assert.equal((await everything(service)).includes(email), false)
    assert.deepEqual(
      (await received(service)).map(({ status }) => status),
      ['processed', 'processed', 'unresolved'],
    )
  })

  it('keeps no address when events arrives in the very moment of the deletion', async () => {
    const { service } = await open()
    for (let round = 0; round < 8; round++) {
      const email = `corrida${round}@example.com`
      const ids = [randomUUID(), randomUUID(), randomUUID()]
      await service.user(email)
      for (const id of ids) await notify(service.url, activated({ email, id }))
      const at = new Date(service.clock.now + 60_000).toISOString()
      const [, ...answers] = await Promise.all([
        remove(service, email),
        ...ids.map((id) => notify(service.url, activated({ email, id, at }))),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      )
      assert.equal((await everything(service)).includes(email), false, email)
    }
  })

  it('takes nothing from the one who really has the address, when theirs was never verified', async () => {
    const { service, portaria } = await open()
    const email = 'vitima@example.com'
    await notify(service.url, completed({ email }))
    const squatter = await portaria(`user create --email ${email} --name Intruso --json`)
    await remove(service, squatter.json.id)
    const [bought] = await subscriptionsOf(service, email)
    assert.deepEqual([bought?.email, bought?.link_closed_at], [email, null])
    const owner = await service.user(email)
    assert.equal((await subscriptionsOf(service, email))[0]?.user_id, owner.id)
  })

  it('takes nothing from the account to which the operator had moved a purchase, but the address', async () => {
    const { service, portaria } = await open()
    const receiver = await service.user('recebe@example.com')
    await service.user('cede@example.com')
    await notify(service.url, completed({ email: 'cede@example.com' }))
    const [bought] = await subscriptionsOf(service, 'cede@example.com')
    assert.equal((await portaria(`subscription move ${bought?.id} --to ${receiver.email} --reason gift`)).code, 0)
    await remove(service, 'cede@example.com')
    const shown = (await portaria(`user show ${receiver.email} --json`)).json
    assert.deepEqual([shown.plan_slug, shown.subscriptions[0].email, shown.subscriptions.length], ['easy-pro', null, 1])
  })

  it('is forgotten in the old events of a purchase that has become another’s, address and all', async () => {
    const { service, portaria } = await open()
    const id = randomUUID()
    const receiver = await service.user('nova@example.com')
    await service.user('velha@example.com')
    await notify(service.url, activated({ email: 'velha@example.com', id }))
    const [bought] = await subscriptionsOf(service, 'velha@example.com')
    await portaria(`subscription move ${bought?.id} --to ${receiver.id} --reason sold`)
    const at = new Date(service.clock.now + 60_000).toISOString()
    await notify(service.url, activated({ email: 'nova@example.com', id, at }))
    await remove(service, 'velha@example.com')
    assert.equal((await everything(service)).includes('velha@example.com'), false)
    const [kept] = await subscriptionsOf(service, 'nova@example.com')
    assert.deepEqual([kept?.id, kept?.user_id], [bought?.id, receiver.id])
  })

  it('takes nothing from the next buyer of a subscription that has changed hands, and leaves nothing of the first', async () => {
    const { service } = await open()
    await service.user('antes@example.com')
    const next = await service.user('depois@example.com')
    const at = service.clock.now
    await bring(service, { ref: 'r1', kind: 'paid', paymentId: 'p1', email: 'antes@example.com', at: at - 3_000 })
    await bring(service, { ref: 'r1', kind: 'refunded', paymentId: 'p1', at: at - 2_000 })
    const last = await bring(service, { ref: 'r1', kind: 'paid', paymentId: 'p2', email: 'depois@example.com', at: at - 1_000 })
    await service.context.storage.db.updateTable('subscriptions').set({ user_id: next.id }).where('id', '=', last.id).execute()
    await remove(service, 'antes@example.com')
    const renewed = await bring(service, { ref: 'r1', kind: 'paid', paymentId: 'p3', email: 'depois@example.com' })
    assert.deepEqual([renewed.id, renewed.email, renewed.userId], [last.id, 'depois@example.com', next.id])
    assert.equal((await everything(service)).includes('antes@example.com'), false)
  })

  it('has no other’s address in what was theirs, whatever their stream receives after it has changed hands', async () => {
    const { service, portaria } = await open()
    await service.user('antes@example.com')
    const next = await service.user('depois@example.com')
    const at = service.clock.now
    const first = await bring(service, { ref: 'r2', kind: 'paid', paymentId: 'p1', email: 'antes@example.com', at: at - 3_000 })
    await bring(service, { ref: 'r2', kind: 'refunded', paymentId: 'p1', email: 'depois@example.com', at: at - 2_000 })
    const last = await bring(service, { ref: 'r2', kind: 'paid', paymentId: 'p2', email: 'depois@example.com', at: at - 1_000 })
    const { db } = service.context.storage
    await db.updateTable('subscriptions').set({ user_id: next.id }).where('id', '=', last.id).execute()
    await remove(service, 'antes@example.com')
    await bring(service, { ref: 'r2', kind: 'paid', paymentId: 'p3', email: 'depois@example.com' })
    const kept = await db.selectFrom('subscriptions').select(['id', 'email', 'user_id']).orderBy('number').execute()
    assert.deepEqual(kept, [
      { id: first.id, email: null, user_id: null },
      { id: last.id, email: 'depois@example.com', user_id: next.id },
    ])
    assert.equal((await portaria('subscription rebuild --check')).code, 0)
  })

  it('is still found by support, who is given the address', async () => {
    const { service, portaria } = await open()
    const email = 'disputa@example.com'
    await service.user(email)
    await notify(service.url, completed({ email }))
    await notify(service.url, completed({ email: 'outra@example.com' }))
    await remove(service, email)
    const found = (await portaria(`subscription list --email ${email.toUpperCase()} --json`)).json
    assert.deepEqual(
      found.map((one: { email: string | null; state: string }) => [one.email, one.state]),
      [[null, 'active']],
    )
    assert.match((await portaria(`subscription show ${found[0].id}`)).out, /^buyer +forgotten 20/m)
  })
})

/** Every row of every table, as text. */
async function everything({ context }: TestService): Promise<string> {
  const { db } = context.storage
  const tables = await db.introspection.getTables()
  assert.ok(tables.length > 20)
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db
        .selectFrom(name as 'users')
        .selectAll()
        .execute(),
    ),
  )
  return JSON.stringify(rows)
}
