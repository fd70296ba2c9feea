import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { removeGatewayCredentials, setGatewayCredentials } from '../../../src/products/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { commandLine, hurry, type Portaria } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { type FakeApi, startFakeApi } from '../../support/gateways/fake-api.ts'
import {
  ACCESS_TOKEN,
  askAccess,
  type Connected,
  connect,
  deliver,
  GATEWAY_SECRET,
  notificationsOf,
  openSchool,
} from '../../support/gateways/gateways.ts'
import { asaasEvent, charge, mercadopagoEvent } from '../../support/gateways/made-events.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const UNKNOWN = 'the gateway does not know what it is asked for (404)'
const RECEIVED = { status: 200, body: { received: true } }
const HOUR_MS = 3_600_000
const SECOND_MS = 1_000
/** The outbox looks for due work every second; here, where the clock is the test's, oftener. */
const LOOK_MS = 50

interface Fixture {
  service: TestService
  api: FakeApi
  school: Connected
  portaria: Portaria
}

eachDatabase("A gateway's API that fails", (database) => {
  const open = async (context: TestContext, environment: Record<string, string> = {}): Promise<Fixture> => {
    const looks = lookOften(context)
    const fresh = await database.fresh()
    const [service, api] = [await startService(fresh, { environment }), await startFakeApi()]
    const school = await openSchool(service, 'asaas', { apiUrl: api.url })
    return { service, api, school, portaria: looks.pausedFor(commandLine(fresh)) }
  }

  for (const [mood, reason] of [
    ['down', /./],
    ['refuses', /^the gateway refuses the access token \(401\)$/],
    ['rubbish', /^the gateway's answer is no JSON$/],
  ] as const)
    it(`for an hour (${mood}): deliveries are taken in, mails are sent, the operator sees it, it is asked six times, and then all is processed`, async (context) => {
      const mailbox = await startMailbox()
      const { service, api, school, portaria } = await open(context, { PORTARIA_SMTP_URL: mailbox.url })
      api.mood = mood
      const ids = Array.from({ length: 6 }, (_, i) => `pay_${i}`)
      for (const id of ids) assert.deepEqual(await buy({ school, api }, id), RECEIVED)
      await jumpTo(service, service.clock.now)
      assert.equal(await mailArrives(service, mailbox), true)
      const jobs = (await portaria('outbox list --json')).json
      assert.equal(jobs.length, ids.length)
      for (const { kind, state, attempts, last_error } of jobs) {
        assert.deepEqual([kind, state, attempts], ['fetch_payment', 'pending', 1])
        assert.match(last_error, reason)
        assert.ok(!last_error.includes(ACCESS_TOKEN) && !last_error.includes('pay_'), last_error)
      }
      const pending = (await portaria('webhook list --status unresolved --json')).json
      assert.equal(pending.length, ids.length)
      assert.equal((await portaria(`webhook show ${pending[0].id} --json`)).json.why, 'awaiting_gateway')
      assert.match(await metrics(service), /^portaria_outbox_pending 6$/m)
      await jumpThrough(service, HOUR_MS)
      assert.equal(asksFor(api, '/payments/pay_0'), 6)
      assert.equal(api.asked.length, 6 * ids.length, 'nothing is hammered')
      api.mood = 'well'
      await jumpThrough(service, 2 * HOUR_MS)
      for (const id of ids) assert.equal((await askAccess(service, school, buyerOf(id))).active, true, id)
      assert.deepEqual(await countJobs(service), 0)
    })

  it('that never answers holds up neither an answer nor a mail, and is asked again when it has been given up', async (context) => {
    hurry(context)
    const mailbox = await startMailbox()
    const { service, api, school } = await open(context, { PORTARIA_SMTP_URL: mailbox.url })
    api.mood = 'hang'
    const ids = Array.from({ length: 10 }, (_, i) => `pay_${i}`)
    for (const id of ids) assert.deepEqual(await buy({ school, api }, id), RECEIVED)
    await until(() => api.asked.length >= 2)
    assert.equal(await mailArrives(service, mailbox), true)
    await jumpTo(service, service.clock.now)
    assert.equal(api.asked.length, ids.length, 'each once')
    assert.equal(api.maxAtOnce, 2, 'no more than two at once')
    api.mood = 'well'
    await jumpThrough(service, HOUR_MS)
    for (const id of ids) assert.equal((await askAccess(service, school, buyerOf(id))).active, true, id)
  })

  it('that never answers does not hold up what is asked for another product', async (context) => {
    const { service, api, school } = await open(context)
    api.mood = 'hang'
    for (let i = 0; i < 10; i++) await buy({ school, api }, `pay_${i}`)
    await until(() => api.asked.length === 2)
    const elsewhere = await startFakeApi()
    const other = await connect(service, 'asaas', { apiUrl: elsewhere.url })
    assert.deepEqual(await buy({ school: other, api: elsewhere }, 'pay_elsewhere'), RECEIVED)
    await until(async () => (await notificationsOf(service, other))[0]?.why !== 'awaiting_gateway')
    assert.equal(asksFor(elsewhere, '/payments/pay_elsewhere'), 1)
    assert.equal(api.asked.length, 2, 'none of those that hang has been given up')
    api.mood = 'down'
    api.hangUp()
  })

  it('that never answers holds up no mail, even when others hang as well', async (context) => {
    const mailbox = await startMailbox()
    const { service, api, school } = await open(context, { PORTARIA_SMTP_URL: mailbox.url })
    const [secondSchool, third] = [
      await connect(service, 'asaas', { apiUrl: api.url }),
      await connect(service, 'mercadopago', { apiUrl: api.url }),
    ]
    api.mood = 'hang'
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(await buy({ school, api }, `pay_${i}`), RECEIVED)
      assert.deepEqual(await buy({ school: secondSchool, api }, `pay_second_${i}`), RECEIVED)
      const { body, query } = mercadopagoEvent(`${i}`)
      assert.deepEqual(await deliver(third, body, { query }), RECEIVED)
    }
    await until(() => api.asked.length === 4)
    assert.equal(await mailArrives(service, mailbox), true)
    assert.equal(api.asked.length, 4, 'none of those that hang has been given up')
    api.mood = 'down'
    api.hangUp()
  })

  it('that is slow is waited for', async (context) => {
    const { service, api, school } = await open(context)
    api.mood = 'slow'
    assert.deepEqual(await buy({ school, api }, 'pay_slow'), RECEIVED)
    assert.equal((await askAccess(service, school, buyerOf('pay_slow'))).active, false)
    await until(async () => (await askAccess(service, school, buyerOf('pay_slow'))).active === true)
    assert.equal(asksFor(api, '/payments/pay_slow'), 1)
  })

  it('that says when to come again is asked no sooner', async (context) => {
    const { service, api, school } = await open(context)
    api.mood = 'too_many'
    await buy({ school, api }, 'pay_many')
    await jumpTo(service, service.clock.now)
    assert.equal(api.asked.length, 1)
    service.clock.now += 119 * SECOND_MS
    await setTimeout(4 * LOOK_MS)
    assert.equal(api.asked.length, 1)
    await jumpTo(service, service.clock.now + SECOND_MS)
    assert.equal(api.asked.length, 2)
    api.mood = 'well'
    service.clock.now += 119 * SECOND_MS
    await setTimeout(4 * LOOK_MS)
    assert.equal(api.asked.length, 2)
    await jumpTo(service, service.clock.now + SECOND_MS)
    assert.equal((await askAccess(service, school, buyerOf('pay_many'))).active, true)
  })

  it('that says when to come again is not asked for anything of that product until then, whatever waits or comes in', async (context) => {
    const { service, api, school, portaria } = await open(context)
    const elsewhere = await startFakeApi()
    const other = await connect(service, 'asaas', { apiUrl: elsewhere.url })
    const ids = Array.from({ length: 21 }, (_, i) => `pay_${i}`)
    const [first = '', ...rest] = ids
    api.mood = 'too_many'
    await buy({ school, api }, first)
    await jumpTo(service, service.clock.now)
    for (const id of rest.slice(0, 10)) assert.deepEqual(await buy({ school, api }, id), RECEIVED)
    assert.deepEqual(await buy({ school: other, api: elsewhere }, 'pay_elsewhere'), RECEIVED)
    await until(() => elsewhere.asked.length > 0)
    service.clock.now += 119 * SECOND_MS
    for (const id of rest.slice(10)) assert.deepEqual(await buy({ school, api }, id), RECEIVED)
    await setTimeout(4 * LOOK_MS)
    assert.deepEqual(api.asked, ['/payments/pay_0'])
    const end = service.clock.now + SECOND_MS
    const pending: { attempts: number; run_at: string }[] = (await portaria('outbox list --json')).json
    assert.deepEqual(
      pending.map(({ attempts, run_at }) => [attempts, Date.parse(run_at)]),
      ids.map((id) => [id === first ? 1 : 0, end]),
    )
    api.mood = 'well'
    await jumpTo(service, end)
    for (const id of ids) assert.equal((await askAccess(service, school, buyerOf(id))).active, true, id)
    for (const id of ids) assert.equal(asksFor(api, `/payments/${id}`), id === first ? 2 : 1)
  })

  it('is given up after twelve attempts over two days; the operator sees why, brings it back, and it is processed', async (context) => {
    const { service, api, school, portaria } = await open(context)
    api.mood = 'refuses'
    await buy({ school, api }, 'pay_given_up')
    await jumpThrough(service, 50 * HOUR_MS)
    assert.equal(api.asked.length, 11, 'not yet')
    assert.equal((await notificationsOf(service, school))[0]?.status, 'unresolved')
    await jumpThrough(service, 10 * HOUR_MS)
    const reason = 'the gateway refuses the access token (401)'
    const [notification] = await notificationsOf(service, school)
    assert.deepEqual([api.asked.length, notification?.status, notification?.why], [12, 'failed', reason])
    assert.match(await metrics(service), /^portaria_outbox_dead 1$/m)
    const shown = (await portaria(`webhook show ${notification?.id} --json`)).json
    assert.deepEqual([shown.status, shown.why], ['failed', reason])
    const [dead, ...more] = (await portaria('outbox list --dead --json')).json
    assert.deepEqual([dead.state, dead.last_error, more.length], ['dead', reason, 0])
    api.mood = 'well'
    await jumpTo(service, service.clock.now + 24 * HOUR_MS)
    assert.equal(api.asked.length, 12, 'nobody tries a dead letter again by himself')
    assert.equal((await portaria(`outbox retry ${dead.id}`)).code, 0)
    await until(async () => (await askAccess(service, school, buyerOf('pay_given_up'))).active === true)
    assert.deepEqual(
      (await notificationsOf(service, school)).map(({ status, why }) => [status, why]),
      [['processed', null]],
    )
    await until(async () => (await countJobs(service)) === 0)
  })

  it('that knows the payment some seconds later than it reports it is asked again', async (context) => {
    const { service, api, school, portaria } = await open(context)
    api.mood = 'unknown'
    await buy({ school, api }, 'pay_new')
    await jumpTo(service, service.clock.now)
    const [pending] = (await portaria('outbox list --json')).json
    assert.deepEqual([pending.state, pending.last_error], ['pending', `${UNKNOWN}: it may later, and is asked 6 times in about an hour`])
    assert.equal((await notificationsOf(service, school))[0]?.status, 'unresolved')
    api.mood = 'well'
    await jumpTo(service, service.clock.now + 10 * SECOND_MS)
    assert.equal((await askAccess(service, school, buyerOf('pay_new'))).active, true)
    assert.equal(asksFor(api, '/payments/pay_new'), 2)
  })

  it('that does not know the payment for an hour is asked no more; when it knows it after all, the operator brings it back', async (context) => {
    const { service, api, school, portaria } = await open(context)
    api.mood = 'unknown'
    await buy({ school, api }, 'pay_unknown')
    await jumpThrough(service, HOUR_MS / 2)
    assert.deepEqual([api.asked.length, (await notificationsOf(service, school))[0]?.status], [5, 'unresolved'])
    await jumpThrough(service, HOUR_MS / 2)
    const [notification] = await notificationsOf(service, school)
    assert.deepEqual([api.asked.length, notification?.status, notification?.why], [6, 'failed', `${UNKNOWN}: asked for about an hour`])
    assert.equal((await portaria('outbox list --dead --json')).json[0].last_error, notification?.why)
    await jumpThrough(service, 24 * HOUR_MS)
    assert.equal(api.asked.length, 6)
    api.mood = 'well'
    assert.deepEqual((await portaria('outbox retry --all --json')).json, { retried: 1 })
    await until(async () => (await askAccess(service, school, buyerOf('pay_unknown'))).active === true)
  })

  it('is asked with the credentials of today: removed ones end the work with the reason, new ones serve at the next try', async (context) => {
    const { service, api, school, portaria } = await open(context)
    const as = { ...service.context, actor: 'operator:test' }
    const give = (accessToken: string) => {
      const credentials = { webhookSecret: GATEWAY_SECRET, accessToken, apiUrl: api.url, isTest: false }
      return setGatewayCredentials(school.product.product, { gateway: 'asaas', credentials }, as)
    }
    api.mood = 'refuses'
    for (const id of ['pay_changed', 'pay_removed']) await buy({ school, api }, id)
    await jumpTo(service, service.clock.now)
    await give('the_token_of_tomorrow')
    await jumpTo(service, service.clock.now + 10 * SECOND_MS)
    assert.deepEqual(
      api.headers.map(({ access_token }) => access_token),
      [ACCESS_TOKEN, ACCESS_TOKEN, 'the_token_of_tomorrow', 'the_token_of_tomorrow'],
    )
    await removeGatewayCredentials(school.product.product, 'asaas', as)
    await jumpTo(service, service.clock.now + 30 * SECOND_MS)
    for (const { status, why } of await notificationsOf(service, school))
      assert.match(`${status}: ${why}`, /^failed: the product has no credentials for this gateway any more/)
    assert.equal(api.asked.length, 4)
    api.mood = 'well'
    await give('the_token_after_that')
    assert.deepEqual((await portaria('outbox retry --all --json')).json, { retried: 2 })
    for (const id of ['pay_changed', 'pay_removed'])
      await until(async () => (await askAccess(service, school, buyerOf(id))).active === true)
  })
})

const buyerOf = (id: string) => `aluna.${id}@exemplo.com.br`

/** A buyer pays, and Asaas sends a delivery about it. Its API has an answer ready, whatever its mood. */
function buy({ school, api }: Pick<Fixture, 'school' | 'api'>, id: string) {
  api.answers.set(`/payments/${id}`, charge(id))
  api.answers.set(`/customers/cus_${id}`, { id: `cus_${id}`, email: buyerOf(id) })
  return deliver(school, asaasEvent('PAYMENT_RECEIVED', charge(id)))
}

/** Puts the clock there, and waits until all work is done that is due then. */
async function jumpTo(service: TestService, at: number): Promise<void> {
  service.clock.now = at
  const due = service.context.storage.db.selectFrom('outbox').select('id').where('dead_at', 'is', null).where('run_at', '<=', at)
  await until(async () => (await due.execute()).length === 0)
}

/** The same, by way of every moment at which work falls due. */
async function jumpThrough(service: TestService, ms: number): Promise<void> {
  const end = service.clock.now + ms
  for (;;) {
    await jumpTo(service, service.clock.now)
    const { storage } = service.context
    const next = await storage.db.selectFrom('outbox').select('run_at').where('dead_at', 'is', null).orderBy('run_at').executeTakeFirst()
    const at = next ? Number(next.run_at) : end
    if (at >= end) break
    service.clock.now = at
  }
  await jumpTo(service, end)
}

function asksFor(api: FakeApi, path: string): number {
  return api.asked.filter((one) => one === path).length
}

async function countJobs({ context }: TestService): Promise<number> {
  return (await context.storage.db.selectFrom('outbox').select('id').execute()).length
}

async function metrics({ url }: TestService): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}

let users = 0

async function mailArrives(service: TestService, mailbox: Awaited<ReturnType<typeof startMailbox>>): Promise<boolean> {
  const { email } = await service.user(`ana${++users}@exemplo.com.br`)
  const browser = service.browser()
  const flow = hiddenFlow((await browser.get('/recover')).text)
  await browser.submit('/recover', { flow, email })
  await mailbox.find(email)
  return true
}

/**
 * Work is looked for oftener, as the clock is the test's. Not while the command line runs: here both are one process, in which its wait for
 * SQLite's lock would keep the service from giving it back.
 */
function lookOften(context: TestContext): { pausedFor(portaria: Portaria): Portaria } {
  const { setInterval } = globalThis
  let isPaused = false
  const often = (look: () => void, ms: number) => setInterval(() => (isPaused ? undefined : look()), Math.min(ms, LOOK_MS))
  context.mock.method(globalThis, 'setInterval', often)
  return {
    pausedFor: (portaria) => async (line) => {
      isPaused = true
      await setTimeout(2 * LOOK_MS)
      const said = await portaria(line)
      isPaused = false
      return said
    },
  }
}
