import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLine, hurry, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { type FakeApi, startFakeApi } from '../../../test/support/gateways/fake-api.ts'
import { connect, deliver } from '../../../test/support/gateways/gateways.ts'
import { completed, notify, WEBHOOKS } from '../../../test/support/gateways/purchases.ts'
import { startService, type TestService } from '../../../test/support/service.ts'
import { openTerminal } from '../../../test/support/terminal.ts'
import { until } from '../../../test/support/until.ts'
import { type Gateway, setGatewayCredentials } from '../../products/index.ts'
import { setPlan } from '../../subscriptions/index.ts'
import { localTimeIn } from '../command/local-time.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))

/** A charge of Asaas that was paid by PIX. */
const charge = (id: string, more: object = {}) => ({
  id,
  customer: 'cus_1',
  value: 99.9,
  billingType: 'PIX',
  status: 'RECEIVED',
  dateCreated: '2026-11-20',
  dueDate: '2026-11-20',
  paymentDate: '2026-11-20',
  externalReference: 'curso',
  ...more,
})

const list = (...data: object[]) => ({ object: 'list', hasMore: false, data })

const received = (id: string, payment: object) => ({ id, event: 'PAYMENT_RECEIVED', dateCreated: '2026-11-20 10:00:00', payment })

const stripeEvent = (type: string, object: object) => ({
  id: `evt_${type.replaceAll('.', '_')}`,
  object: 'event',
  type,
  created: Math.floor(Date.now() / 1000) - 60,
  livemode: true,
  api_version: '2026-10-28.endive',
  data: { object },
})

eachDatabase('The gateway commands', (database) => {
  /** A product with one plan and a gateway, and that gateway's API. */
  async function begin(gateway: Gateway = 'asaas', { isTest = false }: { isTest?: boolean } = {}) {
    const at = await database.fresh()
    const service = await startService(at, { environment: WEBHOOKS })
    const api = await startFakeApi()
    const connected = await connect(service, gateway, { slug: 'escola', apiUrl: api.url, isTest })
    await makePlan('curso', service)
    const portaria = commandLine(at, { PORTARIA_MASTER_KEY: MASTER_KEY })
    const reconcile = (options = '--since 2026-11-01 --json') =>
      portaria(`gateway reconcile --product escola --gateway ${gateway} ${options}`)
    const access = async (query: string): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${connected.product.apiKey}` }
      return (await (await fetch(`${service.url}/api/saas/check-access?${query}`, { headers })).json()) as Record<string, unknown>
    }
    return { database: at, service, api, connected, portaria, reconcile, access }
  }

  it('apply what deliveries missed, leave alone what is known, and do nothing when run again', async () => {
    const { api, connected, portaria, reconcile, access } = await begin()
    sells(api, charge('pay_1'), charge('pay_2', { customer: 'cus_2' }))
    await deliver(connected, received('evt_1', charge('pay_1')))
    await until(async () => (await access('email=bia@example.com')).active === true)
    assert.equal((await access('email=caio@example.com')).active, false)
    const once = await reconcile()
    assert.deepEqual([once.code, once.json], [0, { listed: 2, known: 1, applied: 1, ignored: 0, unresolved: [] }])
    await until(async () => (await access('email=caio@example.com')).active === true)
    const before = await portaria('subscription list --json')
    const again = await reconcile()
    assert.deepEqual([again.code, again.json], [0, { listed: 2, known: 2, applied: 0, ignored: 0, unresolved: [] }])
    assert.deepEqual((await portaria('subscription list --json')).json, before.json)
    assert.equal((await reconcile('--since 2026-11-01')).out, 'asaas lists 2: 2 known already, 0 applied now, 0 pending.\n')
    const [kept] = (await portaria('webhook list --source asaas --event reconciled --json')).json
    assert.deepEqual([kept.status, kept.subject], ['processed', 'pay_2'])
  })

  it('list what can not be resolved, with the reason and what to do, until it is fixed', async () => {
    const { service, api, portaria, reconcile } = await begin()
    sells(api, charge('pay_1', { externalReference: 'outro-curso' }), charge('pay_2', { customer: 'cus_3' }))
    const first = await reconcile()
    assert.equal(first.code, 1)
    assert.deepEqual(
      first.json.unresolved.map(({ why }: { why: string }) => why),
      ['unknown_plan', 'unusable_address'],
    )
    const [{ id }, { id: nameless }] = first.json.unresolved
    const said = await reconcile('--since 2026-11-01')
    assert.match(said.out, /^asaas lists 2: 0 known already, 0 applied now, 2 pending\.$/m)
    assert.match(said.out, new RegExp(`^${id} {2}no plan here .+ \`portaria webhook resolve ${id} --plan SLUG\`$`, 'm'))
    assert.match(said.out, new RegExp(`^${nameless} {2}the buyer's address .+ \`portaria webhook resolve ${nameless} --email A\`$`, 'm'))
    await makePlan('outro-curso', service)
    await portaria(`webhook resolve ${nameless} --email davi@example.com`)
    const fixed = await reconcile()
    assert.deepEqual([fixed.code, fixed.json], [0, { listed: 2, known: 1, applied: 1, ignored: 0, unresolved: [] }])
    assert.equal((await portaria('webhook list --status unresolved')).out, 'No such notifications.\n')
  })

  it('leave alone what the operator has decided to ignore', async () => {
    const { api, portaria, reconcile } = await begin()
    sells(api, charge('pay_1', { externalReference: 'outro-curso' }))
    const [{ id }] = (await reconcile()).json.unresolved
    await portaria(['webhook', 'resolve', id, '--ignore', '--reason', 'of another shop'])
    assert.deepEqual((await reconcile()).json, { listed: 1, known: 1, applied: 0, ignored: 0, unresolved: [] })
  })

  it('show at a terminal how far they are and the time left, where the gateway says how much there is', async () => {
    const { database: at, api, portaria } = await begin('stripe')
    const refunded = { object: 'charge', amount: 9900, amount_refunded: 9900, refunded: true, captured: true, currency: 'brl' }
    const data = ['ch_1', 'ch_2'].map((id) => stripeEvent('charge.refunded', { ...refunded, id, payment_intent: `pi_${id}` }))
    api.answers.set('/v1/events', { object: 'list', has_more: false, data: data.map((one, n) => ({ ...one, id: `evt_${n}` })) })
    api.mood = 'slow'
    const line = ['gateway', 'reconcile', '--product', 'escola', '--gateway', 'stripe', '--since', '2026-11-20']
    const environment = { DATABASE_URL: at.url, PORTARIA_MASTER_KEY: MASTER_KEY, TERM: 'xterm-256color' }
    const terminal = openTerminal([PROGRAM, ...line], { environment })
    await until(() => terminal.child.exitCode !== null)
    assert.match(terminal.screen(), /events listed, (?:50 %, about \d+ s left|100 %, nearly done)/)
    assert.equal((await portaria(line)).err, '', 'elsewhere it says nothing')
  })

  it('process a refund that is reported before its payment', async () => {
    const { api, reconcile, access } = await begin('stripe')
    const session = {
      object: 'checkout.session',
      mode: 'payment',
      payment_status: 'paid',
      status: 'complete',
      currency: 'brl',
      amount_total: 9900,
    }
    const bought = {
      ...session,
      id: 'cs_1',
      payment_intent: 'pi_1',
      metadata: { plan_slug: 'curso' },
      customer_details: { email: 'bia@example.com' },
    }
    const refund = {
      object: 'charge',
      id: 'ch_1',
      payment_intent: 'pi_1',
      amount: 9900,
      amount_refunded: 9900,
      refunded: true,
      captured: true,
      currency: 'brl',
    }
    // Stripe's own order is the reverse
    const data = [stripeEvent('checkout.session.completed', bought), stripeEvent('charge.refunded', refund)]
    api.answers.set('/v1/events', { object: 'list', has_more: false, data })
    const found = await reconcile()
    assert.deepEqual([found.code, found.json], [0, { listed: 2, known: 0, applied: 2, ignored: 0, unresolved: [] }], found.err)
    await until(async () => (await access('email=bia@example.com')).reason === 'refunded')
    assert.match((await reconcile('--since 2026-01-01')).out, /stripe lists the last 30 days only/)
  })

  it('ask Mercado Pago for payments and subscriptions', async () => {
    const { api, reconcile, access } = await begin('mercadopago')
    const payment = {
      id: 77,
      status: 'approved',
      status_detail: 'accredited',
      transaction_amount: 99.9,
      currency_id: 'BRL',
      external_reference: 'curso',
    }
    const times = {
      date_created: '2026-11-20T10:00:00.000-03:00',
      date_approved: '2026-11-20T10:01:00.000-03:00',
      date_last_updated: '2026-11-20T10:01:00.000-03:00',
    }
    const results = [
      { ...payment, ...times, payment_method_id: 'pix', payment_type_id: 'bank_transfer', payer: { email: 'bia@example.com' } },
    ]
    api.answers.set('/v1/payments/search', { results, paging: { total: 1, limit: 50, offset: 0 } })
    api.answers.set('/preapproval/search', { results: [], paging: { total: 0, limit: 50, offset: 0 } })
    assert.deepEqual((await reconcile()).json, { listed: 1, known: 0, applied: 1, ignored: 0, unresolved: [] })
    await until(async () => (await access('email=bia@example.com')).active === true)
  })

  it('turn page after page', async () => {
    const { api, reconcile } = await begin()
    const charges = Array.from({ length: 101 }, (_, n) => charge(`pay_${n}`))
    sells(api)
    const page = (offset: number) => `/payments?dateCreated%5Bge%5D=2026-11-01&offset=${offset}&limit=100`
    api.answers.set(page(0), { ...list(...charges.slice(0, 100)), hasMore: true })
    api.answers.set(page(90), list(...charges.slice(90)))
    assert.deepEqual((await reconcile()).json, { listed: 101, known: 0, applied: 101, ignored: 0, unresolved: [] })
  })

  it('only record what test credentials bring', async () => {
    const { api, portaria, reconcile, access } = await begin('asaas', { isTest: true })
    sells(api, charge('pay_1'))
    const said = await reconcile('--since 2026-11-01')
    assert.match(said.out, /^asaas lists 1: 0 known already, 1 recorded as tests, which grant nothing/)
    assert.deepEqual((await reconcile()).json, { listed: 1, known: 1, applied: 0, ignored: 0, unresolved: [] })
    assert.equal((await access('email=bia@example.com')).status, 'none')
    assert.deepEqual(
      (await portaria('webhook list --json')).json.map(({ status }: { status: string }) => status),
      ['test'],
    )
  })

  it('say in plain words what is wrong at the gateway, keep what was applied, and go on from there', async (context) => {
    const { api, reconcile } = await begin()
    sells(api, charge('pay_1'))
    const faults = {
      refuses: /^portaria: asaas: the gateway refuses the access token \(401\)\. What it listed before that is applied/,
      down: /^portaria: asaas: 127\.0\.0\.1:\d+ ends the connection in place of an answer/,
      too_many: /^portaria: asaas: the gateway is asked too often \(429\)/,
      rubbish: /^portaria: asaas: the gateway's answer is no JSON/,
      hang: /^portaria: asaas: 127\.0\.0\.1:\d+ does not answer in time/,
    } as const
    for (const [mood, pattern] of Object.entries(faults)) {
      api.mood = mood as keyof typeof faults
      if (mood === 'hang') hurry(context)
      const said = await reconcile()
      assert.deepEqual([said.code, said.out], [1, ''], mood)
      assert.match(said.err, pattern)
      assert.doesNotMatch(said.err, /token_for_nothing/)
    }
    api.mood = 'well'
    assert.deepEqual((await reconcile()).json, { listed: 1, known: 0, applied: 1, ignored: 0, unresolved: [] })
  })

  it('refuse what they do not know, in a sentence that says what to do', async () => {
    const { portaria } = await begin()
    const said = (line: string) => portaria(`gateway reconcile ${line}`)
    const unknown = await said('--product loja --gateway asaas --since 2026-11-01')
    assert.deepEqual([unknown.code, /there is no such product/.test(unknown.err)], [1, true])
    const bare = await said('--product escola --gateway stripe --since 2026-11-01')
    assert.match(bare.err, /escola has no credentials for stripe: .+ --slug escola --gateway stripe --secrets-stdin/)
    const misuses = [
      '--gateway paypal --since 2026-11-01',
      '--gateway asaas --since ontem',
      '--gateway asaas --since 2999-01-01',
      '--gateway asaas',
    ]
    for (const misuse of misuses) assert.equal((await said(`--product escola ${misuse}`)).code, 2, misuse)
  })

  it('show how deliveries arrive, what waits, and what to do about failed verifications until one is right', async () => {
    const { service, api, connected, portaria } = await begin()
    const status = async () => (await portaria('gateway status --json')).json
    const fresh = { product: 'escola', gateway: 'asaas', credentials: 'live', last_delivery_at: null, verification_failures: 0 }
    const nothing = { failing_since: null, last_verification_failure_at: null, unresolved: 0, awaiting_gateway: 0, failed: 0 }
    assert.deepEqual(await status(), { gateways: [{ ...fresh, ...nothing }], dead_letters: 0 })
    assert.match((await portaria('gateway status')).out, /^escola +asaas +live +never +0 +0 +0 +0$/m)

    const wrong = { headers: { 'asaas-access-token': 'another' } }
    const since = new Date(service.clock.now).toISOString()
    await deliver(connected, {}, wrong)
    service.clock.now += 60_000
    await deliver(connected, {}, wrong)
    await until(async () => (await status()).gateways[0].verification_failures === 2) // all but the first are written once a second
    const [failing] = (await status()).gateways
    const last = new Date(service.clock.now).toISOString()
    assert.deepEqual([failing.verification_failures, failing.failing_since, failing.last_verification_failure_at], [2, since, last])
    const shown = localTimeIn('America/Sao_Paulo')(Date.parse(since))
    const { out } = await portaria('gateway status')
    assert.match(out, new RegExp(`^asaas of escola: no delivery has had the valid signature or token since ${shown}\\.$`, 'm'))
    assert.match(out, /After 15 failures Asaas pauses the queue/)
    assert.match(out, /Give the webhook_secret .+ --slug escola --gateway asaas --secrets-stdin$/m)
    assert.match(out, new RegExp(`gateway reconcile --product escola --gateway asaas --since ${shown.slice(0, 10)}$`, 'm'))

    service.clock.now += 60_000
    const credentials = { webhookSecret: 'another', accessToken: 'token', apiUrl: api.url, isTest: false }
    await setGatewayCredentials(
      connected.product.product,
      { gateway: 'asaas', credentials },
      { ...service.context, actor: 'operator:test' },
    )
    assert.match((await portaria('gateway status')).out, /Other credentials were given since; nothing has come after them\./)
    await until(async () => (await deliver(connected, {}, wrong)).status === 200)
    const [fixed] = (await status()).gateways
    assert.deepEqual([fixed.failing_since, fixed.last_delivery_at], [null, new Date(service.clock.now).toISOString()])
    assert.doesNotMatch((await portaria('gateway status')).out, /valid signature or token/)
  })

  it('count what waits for the operator apart from what is being asked and what was given up', async () => {
    const { service, api, connected, portaria } = await begin()
    sells(api, charge('pay_1', { externalReference: 'outro-curso' }))
    await deliver(connected, received('evt_1', charge('pay_1', { externalReference: 'outro-curso' })))
    const counts = async () => {
      const { gateways, dead_letters } = (await portaria('gateway status --json')).json
      return [gateways[0].unresolved, gateways[0].awaiting_gateway, gateways[0].failed, dead_letters]
    }
    const tried = async () => {
      const jobs = service.context.storage.db.selectFrom('outbox').select('id').where('dead_at', 'is', null).where('last_error', 'is', null)
      await until(async () => (await jobs.execute()).length === 0)
    }
    await tried()
    assert.deepEqual(await counts(), [1, 0, 0, 0])
    await deliver(connected, received('evt_2', charge('pay_unknown')))
    await tried()
    assert.deepEqual(await counts(), [1, 1, 0, 0])
    await service.context.storage.db.updateTable('outbox').set({ attempts: 5, run_at: 0, last_error: null }).execute()
    await tried()
    assert.deepEqual(await counts(), [1, 0, 1, 1])
    api.mood = 'refuses'
    await deliver(connected, received('evt_3', charge('pay_1')))
    await tried()
    assert.deepEqual(await counts(), [1, 1, 1, 1])
    const [failed] = (await portaria('webhook list --status failed --json')).json
    assert.match((await portaria(`webhook show ${failed.id}`)).out, /was given up\. Fix the cause.+webhook reprocess [\w-]+$/m)
    const [asked] = (await portaria('webhook list --status unresolved --json')).json
    assert.match((await portaria(`webhook show ${asked.id}`)).out, /^It waits: the gateway is being asked for the rest/m)
    assert.match((await portaria('gateway status')).out, /^Dead letters, .+: 1\. See `portaria outbox list --dead`\.$/m)
  })

  it('narrow the list of notifications to a product', async () => {
    const { service, connected, portaria } = await begin()
    const other = await connect(service, 'asaas', { slug: 'loja' })
    await deliver(connected, { id: 'evt_1', event: 'PAYMENT_VIEWED' })
    await deliver(other, { id: 'evt_2', event: 'CHECKOUT_PAID' })
    await notify(service.url, completed({ email: 'ana@example.com' }))
    const events = async (options: string) =>
      (await portaria(`webhook list --json ${options}`)).json.map(({ event }: { event: string }) => event)
    assert.deepEqual(await events('--product escola'), ['PAYMENT_VIEWED'])
    assert.deepEqual(await events('--source asaas'), ['CHECKOUT_PAID', 'PAYMENT_VIEWED'])
    assert.deepEqual(await events('--product loja --source stripe'), [])
    const unknown = await portaria('webhook list --product nenhum')
    assert.deepEqual([unknown.code, /there is no such product/.test(unknown.err)], [1, true])
  })

  it('are matched by metrics', async () => {
    const { service, api, connected } = await begin()
    const metrics = async () => (await fetch(`${service.url}/metrics`)).text()
    assert.doesNotMatch(await metrics(), /^portaria_gateway_last_delivery_seconds\{/m)
    assert.match(await metrics(), /^portaria_notifications_unresolved\{source="asaas"\} 0$/m)
    sells(api, charge('pay_1', { externalReference: 'outro-curso' }))
    await deliver(connected, received('evt_1', charge('pay_1', { externalReference: 'outro-curso' })))
    await deliver(connected, {}, { headers: {} })
    service.clock.now += 90_000
    const labels = '\\{product="escola",gateway="asaas"\\}'
    await until(async () => /^portaria_notifications_unresolved\{source="asaas"\} 1$/m.test(await metrics()))
    const text = await metrics()
    assert.match(text, new RegExp(`^portaria_gateway_last_delivery_seconds${labels} 90$`, 'm'))
    assert.match(text, new RegExp(`^portaria_gateway_verification_failures_total${labels} 1$`, 'm'))
    assert.match(text, /^portaria_notifications_unresolved\{source="purchase"\} 0$/m)
  })
})

async function makePlan(slug: string, service: TestService): Promise<void> {
  const made = await setPlan({ slug, name: slug, price: 9_990, productSlug: 'escola' }, { ...service.context, actor: 'operator:test' })
  assert.ok('id' in made)
}

/** Asaas's data: these charges, in every list and by id, and three customers, one of them without an address. */
function sells({ answers }: FakeApi, ...charges: Array<{ id: string }>): void {
  answers.set('/payments', list(...charges))
  for (const one of charges) answers.set(`/payments/${one.id}`, one)
  answers.set('/customers/cus_1', { id: 'cus_1', email: 'Bia@example.com' })
  answers.set('/customers/cus_2', { id: 'cus_2', email: 'caio@example.com' })
  answers.set('/customers/cus_3', { id: 'cus_3' })
}
