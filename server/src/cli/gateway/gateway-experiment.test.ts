import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine, MASTER_KEY, type Said } from '../../../test/support/command-line.ts'
import { eachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { startFakeApi } from '../../../test/support/gateways/fake-api.ts'
import { ACCESS_TOKEN, askAccess, deliver, GATEWAY_SECRET, openSchool } from '../../../test/support/gateways/gateways.ts'
import { jwkOf, pagarmeCharge, pagarmeEvent, trusting } from '../../../test/support/gateways/pagarme.ts'
import { startService } from '../../../test/support/service.ts'

const PRODUCT = 'product create --slug shop --name Shop --audience external --checkout external --json'
const GIVE = 'product gateway-credentials --slug shop --gateway pagarme --secrets-stdin --json'
const ON = { PORTARIA_EXPERIMENTS: 'pagarme' }
const OFF = /pagarme is an experiment that is off: PORTARIA_EXPERIMENTS=pagarme turns it on/
const secrets = (webhook_secret: unknown) => JSON.stringify({ webhook_secret, access_token: ACCESS_TOKEN })

/** The command line with the experiment off and on, over one database. */
async function both(database: TestDatabase) {
  const url = await database.fresh()
  const [off, on] = [{}, ON].map((more) => commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY, ...more }))
  if (!off || !on) throw new Error('unreachable')
  return { url, off, on }
}

eachDatabase('The commands about a gateway that is an experiment', (database) => {
  it('refuse it by name while it is off, and say what turns it on; all others are as they were', async () => {
    const { off, on } = await both(database)
    await off(PRODUCT)
    await off('product create --slug curso --name Curso --audience internal --checkout integrated')
    const lines = [
      'product gateway-credentials --slug shop --gateway pagarme',
      'product gateway-credentials --slug shop --gateway pagarme --secrets-stdin',
      'product gateway-matrix --slug curso --set pix=pagarme',
      'gateway reconcile --product shop --gateway pagarme --since 2026-11-01',
      'plan set --slug anual --name Anual --price 9900 --gateway-ref pagarme:sub_1',
    ]
    for (const line of lines) {
      const said = await off(line, secrets(trusting(GATEWAY_SECRET)))
      assert.deepEqual([said.code, said.out], [2, ''], line)
      assert.match(said.err, OFF, line)
      assert.match(said.err, /^portaria: [^\n]+\n$/, line)
      assert.doesNotMatch((await on(line, secrets(trusting(GATEWAY_SECRET)))).err, OFF, line)
    }
    const listed = async (portaria: typeof off) =>
      (await portaria('product gateway-credentials --slug shop --json')).json.map(({ gateway }: { gateway: string }) => gateway)
    assert.deepEqual(await listed(off), ['stripe', 'mercadopago', 'asaas'])
    assert.deepEqual(await listed(on), ['stripe', 'mercadopago', 'asaas', 'pagarme'])
    assert.doesNotMatch((await off('product gateway-credentials --help')).out, /pagarme/)
    assert.match((await on('product gateway-credentials --help')).out, /pagarme/)
    assert.match(
      (await off('product gateway-matrix --slug curso --set pix=paypal')).err,
      /with pix, boleto, card and stripe, mercadopago, asaas\./,
    )
    assert.deepEqual((await on('product gateway-matrix --slug curso --json')).json, [{ method: 'pix', gateway: 'pagarme' }])
  })

  it('take its webhook secret as an object or as text, and say what is wrong with it, and nothing of what it holds', async () => {
    const { on } = await both(database)
    await on(PRODUCT)
    const good = trusting(GATEWAY_SECRET)
    for (const given of [good, JSON.stringify(good)]) {
      const said = await on(GIVE, secrets(given))
      assert.deepEqual([said.code, said.json?.gateway, said.json?.is_test], [0, 'pagarme', false], said.err)
    }
    const wrong: Array<[given: unknown, sentence: RegExp]> = [
      ['user:password', /webhook_secret must be \{"account_id": "acc_…", "jwks": \{"keys": \[…\]\}\}, as an object or as its text/],
      [undefined, /webhook_secret must be \{"account_id"/],
      [{ ...good, account_id: 'loja_S3cret' }, /account_id must be the account's id, acc_…/],
      [{ account_id: good.account_id, jwks: 'https://hubapi.pagar.me/S3cret' }, /jwks must be the gateway's key set as it is published/],
      [{ ...good, jwks: { keys: [{ ...jwkOf(GATEWAY_SECRET), n: 'S3cret' }] } }, /none of the keys .+ 2048 bits or more/],
    ]
    for (const [given, sentence] of wrong) {
      const said = await on(GIVE, secrets(given))
      assert.deepEqual([said.code, said.out], [1, ''], said.err)
      assert.match(said.err, sentence)
      assert.match(said.err, /^portaria: [^\n]+\n$/)
      for (const held of ['S3cret', 'user:', ACCESS_TOKEN]) assert.ok(!said.err.includes(held), said.err)
    }
    assert.match((await on(GIVE, JSON.stringify({ webhook_secret: good, access_token: 7 }))).err, /access_token must be text of 8 to 500/)
    const ofStripe = await on(GIVE.replace('pagarme', 'stripe'), secrets(good))
    assert.match(ofStripe.err, /webhook_secret must be text of 8 to 500/, 'only where the gateway has such a one')
  })

  it('apply what its deliveries missed, under the keys of those that came, and show how they arrive', async () => {
    const { url, on } = await both(database)
    const service = await startService(url, { environment: ON })
    const api = await startFakeApi()
    const school = await openSchool(service, 'pagarme', { apiUrl: api.url })
    const { slug } = school.product.product
    const received = pagarmeCharge('ch_received', 'ana@example.com')
    await deliver(school, pagarmeEvent('charge.paid', received))
    const back = { ...pagarmeCharge('ch_back', 'caio@example.com'), status: 'canceled', canceled_amount: 9_990 }
    const monthly = pagarmeCharge('ch_month', 'davi@example.com', { order: undefined, invoice: { id: 'in_1', subscription_id: 'sub_1' } })
    const missed = pagarmeCharge('ch_missed', 'bia@example.com')
    const page = { data: [received, missed, monthly, pagarmeCharge('ch_other', 'x@example.com', { order: {} })] }
    api.answers.set('/charges?created_since=2026-09-02T03%3A00%3A00.000Z&page=1&size=30', page)
    api.answers.set('/charges?status=canceled&page=1&size=30', { data: [back] })
    api.answers.set('/charges?status=chargedback&page=1&size=30', { data: [] })
    api.answers.set('/invoices/in_1', { id: 'in_1', subscription_id: 'sub_1', cycle: { end_at: '2036-01-31T23:59:59Z' } })
    const over = { id: 'sub_1', status: 'canceled', canceled_at: new Date().toISOString(), customer: { email: 'davi@example.com' } }
    api.answers.set('/subscriptions', { data: [over] })
    const reconcile = `gateway reconcile --product ${slug} --gateway pagarme --since 2026-11-01 --json`
    const once = await on(reconcile)
    assert.deepEqual([once.code, found(once)], [0, { listed: 6, known: 1, applied: 5, unresolved: [] }], once.err)
    assert.deepEqual(found(await on(reconcile)), { listed: 6, known: 6, applied: 0, unresolved: [] })
    const reason = async (name: string) => (await askAccess(service, school, `${name}@example.com`)).reason
    assert.deepEqual(await Promise.all(['ana', 'bia', 'caio', 'davi', 'x'].map(reason)), [
      'paid',
      'paid',
      'refunded',
      'paid_until_period_end',
      'no_subscription',
    ])
    assert.equal((await askAccess(service, school, 'davi@example.com')).current_period_end, '2036-01-31T23:59:59.000Z')
    assert.ok(
      api.headers.every(({ authorization }) => authorization === `Basic ${Buffer.from(`${ACCESS_TOKEN}:`).toString('base64')}`),
      'asked as its API wants it',
    )
    await deliver(school, pagarmeEvent('charge.paid', received), { secret: 'of a thief' })
    const status = await on('gateway status')
    assert.match(status.out, new RegExp(`^${slug} +pagarme +live +2\\S+ \\S+ -03:00 +1 `, 'm'))
    assert.match(status.out, /Pagar\.me sends each delivery again as often as you have set there/)
  })

  it('say of one that was turned off again that its deliveries are refused, and of one that is on whether its credentials work', async () => {
    const { url, off, on } = await both(database)
    const service = await startService(url, { environment: ON })
    const api = await startFakeApi()
    const school = await openSchool(service, 'pagarme', { apiUrl: api.url })
    const { slug } = school.product.product
    const about = ({ json }: Awaited<ReturnType<typeof on>>) =>
      json.checks
        .filter(({ name }: { name: string }) => name === `pagarme of ${slug}`)
        .map((one: { status: string; message: string }) => one)
    api.answers.set('/charges', { data: [] })
    const [probed] = about(await on('doctor --json'))
    assert.deepEqual(probed, { name: `pagarme of ${slug}`, status: 'ok', message: 'its API takes the access token' })
    api.mood = 'refuses'
    assert.match(about(await on('doctor --json'))[0].message, /^the gateway refuses the access token \(401\)/)
    const asked = api.asked.length
    const [warned, ...others] = about(await off('doctor --json'))
    assert.equal(warned.status, 'warn')
    assert.match(warned.message, OFF)
    assert.deepEqual([others, api.asked.length], [[], asked], 'and nobody is asked')
    assert.match((await off('gateway status')).out, OFF)
    assert.doesNotMatch((await on('gateway status')).out, OFF)
  })
})

const found = ({ json: { listed, known, applied, unresolved } }: Said) => ({ listed, known, applied, unresolved })
