import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { runStore } from '../../../src/admin/index.ts'
import { HOUR_MS } from '../../../src/kit/index.ts'
import { askForgotten } from '../../../src/notifications/index.ts'
import { addJob } from '../../../src/outbox/index.ts'
import { removeGatewayCredentials, setGatewayCredentials } from '../../../src/products/index.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { announce, announceInVain, askNow, statusOf } from '../../support/gateways/failed.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import { ACCESS_TOKEN, askAccess, GATEWAY_SECRET, openSchool } from '../../support/gateways/gateways.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { environmentBeside } from '../../support/server-process.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { adminOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

interface Shown {
  status: string
  why: string | null
  attempts: Array<{ kind: string; outcome: string | null; why: string | null; actor: string | null }>
}

eachDatabase('No notification waits for its gateway for ever', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })
  const db = () => service().context.storage.db
  const statusNow = (id: string) => statusOf(service(), id)
  const jobs = async (id: string) => db().selectFrom('outbox').selectAll().where('id', '=', id).execute()
  const command = () => commandLine({ url: environmentBeside(service(), { port: 0 }).DATABASE_URL ?? '' })

  /** A payment whose gateway was asked once, in vain, and is asked again later. */
  async function begin() {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'asaas', { apiUrl: api.url })
    const owner = await adminOf(service(), `${randomUUID()}@dono.example`, 'owner')
    const show = async (id: string) => (await owner.get(`/notifications/${id}`)).json<Shown>()
    const hasAccess = async (email: string) => (await askAccess(service(), school, email)).active
    const announced = async () => {
      api.mood = 'down'
      const one = await announce(service(), api, school)
      await until(async () => (await jobs(one.id))[0]?.last_error != null)
      return one
    }
    const processed = (id: string) =>
      until(async () => {
        await askNow(service())
        return (await statusNow(id)) === 'processed'
      })
    return { api, school, owner, show, hasAccess, announced, processed }
  }

  it('whose job is removed has failed, says so, and is asked again on request', async () => {
    const { api, owner, show, hasAccess, announced, processed } = await begin()
    const { id, email } = await announced()
    const dropped = await owner.send('DELETE', `/jobs/${id}`, { reason: 'a simulation' })
    assert.deepEqual([dropped.status, dropped.json()], [200, { id, deleted: true, failed_notification_id: id }])
    const { status, why, attempts } = await show(id)
    assert.deepEqual([status, why], ['failed', 'job_removed'])
    assert.deepEqual(attempts.at(-1), { ...attempts.at(-1), kind: 'resolution', outcome: 'failed', actor: `user:${owner.id}` })
    api.mood = 'well'
    assert.equal((await owner.send('POST', `/notifications/${id}/reprocess`, {})).json<Shown>().why, 'awaiting_gateway')
    await processed(id)
    assert.equal(await hasAccess(email), true)
  })

  it('whose job is removed by a command can be tried again or ignored by commands', async () => {
    const { api, announced, processed } = await begin()
    const portaria = command()
    const [again, ended] = [await announced(), await announced()]
    for (const { id } of [again, ended]) {
      const { out } = await portaria(['outbox', 'drop', id, '--reason', 'a simulation'])
      assert.match(out, new RegExp(`now \`failed\`.\nTo have it asked again: +portaria webhook reprocess ${id}\n`))
    }
    assert.match(
      (await portaria(`webhook show ${again.id}`)).out,
      /^why +job removed$[\s\S]*The job that was to ask its gateway was dropped/m,
    )
    assert.equal((await portaria(`webhook resolve ${ended.id} --ignore --reason test`)).code, 0)
    api.mood = 'well'
    await portaria(`webhook reprocess ${again.id}`)
    await processed(again.id)
    assert.equal(await statusNow(ended.id), 'ignored')
  })

  it('which is to be asked later is asked at once on request, once however often, or is ignored with its job', async () => {
    const { api, owner, show, announced, processed } = await begin()
    const [soon, never] = [await announced(), await announced()]
    assert.equal((await owner.send('POST', `/notifications/${never.id}/ignore`, { reason: 'a simulation' })).status, 200)
    assert.deepEqual([await statusNow(never.id), await jobs(never.id)], ['ignored', []])
    api.mood = 'hang'
    const before = (await show(soon.id)).attempts.length
    await Promise.all([1, 2, 3].map(() => owner.send('POST', `/notifications/${soon.id}/reprocess`, {})))
    assert.deepEqual(
      (await show(soon.id)).attempts.slice(before).map(({ kind, outcome }) => [kind, outcome]),
      [['retry', 'asked']],
    )
    api.mood = 'well'
    api.hangUp()
    await until(async () => (await jobs(soon.id))[0]?.leased_until === null || (await statusNow(soon.id)) === 'processed')
    await processed(soon.id)
    assert.deepEqual(await jobs(soon.id), [])
  })

  it('whose job dies without a word of its own has failed in the same moment, and a retry mends the job', async () => {
    const { api, owner, show, announced, processed } = await begin()
    const { id } = await announced()
    await db().updateTable('outbox').set({ payload_sealed: 'x', run_at: 0 }).where('id', '=', id).execute()
    await until(async () => (await jobs(id))[0]?.dead_at != null)
    const { status, why, attempts } = await show(id)
    assert.deepEqual([status, attempts.at(-1)?.kind, attempts.at(-1)?.outcome], ['failed', 'fetch', 'failed'])
    assert.match(why ?? '', /does not open with this master key/)
    api.mood = 'well'
    await owner.send('POST', `/notifications/${id}/reprocess`, {})
    await processed(id)
  })

  it('whose job is gone is asked again by housekeeping, and no other', async () => {
    const { api, announced, processed } = await begin()
    const [lost, dead, living, failed] = [await announced(), await announced(), await announced(), await announced()]
    await db().deleteFrom('outbox').where('id', '=', lost.id).execute()
    await db().updateTable('outbox').set({ dead_at: 1 }).where('id', '=', dead.id).execute()
    await command()(['outbox', 'drop', failed.id, '--reason', 'x'])
    await askForgotten(service().context)
    assert.deepEqual(await jobs(lost.id), [], 'one that has just come')
    await askForgotten({ ...service().context, now: () => service().context.now() + 2 * HOUR_MS })
    for (const { id } of [lost, dead])
      assert.deepEqual(
        (await jobs(id)).map(({ dead_at, attempts }) => [dead_at, attempts]),
        [[null, 0]],
      )
    assert.deepEqual(
      (await jobs(living.id)).map(({ attempts }) => attempts),
      [1],
    )
    assert.deepEqual([await statusNow(failed.id), await jobs(failed.id)], ['failed', []])
    api.mood = 'well'
    for (const { id } of [lost, dead, living]) await processed(id)
  })

  it('whose product has no credentials any more has failed at the next attempt, and is asked when they are given again', async () => {
    const { api, school, owner, show, announced, processed } = await begin()
    const { id } = await announced()
    const { context } = service()
    await removeGatewayCredentials(school.product.product, 'asaas', { ...context, actor: 'operator:test' })
    await until(async () => {
      await askNow(service())
      return (await statusNow(id)) === 'failed'
    })
    assert.match((await show(id)).why ?? '', /the product has no credentials for this gateway any more/)
    api.mood = 'well'
    const credentials = { webhookSecret: GATEWAY_SECRET, accessToken: ACCESS_TOKEN, apiUrl: api.url, isTest: false }
    await setGatewayCredentials(school.product.product, { gateway: 'asaas', credentials }, { ...context, actor: 'operator:test' })
    await owner.send('POST', `/notifications/${id}/reprocess`, {})
    await processed(id)
  })

  it('a run whose job is removed has ended at that moment', async () => {
    const { api, school, owner } = await begin()
    const { id: lastId } = await announceInVain(service(), api, school)
    const { context } = service()
    const begun = { id: randomUUID(), since: 0, actor: 'operator:test', mayConcernRoles: true, total: 1, lastId }
    const rest = { processed: 0, asked: 0, pending: {}, afterId: '', createdAt: 0, updatedAt: 0, finishedAt: undefined }
    assert.equal(await runStore(db()).add({ ...begun, ...rest }, 0), true)
    const job = { kind: 'run_notifications', payload: { runId: begun.id } } as const
    const jobId = await context.storage.transaction((tx) => addJob(tx, job, { ...context, at: context.now() + 24 * HOUR_MS }))
    assertRefused(await owner.send('POST', '/notification-runs', { since: new Date(0).toISOString() }), 409, 'conflito', {
      reason: 'running',
    })
    await owner.send('DELETE', `/jobs/${jobId}`, { reason: 'x' })
    assert.equal((await owner.get(`/notification-runs/${begun.id}`)).json<{ state: string }>().state, 'stopped')
  })
})
