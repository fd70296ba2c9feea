import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { endAbandonedRun, runStore, startRun, workOnRun } from '../../../src/admin/index.ts'
import { MAX_ATTEMPTS } from '../../../src/notifications/attempts/attempt-store.ts'
import { scrubNotifications } from '../../../src/notifications/buyers/forget-buyer.ts'
import { attemptStore } from '../../../src/notifications/index.ts'
import { addJob } from '../../../src/outbox/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { announce, announceInVain, askNow, countDeadJobs, statusOf } from '../../support/gateways/failed.ts'
import { type FakeApi, startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, type Connected, openSchool } from '../../support/gateways/gateways.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { ended, ranSince, type ShownRun } from '../../support/gateways/runs.ts'
import { environmentBeside } from '../../support/server-process.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { adminOf, listAll } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

interface Shown {
  status: string
  why: string | null
  checks: Array<{ check: string; state: string }>
  attempts: Array<{ kind: string; at: string; ms: number | null; outcome: string | null; why: string | null; actor: string | null }>
}
interface Result {
  id: string
  outcome: string
  why: string | null
  status: string | null
}

eachDatabase('Webhooks seen and put right in one place', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })
  const db = () => service().context.storage.db

  async function begin() {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'asaas', { apiUrl: api.url })
    const support = await adminOf(service(), `${randomUUID()}@apoio.example`, 'support')
    const show = async (id: string) => (await support.get(`/notifications/${id}`)).json<Shown>()
    return { api, school, support, show }
  }

  const failed = (api: FakeApi, school: Connected) => announceInVain(service(), api, school)
  const statusNow = (id: string) => statusOf(service(), id)
  const deadJobs = (school: Connected) => countDeadJobs(service(), school)
  const audited = (target: string) => db().selectFrom('audit').select(['action', 'actor']).where('target', '=', target).execute()
  const unknownPlan = async (plan: string) => {
    const email = `${randomUUID()}@espera.example`
    await notify(service().url, completed({ email, plan }))
    const row = await db().selectFrom('notifications').select('id').where('subject', '=', email).executeTakeFirstOrThrow()
    return { id: row.id, email }
  }
  const makePlan = (slug: string) => setPlan({ slug, name: slug, price: 100 }, { ...service().context, actor: 'operator:test' })
  /** After all that is there, by the ids. */
  const sinceNow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return new Date(Date.now()).toISOString()
  }

  it('what failed shows so with every attempt, and is asked again on request: once, however often the button is pressed', async () => {
    const { api, school, support, show } = await begin()
    const { id, email } = await failed(api, school)
    const before = await show(id)
    assert.deepEqual(
      [before.status, before.checks.at(-1)],
      ['failed', { check: 'processed', ok: false, state: 'failed', detail: before.why }],
    )
    assert.deepEqual(
      before.attempts.map(({ kind, outcome }) => [kind, outcome]),
      [['receipt', 'asked'], ...before.attempts.slice(1, -1).map(() => ['fetch', 'fault']), ['fetch', 'failed']],
    )
    assert.ok(before.attempts.slice(1).every(({ ms, why }) => ms !== null && why !== null))
    assert.equal((await askAccess(service(), school, email)).active, false)
    api.mood = 'hang'
    const [first, second] = await Promise.all([1, 2].map(() => support.send('POST', `/notifications/${id}/reprocess`, {})))
    for (const answer of [first, second])
      assert.deepEqual([answer?.status, answer?.json<Shown>().status, answer?.json<Shown>().why], [200, 'unresolved', 'awaiting_gateway'])
    assert.deepEqual(await audited(id), [{ action: 'notification.reprocess', actor: `user:${support.id}` }])
    await until(() => api.asked.length > 1)
    api.mood = 'well'
    api.hangUp()
    await until(async () => {
      await askNow(service())
      return (await statusNow(id)) === 'processed'
    })
    assert.equal((await askAccess(service(), school, email)).active, true)
    const after = await show(id)
    const retried = after.attempts.slice(before.attempts.length)
    assert.deepEqual([retried[0]?.kind, retried[0]?.outcome, retried[0]?.actor], ['retry', 'asked', `user:${support.id}`])
    assert.deepEqual([retried.at(-1)?.kind, retried.at(-1)?.outcome], ['fetch', 'processed'])
    await until(async () => (await deadJobs(school)) === 0)
    assertRefused(await support.send('POST', `/notifications/${id}/reprocess`, {}), 409, 'conflito', { reason: 'not_pending' })
  })

  it('one processed at once has the one attempt of its receipt, and costs no second row', async () => {
    const { support, show } = await begin()
    const email = `${randomUUID()}@example.com`
    await notify(service().url, completed({ email }))
    const [row] = await listAll(support, `/notifications?email=${email}`)
    const { attempts } = await show(String(row?.id))
    assert.deepEqual(
      attempts.map(({ kind, outcome, why, actor }) => ({ kind, outcome, why, actor })),
      [{ kind: 'receipt', outcome: 'processed', why: null, actor: null }],
    )
    assert.equal(typeof attempts[0]?.ms, 'number')
    assert.deepEqual(await attemptStore(db()).list(String(row?.id)), [])
  })

  it('keeps what came of its receipt and of each retry, the latest fifty, and goes with its notification', async () => {
    const { support, show } = await begin()
    const { id } = await unknownPlan(`plano-${randomUUID().slice(0, 8)}`)
    for (let n = 0; n < 2; n++) await support.send('POST', `/notifications/${id}/reprocess`, {})
    assert.deepEqual(
      (await show(id)).attempts.map(({ kind, outcome, why, actor }) => [kind, outcome, why, actor === `user:${support.id}`]),
      [
        ['receipt', 'unresolved', 'unknown_plan', false],
        ['retry', 'unresolved', 'unknown_plan', true],
        ['retry', 'unresolved', 'unknown_plan', true],
      ],
    )
    for (let n = 0; n < MAX_ATTEMPTS + 3; n++)
      await attemptStore(db()).note(id, { kind: 'retry', at: n, outcome: 'unresolved', why: `${n}` })
    const kept = await attemptStore(db()).list(id)
    assert.deepEqual([kept.length, kept[0]?.why, kept.at(-1)?.why], [MAX_ATTEMPTS, '3', `${MAX_ATTEMPTS + 2}`])
    await db().deleteFrom('pending_notifications').where('notification_id', '=', id).execute()
    await db().deleteFrom('notifications').where('id', '=', id).execute()
    assert.deepEqual(await attemptStore(db()).list(id), [])
  })

  it('keeps nothing that a gateway said of a buyer who is forgotten', async () => {
    const { id, email } = await unknownPlan(`plano-${randomUUID().slice(0, 8)}`)
    await attemptStore(db()).note(id, { kind: 'fetch', at: 1, outcome: 'fault', why: `no customer ${email}` })
    await service().context.storage.transaction((tx) => scrubNotifications(tx, [id], 2))
    assert.deepEqual(
      (await attemptStore(db()).list(id)).map(({ kind, outcome, why }) => [kind, outcome, why]),
      [
        ['receipt', 'unresolved', 'unknown_plan'],
        ['fetch', 'fault', undefined],
      ],
    )
  })

  it('is counted by tab, with the filters of the list', async () => {
    const { api, school, support } = await begin()
    await failed(api, school)
    api.mood = 'hang'
    await announce(service(), api, school)
    const of = async (query: string) => (await support.get(`/notifications/counts?${query}`)).json()
    assert.deepEqual(await of(`product_id=${school.product.product.id}`), { all: 2, unresolved: 1, failed: 1 })
    assert.deepEqual(await of(`product_id=${school.product.product.id}&source=stripe`), { all: 0, unresolved: 0, failed: 0 })
    assert.equal((await support.get('/notifications/counts?status=failed')).status, 400)
    api.hangUp()
  })

  it('rows chosen together are processed or ignored, each with its answer, and nothing twice', async () => {
    const { api, school, support, show } = await begin()
    const lost = await failed(api, school)
    const plan = `plano-${randomUUID().slice(0, 8)}`
    const [one, two] = [await unknownPlan(plan), await unknownPlan('plano-de-ninguem')]
    await makePlan(plan)
    api.mood = 'hang'
    const unknown = randomUUID()
    const send = async (body: object) => (await support.send('POST', '/notifications/batch', body)).json<{ results: Result[] }>().results
    const ids = [one.id, two.id, lost.id, one.id, unknown]
    assert.deepEqual(await send({ action: 'reprocess', ids }), [
      { id: one.id, outcome: 'processed', why: null, status: 'processed' },
      { id: two.id, outcome: 'pending', why: 'unknown_plan', status: 'unresolved' },
      { id: lost.id, outcome: 'asked', why: null, status: 'unresolved' },
      { id: unknown, outcome: 'not_found', why: null, status: null },
    ])
    const again = await send({ action: 'reprocess', ids })
    assert.deepEqual(
      again.map(({ outcome }) => outcome),
      ['unchanged', 'pending', 'asked', 'not_found'],
    )
    for (const { id } of [one, lost]) assert.equal((await audited(id)).length, 1)
    api.hangUp()
    const other = await begin()
    const dead = await failed(other.api, other.school)
    const ignored = await send({ action: 'ignore', ids: [two.id, dead.id, one.id], reason: 'de outra loja' })
    assert.deepEqual(
      ignored.map(({ outcome, status }) => [outcome, status]),
      [
        ['ignored', 'ignored'],
        ['ignored', 'ignored'],
        ['unchanged', 'processed'],
      ],
    )
    assert.deepEqual([(await show(dead.id)).why, await deadJobs(other.school)], ['de outra loja', 0])
    for (const { id } of [two, dead]) assert.equal((await audited(id)).at(-1)?.action, 'notification.ignore')
    const refusedBodies = [
      { action: 'ignore', ids },
      { action: 'reprocess', ids: [] },
      { action: 'reprocess', ids: Array.from({ length: 101 }, () => randomUUID()) },
    ]
    for (const body of refusedBodies) assert.equal((await support.send('POST', '/notifications/batch', body)).status, 400)
    const viewer = await adminOf(service(), `${randomUUID()}@vista.example`, 'viewer')
    assertRefused(await viewer.send('POST', '/notifications/batch', { action: 'reprocess', ids }), 403, 'nao permitido')
  })

  it('everything since a moment is counted, then processed by the service, what failed as well', async () => {
    const { api, school, support } = await begin()
    const plan = `plano-${randomUUID().slice(0, 8)}`
    const before = await unknownPlan(plan)
    const since = await sinceNow()
    const lost = await failed(api, school)
    const [one, two] = [await unknownPlan(plan), await unknownPlan('plano-de-ninguem')]
    await makePlan(plan)
    assert.deepEqual((await support.get(`/notifications/open?since=${since}`)).json(), { unresolved: 2, failed: 1, awaiting_gateway: 0 })
    api.mood = 'well'
    const run = await ranSince(support, since)
    assert.deepEqual(
      [run.state, run.total, run.done, run.processed, run.asked, run.pending, run.actor],
      ['done', 3, 3, 1, 1, { unknown_plan: 1 }, `user:${support.id}`],
    )
    await until(async () => (await statusNow(lost.id)) === 'processed')
    const later = (await support.get(`/notification-runs/${run.id}`)).json<ShownRun>()
    assert.deepEqual(later.asked_by_now, { awaiting: 0, processed: 1, failed: 0, other: 0 })
    assert.deepEqual(
      [await statusNow(before.id), await statusNow(one.id), await statusNow(two.id)],
      ['unresolved', 'processed', 'unresolved'],
    )
    const [listed] = (await support.get('/notification-runs')).json<{ data: ShownRun[] }>().data
    assert.equal(listed?.id, run.id)
    assert.deepEqual(
      (await audited(run.id)).map(({ action }) => action),
      ['notification.run'],
    )
    await support.send('POST', `/notifications/${two.id}/ignore`, { reason: 'x' })
  })

  it('one run is under way at a time; stopped, it leaves what it has done, and another may begin', async () => {
    const { support } = await begin()
    const plan = `plano-${randomUUID().slice(0, 8)}`
    const since = await sinceNow()
    const ids = [await unknownPlan(plan), await unknownPlan(plan), await unknownPlan(plan)].map(({ id }) => id)
    await makePlan(plan)
    const { context } = service()
    const begun = { id: randomUUID(), since: Date.parse(since), actor: 'operator:test', mayConcernRoles: true, total: 3 }
    const rest = {
      lastId: ids[2] ?? '',
      processed: 0,
      asked: 0,
      pending: {},
      afterId: '',
      createdAt: 0,
      updatedAt: 0,
      finishedAt: undefined,
    }
    assert.equal(await runStore(db()).add({ ...begun, ...rest }, 0), true)
    assertRefused(await support.send('POST', '/notification-runs', { since }), 409, 'conflito', { reason: 'running' })
    const stop = async () => void (await support.send('POST', `/notification-runs/${begun.id}/stop`, {}))
    assert.equal(await workOnRun(begun.id, { ...context, forMs: 60_000, onStep: stop }), 'over')
    const stopped = (await support.get(`/notification-runs/${begun.id}`)).json<ShownRun>()
    assert.deepEqual([stopped.state, stopped.total, stopped.done], ['stopped', 3, 1])
    assert.deepEqual(
      (await audited(begun.id)).map(({ action }) => action),
      ['notification.stop_run'],
    )
    assert.deepEqual(await Promise.all(ids.map(statusNow)), ['processed', 'unresolved', 'unresolved'])
    const next = await ranSince(support, since)
    assert.deepEqual([next.total, next.processed], [2, 2])
    assert.equal((await support.send('POST', `/notification-runs/${begun.id}/stop`, {})).json<ShownRun>().state, 'stopped')
  })

  it('any number of nodes and two operators do each once, wherever one is killed', async () => {
    const { support } = await begin()
    const plan = `plano-${randomUUID().slice(0, 8)}`
    const since = await sinceNow()
    const all: string[] = []
    for (let n = 0; n < 12; n++) all.push((await unknownPlan(plan)).id)
    await makePlan(plan)
    const { context } = service()
    // A clock that is an hour behind changes nothing: the end of a run is a notification, not a time.
    const deps = { ...context, now: () => context.now() - 3_600_000, actor: `user:${support.id}` }
    const begun = await Promise.all([1, 2].map(() => startRun({ since: Date.parse(since), mayConcernRoles: true }, deps)))
    assert.deepEqual(
      begun.filter((one) => 'refusal' in one),
      [{ refusal: 'running' }],
    )
    const run = begun.find((one) => 'id' in one) ?? assert.fail()
    // A node that stops after one notification, and others beside the service's own.
    let steps = 0
    const killed = workOnRun(run.id, {
      ...context,
      forMs: 60_000,
      onStep: () => (++steps === 1 ? Promise.reject(new Error('killed')) : undefined),
    })
    await Promise.all([killed.catch(() => undefined), ...[1, 2].map(() => workOnRun(run.id, { ...context, forMs: 60_000 }))])
    const done = await ended(support, run.id)
    assert.deepEqual([done.state, done.total, done.done, done.processed, done.pending], ['done', 12, 12, 12, {}])
    for (const id of all) assert.equal((await audited(id)).length, 1)
  })

  it('one that somebody resolves meanwhile is left alone, and a fault of one stops none of the others', async () => {
    const { support } = await begin()
    const plan = `plano-${randomUUID().slice(0, 8)}`
    const since = await sinceNow()
    const [one, two, three] = [await unknownPlan(plan), await unknownPlan(plan), await unknownPlan(plan)]
    await makePlan(plan)
    const { context } = service()
    await db().updateTable('notifications').set({ normalized: '{' }).where('id', '=', one.id).execute()
    const faults: unknown[] = []
    const begun = { id: randomUUID(), since: Date.parse(since), actor: 'operator:test', mayConcernRoles: true, total: 3, lastId: three.id }
    const rest = { processed: 0, asked: 0, pending: {}, afterId: '', createdAt: 0, updatedAt: 0, finishedAt: undefined }
    assert.equal(await runStore(db()).add({ ...begun, ...rest }, 0), true)
    const resolve = async () => {
      if ((await statusNow(two.id)) === 'unresolved') await support.send('POST', `/notifications/${two.id}/ignore`, { reason: 'x' })
    }
    await workOnRun(begun.id, { ...context, forMs: 60_000, onFault: (fault) => faults.push(fault), onStep: resolve })
    const run = (await support.get(`/notification-runs/${begun.id}`)).json<ShownRun>()
    assert.deepEqual([run.state, run.processed, run.pending, faults.length], ['done', 1, { fault: 1, changed_meanwhile: 1 }, 1])
    assert.deepEqual([await statusNow(two.id), await statusNow(three.id)], ['ignored', 'processed'])
    await db().updateTable('notifications').set({ status: 'ignored', processed_at: 1, normalized: null }).where('id', '=', one.id).execute()
  })

  it('a run ends when its rows fail for good, and says how many', async () => {
    const { api, school, support } = await begin()
    const since = await sinceNow()
    const lost = [await failed(api, school), await failed(api, school)]
    await unknownPlan('plano-de-ninguem')
    const run = await ranSince(support, since)
    assert.deepEqual([run.state, run.total, run.done, run.asked, run.pending], ['done', 3, 3, 2, { unknown_plan: 1 }])
    await until(async () => {
      await askNow(service(), { attempts: 11 })
      return (await Promise.all(lost.map(({ id }) => statusNow(id)))).every((status) => status === 'failed')
    })
    const later = (await support.get(`/notification-runs/${run.id}`)).json<ShownRun>()
    assert.deepEqual([later.state, later.asked_by_now], ['done', { awaiting: 0, processed: 0, failed: 2, other: 0 }])
    const portaria = commandLine({ url: environmentBeside(service(), { port: 0 }).DATABASE_URL ?? '' })
    assert.match((await portaria('webhook runs')).out, new RegExp(`^${run.id} +done .+ 3 of 3 +2 +user:${support.id}$`, 'm'))
  })

  it('a run whose own job was given up ends as stopped, and another may begin', async () => {
    const { support } = await begin()
    const since = await sinceNow()
    const { id: lastId } = await unknownPlan('plano-de-ninguem')
    const { context } = service()
    const begun = { id: randomUUID(), since: Date.parse(since), actor: 'operator:test', mayConcernRoles: true, total: 1, lastId }
    const rest = { processed: 0, asked: 0, pending: {}, afterId: '', createdAt: 0, updatedAt: 0, finishedAt: undefined }
    assert.equal(await runStore(db()).add({ ...begun, ...rest }, 0), true)
    // Due tomorrow, so that no worker takes it.
    const job = { kind: 'run_notifications', payload: { runId: begun.id } } as const
    const jobId = await context.storage.transaction((tx) => addJob(tx, job, { ...context, at: context.now() + 86_400_000 }))
    await endAbandonedRun(context)
    assertRefused(await support.send('POST', '/notification-runs', { since }), 409, 'conflito', { reason: 'running' })
    await db().updateTable('outbox').set({ dead_at: 1 }).where('id', '=', jobId).execute()
    await Promise.all([endAbandonedRun(context), endAbandonedRun(context)])
    assert.equal((await support.get(`/notification-runs/${begun.id}`)).json<ShownRun>().state, 'stopped')
    assert.deepEqual(
      (await audited(begun.id)).map(({ action, actor }) => [action, actor]),
      [['notification.stop_run', 'system']],
    )
    const next = await ranSince(support, since)
    assert.deepEqual([next.state, next.done, next.pending], ['done', 1, { unknown_plan: 1 }])
    await db().deleteFrom('outbox').where('id', '=', jobId).execute()
  })

  it('the command line does the same: it counts, asks again and shows attempts', async () => {
    const { api, school, support } = await begin()
    const portaria = commandLine({ url: environmentBeside(service(), { port: 0 }).DATABASE_URL ?? '' })
    const since = await sinceNow()
    const lost = await failed(api, school)
    api.mood = 'well'
    const counted = await portaria(`webhook reprocess --since ${since} --count`)
    assert.equal(counted.out, '1 to process again: 0 unresolved, 1 failed\n')
    const { code, json } = await portaria(`webhook reprocess --since ${since} --json`)
    assert.deepEqual([code, json.state, json.total, json.asked, json.actor], [0, 'done', 1, 1, 'operator:cli'])
    // The command's clock is ahead of this service's.
    await askNow(service())
    await until(async () => (await statusNow(lost.id)) === 'processed')
    assert.match((await portaria(`webhook show ${lost.id}`)).out, /retry {2}asked {2}operator:cli\n.*fetch {2}processed {2}\d+ ms/)
    assert.match((await portaria('webhook runs')).out, new RegExp(`^${json.id} +done .+ 1 of 1 +0 +operator:cli$`, 'm'))
    const stopped = await portaria(`webhook stop ${json.id}`)
    assert.deepEqual([stopped.code, stopped.out], [0, 'It had ended already.\n'])
    assert.equal((await portaria(`webhook stop ${randomUUID()}`)).code, 1)
    assert.equal((await support.send('POST', `/notification-runs/${randomUUID()}/stop`, {})).status, 404)
  })
})
