import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { eachDatabase } from '../../support/databases.ts'
import { deliver, openSchool } from '../../support/gateways/gateways.ts'
import { sale } from '../../support/gateways/made-events.ts'
import { activated, bring, completed, later, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { PASSWORD, startForSuite } from '../../support/service.ts'
import { type Admin, adminOf, listAll, scriptOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

interface TimelineEntry {
  id: string
  kind: string
  what: string
  at: string
  details: Record<string, unknown>
  path: string | null
}

/** Mails are sent beside all this, when the outbox gets to it. */
async function withoutMails(admin: Admin, id: string, limit = 100): Promise<TimelineEntry[]> {
  const all = (await listAll(admin, `/users/${id}/timeline`, limit)) as unknown as TimelineEntry[]
  return all.filter(({ kind }) => kind !== 'mail')
}

/** As `kind what`, page by page. */
async function timeline(admin: Admin, id: string, limit = 100): Promise<string[]> {
  return (await listAll(admin, `/users/${id}/timeline`, limit)).map(({ kind, what }) => `${kind} ${what}`)
}

eachDatabase('The timeline of a user', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('shows a refund by the operator once, though the gateway reports it as well', async () => {
    const support = await adminOf(service(), 'apoio-devolve@example.com', 'support')
    const { id } = await service().user('devolvida@example.com')
    const bought = await bring(service(), {
      ref: 'devolvida',
      kind: 'paid',
      paymentId: 'p1',
      amount: 4_900,
      email: 'devolvida@example.com',
    })
    assert.equal((await support.send('POST', `/subscriptions/${bought.id}/refund`, { reason: 'arrependimento' })).status, 200)
    for (const at of [service().clock.now - 10, service().clock.now])
      await bring(service(), { ref: 'devolvida', kind: 'refunded', paymentId: 'p1', at })
    for (const limit of [100, 1]) {
      const purchases = (await timeline(support, id, limit)).filter((entry) => entry.startsWith('purchase'))
      assert.deepEqual(purchases.toSorted(), ['purchase paid', 'purchase refunded'])
    }
    const shown = (await withoutMails(support, id)).filter(({ kind }) => kind === 'purchase')
    assert.equal(shown[0]?.details.amount, 4_900)
    assert.deepEqual(shown[0]?.details, shown[1]?.details, 'the plan and the amount are those of the payment')
  })

  it('says of a refund that came before its purchase that it waits for that, until the purchase is there', async () => {
    const support = await adminOf(service(), 'apoio-espera@example.com', 'support')
    const { id } = await service().user('antes@example.com')
    const of = { subscription_id: randomUUID(), product_name: 'Easy Pro', user_email: 'antes@example.com', payment_id: 'antes-1' }
    await notify(service().url, later('payment.refunded', of))
    const shown = async () => {
      const found = (await withoutMails(support, id)).find(({ what }) => what === 'payment.refunded') ?? assert.fail()
      const page = (await support.get(`/notifications/${found.id}`)).json<{ status: string; why: string | null }>()
      assert.deepEqual(found.details, { source: 'purchase', status: page.status, why: page.why })
      return [page.status, page.why]
    }
    assert.deepEqual(await shown(), ['processed', 'awaits_purchase'])
    await notify(service().url, later('subscription.renewed', { ...of, payment_id: 'another' }))
    assert.deepEqual(await shown(), ['processed', 'awaits_purchase'])
    await notify(service().url, activated({ email: 'antes@example.com', id: of.subscription_id, payment_id: 'antes-1' }))
    assert.deepEqual(await shown(), ['processed', null])
  })

  it('shows in one list sign-ins, their ends, purchases, notifications about them, mails and changes, newest first', async () => {
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const { id } = await service().user('vida@example.com')
    const { id: other } = await service().user('outra@example.com')
    const { db } = service().context.storage
    const wait = () => {
      service().clock.now = Math.max(Date.now(), service().clock.now) + 5
      return new Promise((resolve) => setTimeout(resolve, 20))
    }
    await wait()
    const browser = service().browser({ 'user-agent': 'Firefox' })
    await browser.signIn('/login', { email: 'vida@example.com', password: PASSWORD })
    await wait()
    await notify(service().url, completed({ email: 'vida@example.com' }))
    await notify(service().url, completed({ email: 'outra@example.com' }))
    await wait()
    await support.send('POST', `/users/${id}/disable`, { reason: 'pedido por telefone' })
    await wait()
    const found = await withoutMails(support, id)
    assert.deepEqual(found.map(({ kind, what }) => `${kind} ${what}`).toSorted(), [
      'change user.create',
      'change user.disable',
      'notification purchase.completed',
      'purchase paid',
      'session_end disabled',
      'sign_in sign_in',
    ])
    const of = (kind: string) => found.find((one) => one.kind === kind && one.what !== 'user.create') ?? assert.fail(kind)
    assert.deepEqual(of('sign_in').details, { product: null, ip: of('sign_in').details.ip, user_agent: 'Firefox' })
    assert.deepEqual(of('purchase').details, { plan: 'Easy Pro', amount: null, foreign_amount: null, method: null })
    assert.match(of('purchase').path ?? '', /^\/subscriptions\/[\w-]{36}\/show$/)
    assert.deepEqual(of('notification').details, { source: 'purchase', status: 'processed', why: null })
    assert.deepEqual(of('change').details, { actor: `user:${support.id}`, target: id, reason: 'pedido por telefone' })
    const rank = { sign_in: 0, purchase: 1, notification: 1, change: 2, session_end: 2 }
    const ranks = found.filter(({ what }) => what !== 'user.create').map(({ kind }) => rank[kind as keyof typeof rank])
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => b - a),
    )
    assert.ok(!(await timeline(support, other)).some((line) => line.startsWith('sign_in')))
    await db.insertInto('sent_mails').values({ id: '01900000-0000-7000-8000-000000000001', user_id: id, kind: 'recovery', at: 1 }).execute()
    assert.equal((await timeline(support, id)).at(-1), 'mail recovery')
  })

  it('shows each thing once, however small the pages, and those of one moment too', async () => {
    const support = await adminOf(service(), 'paginas@example.com', 'support')
    const { id } = await service().user('cheia@example.com')
    // The clock stands: sign-ins, ends and purchases share one millisecond.
    for (let n = 0; n < 4; n++) {
      const browser = service().browser()
      await browser.signIn('/login', { email: 'cheia@example.com', password: PASSWORD })
      await browser.request('POST', '/auth/signout', { headers: { origin: service().url } })
      await browser.signIn('/login', { email: 'cheia@example.com', password: PASSWORD })
    }
    const school = await openSchool(service(), 'stripe')
    for (let n = 0; n < 3; n++) await deliver(school, sale(`pi_cheia_${n}`, 'cheia@example.com'))
    await support.send('POST', `/users/${id}/disable`, {})
    await support.send('POST', `/users/${id}/enable`, {})
    const whole = await withoutMails(support, id)
    assert.equal(whole.filter(({ kind }) => kind === 'sign_in').length, 8)
    assert.equal(whole.filter(({ kind }) => kind === 'session_end').length, 8)
    assert.equal(whole.filter(({ kind }) => kind === 'purchase').length, 3)
    assert.equal(new Set(whole.map((one) => one.id)).size, whole.length)
    for (const limit of [1, 2, 3, 7]) assert.deepEqual(await withoutMails(support, id, limit), whole, `${limit}`)
  })

  it('names the action of an administrator once, on their own timeline and on that of whom it was done to', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const { id } = await service().user('feita@example.com')
    await owner.send('POST', `/users/${id}/disable`, {})
    assert.equal((await owner.send('POST', `/users/${owner.id}/revoke-sessions`, {})).status, 200)
    const again = await adminOf(service(), 'outra-dona@example.com', 'owner')
    for (const who of [id, owner.id]) assert.equal((await timeline(again, who)).filter((line) => line === 'change user.disable').length, 1)
    const own = await listAll(again, `/users/${owner.id}/timeline`, 100)
    assert.equal(new Set(own.map((one) => one.id)).size, own.length)
  })

  it('leaves out what is reported about an address that nobody has verified', async () => {
    const support = await adminOf(service(), 'prova@example.com', 'support')
    const { id } = await service().user('incerta@example.com')
    await notify(service().url, completed({ email: 'incerta@example.com', plan: 'plano-que-nao-existe' }))
    assert.ok((await timeline(support, id)).includes('notification purchase.completed'))
    await service().context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', id).execute()
    assert.ok(!(await timeline(support, id)).includes('notification purchase.completed'))
  })

  it('is read by whoever may read users, a script no further than its scopes, and its places are its own', async () => {
    const viewer = await adminOf(service(), 'vista@example.com', 'viewer')
    const { id } = await service().user('lida@example.com')
    const { id: other } = await service().user('nao-lida@example.com')
    for (let n = 0; n < 2; n++) await service().browser().signIn('/login', { email: 'lida@example.com', password: PASSWORD })
    const page = await viewer.get(`/users/${id}/timeline?limit=1`)
    const { next_cursor: cursor } = page.json<{ next_cursor: string }>()
    assertRefused(await viewer.get(`/users/${other}/timeline?limit=1&cursor=${cursor}`), 400, 'cursor invalido')
    assertRefused(await viewer.get(`/users/${id}/timeline?limit=1&cursor=${cursor}x`), 400, 'cursor invalido')
    assertRefused(await viewer.get(`/users/${id}/timeline?sort=at`), 400, 'Payload invalido', { fields: { sort: 'unknown' } })
    assertRefused(await viewer.get('/users/0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21/timeline'), 404, 'nao encontrado')
    const script = await scriptOf(service(), 'support', ['users:read', 'audit:read'])
    assert.deepEqual([...new Set((await withoutMails(script, id)).map(({ kind }) => kind))], ['change'])
    assertRefused(await (await scriptOf(service(), 'owner', ['audit:read'])).get(`/users/${id}/timeline`), 403, 'nao permitido')
  })
})
