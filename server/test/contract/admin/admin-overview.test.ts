import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { keepDays } from '../../../src/admin/index.ts'
import { gatewayHealthStore } from '../../../src/gateways/index.ts'
import { DAY_MS, firstIdAt, HOUR_MS } from '../../../src/kit/index.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { connect } from '../../support/gateways/gateways.ts'
import { altered, completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { cheapPasswords, PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import { type Admin, adminOf, listAll, scriptOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

interface Day {
  day: string
  sign_ins: number
  new_users: number
  purchases: number
  failures: number
  sign_ins_by_method: Record<string, number>
  failed_sign_ins: number
  failed_sign_ins_by_kind: Record<string, number>
  failed_notifications: number
  dead_jobs: number
}

interface Overview {
  today: string
  days: Day[]
  month: { month: string; since: string; until: string; before: { from: string; to: string; counts: Omit<Day, 'day'> } } | null
  alerts: Array<{ kind: string; severity: string; count: number; product: string | null; since: string | null; path: string }>
  products: number
}

/** Noon, long after anything that the tests themselves do. */
const NOON = Date.UTC(2031, 4, 20, 12)
const NOTHING = {
  sign_ins: 0,
  new_users: 0,
  purchases: 0,
  failures: 0,
  sign_ins_by_method: {},
  failed_sign_ins: 0,
  failed_sign_ins_by_kind: {},
  failed_notifications: 0,
  dead_jobs: 0,
}

eachDatabase('The overview of the console', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('counts sign-ins, new users, purchases and failures of each day of São Paulo, today included', async () => {
    const script = await scriptOf(service(), 'viewer')
    service().clock.now = NOON
    // Three hours behind UTC.
    const midnight = NOON - 9 * HOUR_MS
    await happen(service(), { user: midnight - 1, signIn: midnight - 1, productSignIn: midnight - 1 })
    await happen(service(), { user: midnight, signIn: midnight, purchase: midnight + 5, unresolved: midnight + 6, deadJob: midnight + 7 })
    await happen(service(), { awaitingGateway: midnight + 8, purchase: NOON - 1 })
    const { days } = await read(script, 7)
    assert.deepEqual(
      days.map(({ day }) => day),
      ['2031-05-14', '2031-05-15', '2031-05-16', '2031-05-17', '2031-05-18', '2031-05-19', '2031-05-20'],
    )
    assert.deepEqual(days[4], { day: '2031-05-18', ...NOTHING })
    assert.deepEqual(days[5], { day: '2031-05-19', ...NOTHING, new_users: 1, sign_ins: 1 })
    assert.deepEqual(days[6], {
      ...{ day: '2031-05-20', ...NOTHING, new_users: 1, sign_ins: 1, purchases: 2 },
      ...{ failures: 2, failed_notifications: 1, dead_jobs: 1 },
    })
    service().clock.now = Date.now()
  })

  it('keeps a day once it is over: what it was counted from may go', async () => {
    const script = await scriptOf(service(), 'viewer')
    const { db } = service().context.storage
    const start = Date.UTC(2032, 0, 10, 3)
    service().clock.now = start + DAY_MS + 30 * 60_000
    await happen(service(), { user: start + 1, signIn: start + 2, purchase: start + 3 })
    const kept = async () => (await db.selectFrom('daily_counts').selectAll().where('day', '=', '2032-01-10').execute()).length
    const yesterday = async () => (await read(script, 7)).days.find(({ day }) => day === '2032-01-10')
    const whole = { day: '2032-01-10', ...NOTHING, new_users: 1, sign_ins: 1, purchases: 1 }
    assert.deepEqual(await yesterday(), whole)
    assert.equal(await kept(), 0, 'half an hour after midnight something of the day may still be on its way')
    service().clock.now = start + DAY_MS + 61 * 60_000
    await Promise.all([keepDays(db, 90, service().clock.now), keepDays(db, 90, service().clock.now)])
    assert.equal(await kept(), 5)
    await db.deleteFrom('sessions').where('id', '>=', firstIdAt(start)).execute()
    await db.deleteFrom('users').where('id', '>=', firstIdAt(start)).execute()
    await happen(service(), { user: start + 9 })
    assert.deepEqual(await yesterday(), whole)
    service().clock.now = Date.now()
  })

  it('counts the sign-ins that failed in memory, and adds them to the day of every node', async () => {
    const script = await scriptOf(service(), 'viewer')
    await service().user('erra@example.com')
    const day = new Date(service().clock.now - 3 * HOUR_MS).toISOString().slice(0, 10)
    const failed = async () => (await read(script, 7)).days.find((one) => one.day === day)?.failed_sign_ins
    for (let n = 0; n < 3; n++) await service().browser().signIn('/login', { email: 'erra@example.com', password: 'wrong password' })
    await service().browser().signIn('/login', { email: 'erra@example.com', password: PASSWORD })
    assert.equal(await failed(), 0)
    await Promise.all([service().writeFailedSignIns(), service().writeFailedSignIns()])
    assert.equal(await failed(), 3)
    await service().writeFailedSignIns()
    assert.equal(await failed(), 3)
    const ofDay = (await read(script, 7)).days.find((one) => one.day === day)
    assert.deepEqual(ofDay?.failed_sign_ins_by_kind, { wrong_credentials: 3 })
    await service().context.storage.db.updateTable('daily_counts').set({ count: 10 }).where('name', 'like', 'failed_sign_ins:%').execute()
    await service().browser().signIn('/login', { email: 'erra@example.com', password: 'wrong password' })
    await service().writeFailedSignIns()
    assert.equal(await failed(), 11)
  })

  it('has the days of a month beside as many of the month before, by their first and last moments', async () => {
    const script = await scriptOf(service(), 'viewer')
    const { db } = service().context.storage
    const ask = async (month: string) => (await script.get(`/overview?month=${month}`)).json<Overview>()
    // Three hours behind UTC, in a year that no other test has.
    service().clock.now = Date.UTC(2033, 2, 30, 2, 30)
    const [march, february] = [Date.UTC(2033, 2, 1, 3), Date.UTC(2033, 1, 1, 3)]
    await happen(service(), { user: march - 1, signIn: march, productSignIn: march })
    await happen(service(), { user: march + 28 * DAY_MS, signIn: february, unresolved: february - 1 })
    await happen(service(), { unresolved: march - 1, signIn: march + 29 * DAY_MS })
    const failed = { name: 'failed_sign_ins:wrong_code', count: 4 }
    await db
      .insertInto('daily_counts')
      .values({ day: '2033-02-28', ...failed })
      .execute()
    const now = await ask('now')
    assert.deepEqual([now.today, now.days.length, now.days[0]?.day, now.days.at(-1)?.day], ['2033-03-29', 29, '2033-03-01', '2033-03-29'])
    assert.deepEqual(now.days[0], { day: '2033-03-01', ...NOTHING, sign_ins: 1 })
    assert.deepEqual(now.days[28], { day: '2033-03-29', ...NOTHING, new_users: 1 })
    const before = { ...NOTHING, sign_ins: 1, new_users: 1, failures: 5, failed_notifications: 1, failed_sign_ins: 4 }
    assert.deepEqual(now.month, {
      ...{ month: '2033-03', since: '2033-03-01T03:00:00.000Z', until: '2033-03-30T02:59:59.999Z' },
      before: { from: '2033-02-01', to: '2033-02-28', counts: { ...before, failed_sign_ins_by_kind: { wrong_code: 4 } } },
    })
    const over = await ask('2033-02')
    assert.deepEqual([over.days.length, over.month?.since, over.month?.until], [28, '2033-02-01T03:00:00.000Z', '2033-03-01T02:59:59.999Z'])
    assert.deepEqual([over.month?.before.from, over.month?.before.to], ['2033-01-01', '2033-01-31'])
    assert.equal(over.month?.before.counts.failed_notifications, 1)
    const kept = async () =>
      (await db.selectFrom('daily_counts').selectAll().where('day', '<', '2032-06-01').where('day', '>', '2032-03-01').execute()).length
    assert.deepEqual([(await ask('2032-05')).days.length, await kept()], [31, 0], 'to look at a day long ago writes nothing down')
    assert.deepEqual([(await ask('2033-04')).days, (await script.get('/overview?days=7')).json<Overview>().month], [[], null])
    for (const month of ['2033-13', '2033', 'today', '']) assert.equal((await script.get(`/overview?month=${month}`)).status, 400, month)
    service().clock.now = Date.now()
  })

  it('takes seven to ninety days', async () => {
    const script = await scriptOf(service(), 'viewer')
    for (const days of [7, 90]) assert.equal((await read(script, days)).days.length, days)
    assert.equal((await script.get('/overview')).json<Overview>().days.length, 30)
    for (const days of ['6', '91', '1e1', '-7', '']) {
      const answer = await script.get(`/overview?days=${days}`)
      assert.deepEqual([answer.status, Object.keys(answer.json<{ fields: object }>().fields)], [400, ['days']], days)
    }
    assertRefused(await (await scriptOf(service(), 'owner', ['users:read'])).get('/overview'), 403, 'nao permitido')
  })
})

eachDatabase('What needs attention', (database) => {
  it('names what waits or was given up, gateways that fail or are silent, and whoever could be taken over, the worst first', async () => {
    const service = await start(database)
    const owner = await adminOf(service, 'dona@example.com', 'owner')
    assert.deepEqual(await needs(owner), [['unguarded_administrators', 'warning', 1]])
    assert.equal((await read(owner, 7)).products, 0)
    const [silent, wrong, fine] = [await connect(service, 'stripe'), await connect(service, 'asaas'), await connect(service, 'stripe')]
    const health = gatewayHealthStore(service.context.storage.db)
    await health.noteDelivery('stripe', silent.product.product.id, service.clock.now - 8 * DAY_MS)
    await health.noteDelivery('stripe', fine.product.product.id, service.clock.now - 6 * DAY_MS)
    const since = service.clock.now - 60_000
    await health.countVerificationFailures('asaas', wrong.product.product.id, { count: 14, lastAt: since, since })
    await notify(service.url, completed({ email: 'espera@example.com', plan: 'plano-sem-nome' }))
    await happen(service, { deadJob: since, awaitingGateway: since })
    await scriptOf(service, 'viewer')
    const { db } = service.context.storage
    await db
      .updateTable('admin_tokens')
      .set({ expires_at: service.clock.now + 13 * DAY_MS })
      .execute()
    assert.deepEqual(await needs(owner), [
      ['dead_jobs', 'bad', 1],
      ['verification_failures', 'bad', 14],
      ['unresolved_notifications', 'warning', 1],
      ['gateway_silent', 'warning', 1],
      ['tokens_ending', 'warning', 1],
      ['unguarded_administrators', 'warning', 1],
    ])
    const { alerts, products } = await read(owner, 7)
    assert.equal(products, 3)
    const leadsTo = new URLSearchParams(alerts.find(({ kind }) => kind === 'unresolved_notifications')?.path?.split('?')[1]).get('filter')
    const listed = await listAll(owner, `/notifications?${new URLSearchParams(JSON.parse(leadsTo ?? ''))}`)
    assert.deepEqual(
      listed.map(({ subject }) => subject),
      ['espera@example.com'],
      'the list has one whose gateway is being asked',
    )
    const failures = alerts.find(({ kind }) => kind === 'verification_failures')
    assert.deepEqual(
      [failures?.product, failures?.since, failures?.path],
      [wrong.product.product.slug, new Date(since).toISOString(), `/products/${wrong.product.product.id}/show`],
    )
    assert.equal(alerts.find(({ kind }) => kind === 'gateway_silent')?.product, silent.product.product.slug)
    await health.noteDelivery('asaas', wrong.product.product.id, service.clock.now)
    await db
      .updateTable('admin_tokens')
      .set({ expires_at: service.clock.now + 15 * DAY_MS })
      .execute()
    const factor = { secret_sealed: 'x', created_at: 1, confirmed_at: 2, last_step: 0 }
    await db
      .insertInto('totp_factors')
      .values({ user_id: owner.id, ...factor })
      .execute()
    const left = await needs(await scriptOf(service, 'owner'))
    assert.deepEqual(
      left.map(([kind]) => kind),
      ['dead_jobs', 'unresolved_notifications', 'gateway_silent'],
    )
  })

  it('names notifications of the checkout that were refused, until a week has passed without one', async () => {
    const service = await start(database)
    const [support, script] = [await adminOf(service, 'apoio@example.com', 'support'), await scriptOf(service, 'owner', ['overview:read'])]
    const send = (email: string) => notify(service.url, altered(completed({ email }), 'product.id', 'easy-pro'))
    assert.deepEqual(await needs(support), [])
    const first = service.clock.now
    for (const email of ['ana@example.com', 'bia@example.com']) assert.equal((await send(email)).status, 400)
    assert.deepEqual(await needs(support), [['refused_notifications', 'warning', 2]])
    const { alerts } = await read(support, 7)
    assert.equal(alerts[0]?.since, new Date(first).toISOString())
    const { searchParams } = new URL(alerts[0]?.path ?? '', service.url)
    const filter = JSON.parse(searchParams.get('filter') ?? '')
    assert.deepEqual(filter, { status: 'refused', since: new Date(first - 7 * DAY_MS).toISOString() })
    const listed = await support.get(`/notifications?${new URLSearchParams(filter)}`)
    assert.equal(listed.json<{ data: unknown[] }>().data.length, 2)
    assert.deepEqual(await needs(script), [])
    service.clock.now += 6 * DAY_MS
    assert.equal((await send('caio@example.com')).status, 400)
    service.clock.now += DAY_MS
    assert.deepEqual(await needs(await scriptOf(service, 'support')), [['refused_notifications', 'warning', 1]])
    service.clock.now += 6 * DAY_MS
    assert.deepEqual(await needs(await scriptOf(service, 'support')), [])
  })

  it('shows each caller nothing that they may not read', async () => {
    const service = await start(database)
    const support = await adminOf(service, 'apoio@example.com', 'support')
    assert.deepEqual(await needs(support), [])
    await happen(service, { deadJob: service.clock.now })
    assert.deepEqual(await needs(support), [['dead_jobs', 'bad', 1]])
    assert.deepEqual(await needs(await scriptOf(service, 'support', ['overview:read'])), [])
  })

  it('warns of a signing key that nobody follows, and of a production that sends no mail', async () => {
    const service = await start(database, { NODE_ENV: 'production' })
    const script = await scriptOf(service, 'owner')
    assert.deepEqual(await needs(script), [['no_mail_server', 'bad', 1]])
    service.clock.now += 84 * DAY_MS
    assert.deepEqual(await needs(script), [
      ['no_mail_server', 'bad', 1],
      ['signing_key_ending', 'info', 1],
    ])
    service.clock.now += 7 * DAY_MS
    assert.deepEqual(
      (await needs(script)).map(([, severity]) => severity),
      ['bad', 'bad'],
    )
  })
})

async function start(database: TestDatabase, environment: Record<string, string> = {}): Promise<TestService> {
  return startService(await database.fresh(), { environment: { ...WEBHOOKS, ...environment }, passwords: cheapPasswords })
}

async function read(admin: Admin, days: number): Promise<Overview> {
  const answer = await admin.get(`/overview?days=${days}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Overview>()
}

async function needs(admin: Admin): Promise<Array<[string, string, number]>> {
  return (await read(admin, 7)).alerts.map(({ kind, severity, count }) => [kind, severity, count])
}

/** Rows as they would have been written at these times (ms): ids say when they were made. */
async function happen(
  { context }: TestService,
  what: Partial<Record<'user' | 'signIn' | 'productSignIn' | 'purchase' | 'unresolved' | 'awaitingGateway' | 'deadJob', number>>,
): Promise<void> {
  const { db } = context.storage
  const idAt = (at: number) => firstIdAt(at).slice(0, 19) + randomUUID().slice(19)
  const user = async (at: number) => {
    const id = idAt(at)
    await db
      .insertInto('users')
      .values({ id, email: `${id}@example.com`, created_at: at, updated_at: at })
      .execute()
    return id
  }
  const session = async (at: number, parent_id: string | null) => {
    const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const about = { expires_at: at + DAY_MS, ip: '', user_agent: '', bound_hash: null, product_id: null }
    await db
      .insertInto('sessions')
      .values({ id: idAt(at), user_id, parent_id, created_at: at, ...about })
      .execute()
  }
  const notification = async (at: number, why: string) => {
    const about = { source: 'stripe', digest: randomUUID(), event: 'x', status: 'unresolved', why, payload: '{}', received_at: at }
    await db
      .insertInto('notifications')
      .values({ id: idAt(at), ...about })
      .execute()
  }
  if (what.user !== undefined) await user(what.user)
  if (what.signIn !== undefined) await session(what.signIn, null)
  if (what.productSignIn !== undefined) await session(what.productSignIn, randomUUID())
  if (what.unresolved !== undefined) await notification(what.unresolved, 'no_plan')
  if (what.awaitingGateway !== undefined) await notification(what.awaitingGateway, 'awaiting_gateway')
  if (what.purchase !== undefined) {
    const [stream_id, at] = [randomUUID(), what.purchase]
    await db.insertInto('event_streams').values({ id: stream_id, source: 'test', ref: stream_id, created_at: at }).execute()
    const about = { stream_id, number: 0, state: 'active', changed_at: at, created_at: at }
    await db
      .insertInto('subscriptions')
      .values({ id: idAt(at), ...about })
      .execute()
  }
  if (what.deadJob !== undefined) {
    const times = { attempts: 12, run_at: what.deadJob, created_at: what.deadJob, dead_at: what.deadJob }
    await db
      .insertInto('outbox')
      .values({ id: idAt(what.deadJob), kind: 'mail', payload_sealed: 'x', ...times })
      .execute()
  }
}
