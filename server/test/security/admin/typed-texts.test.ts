import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { attemptStore } from '../../../src/notifications/index.ts'
import { planStore } from '../../../src/subscriptions/index.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { deliver, openSchool } from '../../support/gateways/gateways.ts'
import { sale } from '../../support/gateways/made-events.ts'
import { activated, completed, notify, received, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { startService, type TestService } from '../../support/service.ts'
import { type Admin, adminOf, listAll } from '../../support/users/admins.ts'

const EMAIL = 'zenobia@example.com'
/** What an operator types about the person: nothing else in the database is like it. */
const MARKER = 'Zenobia Quaresma, CPF 529.982.247-25'
const WHY = { reason: `${MARKER}, asked` }

/** The rows in which the text stays, by table, and why. */
const exempt: Readonly<Record<string, { why: string; is: (row: Record<string, unknown>) => boolean }>> = {
  audit: { why: 'the deletion’s own entry says for what reason it was done', is: ({ action }) => action === 'user.delete' },
}

eachDatabase('What operators typed about somebody whose account is deleted', (database) => {
  it('stands in no text of any table, nor in a list or a file', async () => {
    const { service, owner, id } = await begin(database)
    await typeAboutUser(owner, id, service)
    await typeAboutSubscriptions(owner, service)
    await typeAboutNotifications(owner, service)
    assert.ok((await placesOf(service, MARKER)).length >= 3, 'it has been typed')
    assert.equal((await owner.send('DELETE', `/users/${id}`, WHY)).status, 200)
    assert.deepEqual(await placesOf(service, MARKER), [])
    const { reason } = (await listAll(owner, '/audit?action=user.delete'))[0] ?? assert.fail()
    assert.equal(reason, WHY.reason)
    for (const list of ['notifications', 'audit', 'subscriptions']) {
      const rows = (await listAll(owner, `/${list}`, 50)).filter(({ action }) => action !== 'user.delete')
      assert.equal(JSON.stringify(rows).includes('Zenobia'), false, list)
      const file = (await owner.send('POST', `/${list}/export`, {})).text
      const lines = file.split('\r\n').filter((line) => !line.includes('user.delete'))
      assert.equal(lines.join('\n').includes('Zenobia'), false, `the file of ${list}`)
    }
  })

  it('stays where it is about somebody else, with ids, states and plans of what was done', async () => {
    const { service, owner, id } = await begin(database)
    await notify(service.url, completed({ email: EMAIL }))
    await notify(service.url, completed({ email: 'outra@example.com' }))
    const [own] = await subscriptionsOf(service, EMAIL)
    const [other] = await subscriptionsOf(service, 'outra@example.com')
    for (const subscription of [own, other])
      assert.equal((await owner.send('POST', `/subscriptions/${subscription?.id}/end`, WHY)).status, 200)
    assert.equal((await owner.send('DELETE', `/users/${id}`, { reason: 'x' })).status, 200)
    const [entry] = await listAll(owner, `/audit?target=${own?.id}`)
    assert.deepEqual(
      [entry?.action, entry?.reason, entry?.before],
      ['subscription.end', null, { state: 'active', user_id: id, product_user_hash: null }],
    )
    const [kept] = await listAll(owner, `/audit?target=${other?.id}`)
    assert.equal(kept?.reason, WHY.reason)
  })

  it('goes from the purchases that were merged into theirs, however many of them there are', async () => {
    const { service, owner, id } = await begin(database)
    await notify(service.url, completed({ email: EMAIL }))
    const [own] = await subscriptionsOf(service, EMAIL)
    const { db } = service.context.storage
    const merged = Array.from({ length: 1_200 }, () => randomUUID())
    for (let from = 0; from < merged.length; from += 100) {
      const some = merged.slice(from, from + 100)
      await db
        .insertInto('merged_subscriptions')
        .values(some.map((one) => ({ id: one, successor_id: own?.id ?? assert.fail() })))
        .execute()
      const entry = { at: 1, actor: 'operator:cli', action: 'subscription.end', before: null, after: null, reason: MARKER, ip: null }
      await db
        .insertInto('audit')
        .values(some.map((target) => ({ ...entry, id: randomUUID(), target })))
        .execute()
    }
    assert.equal((await owner.send('DELETE', `/users/${id}`, { reason: 'x' })).status, 200)
    assert.equal((await placesOf(service, MARKER)).length, 0)
  })

  it('leaves a notification that waits for its gateway what it is asked by, and nothing else of its address', async () => {
    const { service, owner, id } = await begin(database)
    const school = await openSchool(service, 'stripe')
    assert.equal((await deliver(school, sale('pi_1', EMAIL))).status, 200)
    const query = new URLSearchParams({ 'data.id': '42', type: 'payment', id: MARKER, who: MARKER, 'payer.id': '52998224725' })
    await service.context.storage.db.updateTable('notifications').set({ query: query.toString() }).execute()
    assert.equal((await owner.send('DELETE', `/users/${id}`, { reason: 'x' })).status, 200)
    assert.equal((await received(service))[0]?.query, 'data.id=42&type=payment')
  })
})

async function begin(database: TestDatabase) {
  const mailbox = await startMailbox()
  const environment = { ...WEBHOOKS, PORTARIA_SMTP_URL: mailbox.url }
  const service = await startService(await database.fresh(), { environment })
  const owner = await adminOf(service, 'dona@example.com', 'owner')
  const { id } = await service.user(EMAIL)
  return { service, owner, id }
}

async function done(admin: Admin, path: string, body: object, method: 'POST' | 'PATCH' | 'DELETE' = 'POST'): Promise<void> {
  const version = (await admin.get(path)).headers.get('etag')?.slice(1, -1)
  const answer = await admin.send(method, path, body, version === undefined ? {} : { version })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
}

async function typeAboutUser(owner: Admin, id: string, service: TestService): Promise<void> {
  const { db } = service.context.storage
  await done(owner, `/users/${id}`, { name: MARKER, company_name: MARKER, rank_name: MARKER, ...WHY }, 'PATCH')
  await db.insertInto('totp_factors').values({ user_id: id, secret_sealed: 'x', created_at: 1, confirmed_at: 2, last_step: 0 }).execute()
  for (const action of ['disable', 'enable', 'revoke-sessions', 'send-link', 'remove-factors', 'export'])
    await done(owner, `/users/${id}/${action}`, WHY)
  await done(owner, `/users/${id}/correct`, { phone: '+5511987654321', ...WHY })
  await done(owner, '/administrators', { email: EMAIL, role: 'support', ...WHY })
  await done(owner, `/administrators/${id}`, WHY, 'DELETE')
  const browser = service.browser()
  await browser.signIn('/login', { email: EMAIL, password: 'correct horse battery' })
  const session = await db.selectFrom('sessions').select('id').where('user_id', '=', id).where('ended_at', 'is', null).executeTakeFirst()
  await done(owner, `/sessions/${session?.id}/end`, WHY)
}

async function typeAboutSubscriptions(owner: Admin, service: TestService): Promise<void> {
  const plan = (await planStore(service.context.storage.db).list('operator'))[0] ?? assert.fail('no plan')
  await done(owner, '/subscriptions', { user: EMAIL, plan_id: plan.id, ...WHY })
  for (let n = 0; n < 4; n++) await notify(service.url, activated({ email: EMAIL }))
  const [ended, refunded, unlinked, moved] = (await subscriptionsOf(service, EMAIL)).slice(1) // the first is the grant
  await done(owner, `/subscriptions/${ended?.id}/end`, WHY)
  await done(owner, `/subscriptions/${refunded?.id}/refund`, WHY)
  await done(owner, `/subscriptions/${unlinked?.id}/unlink`, WHY)
  await service.user('recebe@example.com')
  await done(owner, `/subscriptions/${moved?.id}/move`, { to: 'recebe@example.com', ...WHY })
}

async function typeAboutNotifications(owner: Admin, service: TestService): Promise<void> {
  for (let n = 0; n < 5; n++) await notify(service.url, completed({ email: EMAIL, plan: `no-such-plan-${n}` }))
  const waiting = (await received(service)).filter(({ status }) => status === 'unresolved').map(({ id }) => id)
  const [ignored, resolved, together, failed, tried] = waiting
  await done(owner, `/notifications/${ignored}/ignore`, WHY)
  await done(owner, `/notifications/${resolved}/resolve`, { plan: 'easy-pro', ...WHY })
  await done(owner, '/notifications/batch', { action: 'ignore', ids: [together], ...WHY })
  const { db } = service.context.storage
  await db
    .updateTable('notifications')
    .set({ status: 'failed', why: MARKER, normalized: null })
    .where('id', '=', failed ?? '')
    .execute()
  // An attempt of an earlier version had the operator's reason.
  for (const outcome of ['fault', 'failed', 'ignored'] as const)
    await attemptStore(db).note(tried ?? '', { kind: 'resolution', at: 1, outcome, why: MARKER })
}

/** Where a text stands, whatever its case: table, column and row. */
async function placesOf({ context }: TestService, text: string): Promise<string[]> {
  const { db } = context.storage
  const places: string[] = []
  for (const { name } of await db.introspection.getTables())
    for (const row of await db
      .selectFrom(name as 'audit')
      .selectAll()
      .execute()) {
      if (exempt[name]?.is(row)) continue
      for (const [column, value] of Object.entries(row))
        if (String(value).toLowerCase().includes(text.toLowerCase())) places.push(`${name}.${column} of ${JSON.stringify(row)}`)
    }
  return places
}
