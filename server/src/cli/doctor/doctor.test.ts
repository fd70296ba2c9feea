import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { commandLine, hurry, MASTER_KEY, type Said } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { startFakeApi } from '../../../test/support/gateways/fake-api.ts'
import { connect, deliver } from '../../../test/support/gateways/gateways.ts'
import { altered, completed, notify, WEBHOOKS } from '../../../test/support/gateways/purchases.ts'
import { startMailbox } from '../../../test/support/mailbox.ts'
import { startService } from '../../../test/support/service.ts'
import { startProvider } from '../../../test/support/users/openid-provider.ts'
import { recordAudit } from '../../audit/index.ts'
import { DAY_MS } from '../../kit/index.ts'
import { listJobs } from '../../outbox/records/record-store.ts'
import { deadLetterJob } from '../../outbox/store.ts'
import { productStore, setGatewayCredentials } from '../../products/index.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'

const NOWHERE = { PORT: '1', PORTARIA_MASTER_KEY: MASTER_KEY }

/** The result of one check, as `status message`. */
function about(name: string, { json }: Said): string[] {
  return json.checks
    .filter((one: { name: string }) => one.name === name)
    .map((one: { status: string; message: string }) => `${one.status} ${one.message}`)
}

eachDatabase('The doctor', (database) => {
  it('finds nothing wrong with a service that runs, and passes on its warnings', async () => {
    const url = await database.empty()
    const service = await startService(url)
    await service.user('dona@example.com', { admin: true })
    const portaria = commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url })
    const well = await portaria('doctor --json')
    assert.deepEqual([well.code, well.json.ok], [0, true], well.out)
    assert.deepEqual(
      well.json.checks.filter(({ status }: { status: string }) => status !== 'ok'),
      [],
    )
    for (const name of ['versions', 'configuration', 'database', 'migrations', 'clock', 'master key', 'signing key', 'service'])
      assert.equal(about(name, well).length, 1, name)
    await service.browser().get('/healthz', { 'x-forwarded-for': '192.0.2.1' })
    assert.match(
      about('service', await portaria('doctor --json'))[1] ?? '',
      /^warn X-Forwarded-For arrives but PORTARIA_TRUST_PROXY is not set/,
    )
    assert.match((await portaria('doctor')).out, /^ok +versions +Node 24\.\d+\.\d+, SQLite 3\.\d+\.\d+$/m)
  })

  it('says at which hosts behind a proxy nobody can enter, and why', async () => {
    const url = await database.fresh()
    const domain = { ...NOWHERE, PORTARIA_URL: 'https://sso.example.com', PORTARIA_COOKIE_DOMAIN: 'example.com' }
    const portaria = commandLine(url, { ...domain, PORTARIA_TRUST_PROXY: '1' })
    assert.deepEqual(about('forward auth', await portaria('doctor --json')), [])
    await portaria('product create --slug wiki --name Wiki --audience internal --checkout integrated')
    await portaria('plan set --slug pro --name Pro --price 100')
    const set = await portaria('product set wiki --forward-auth plan=pro --add-forward-host wiki.example.com')
    assert.equal(set.code, 0, set.err)
    assert.deepEqual(about('forward auth', await portaria('doctor --json')), ['ok 1 hosts of 1 products'])
    const untrusting = commandLine(url, domain)
    assert.match(
      about('forward auth', await untrusting('doctor --json'))[0] ?? '',
      /^fail every proxy is refused: set PORTARIA_TRUST_PROXY/,
    )
    const moved = commandLine(url, { ...NOWHERE, PORTARIA_URL: 'https://sso.other.example', PORTARIA_TRUST_PROXY: '1' })
    assert.match(about('forward auth', await moved('doctor --json'))[0] ?? '', /^fail wiki\.example\.com is not below the internal domain/)
    const { storage } = (await startService(url)).context
    await storage.db.updateTable('plans').set({ slug: 'gone' }).where('slug', '=', 'pro').execute()
    assert.deepEqual(about('forward auth', await portaria('doctor --json')), [
      'warn nobody can enter wiki: none of the plans of its rule exists',
    ])
  })

  it('says which apps that speak OpenID Connect can sign nobody in, and who does not hear of a sign-out', async () => {
    const url = await database.empty()
    const service = await startService(url)
    const portaria = commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url })
    assert.deepEqual(about('openid', await portaria('doctor --json')), [])
    const { product, apiKey: _key } = await service.product({ slug: 'grafana', uris: ['https://grafana.example/callback'] })
    await portaria('product set grafana --openid web')
    const well = await portaria('doctor --json')
    assert.deepEqual(about('openid of grafana', well), ['ok web, PKCE required, ID tokens RS256, 1 callback'])
    assert.match(about('openid', well)[0] ?? '', /^ok .*\/\.well-known\/openid-configuration names this issuer, and RS256$/)
    const [key] = (await portaria('product show grafana --json')).json.api_keys
    await portaria(`product revoke-key grafana ${key.id}`)
    assert.match(about('openid of grafana', await portaria('doctor --json'))[0] ?? '', /^fail it has no live API key/)
    await portaria('product set grafana --openid browser')
    assert.match(about('openid of grafana', await portaria('doctor --json'))[0] ?? '', /^ok browser/)
    await portaria('product set grafana --remove-uri https://grafana.example/callback')
    assert.match(about('openid of grafana', await portaria('doctor --json'))[0] ?? '', /^fail no callback is registered/)
    const elsewhere = commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url.replace('localhost', '127.0.0.1') })
    assert.match(
      about('openid', await elsewhere('doctor --json'))[0] ?? '',
      /^fail .*names the issuer http:\/\/localhost:\d+: apps compare/,
    )

    const received: string[] = []
    const app = createServer((request, response) => {
      void text(request).then((body) => received.push(`${request.method} ${body}`))
      response.writeHead(request.url === '/logout' ? 400 : 404).end()
    })
    await new Promise<void>((done) => app.listen(0, 'localhost', done))
    const { port } = app.address() as AddressInfo
    for (const [path, said] of [
      ['/logout', /^ok /],
      ['/elsewhere', /^warn .* answers 404 /],
    ] as const) {
      await portaria(`product set grafana --backchannel-logout-uri http://localhost:${port}${path}`)
      assert.match(about('sign-outs of grafana', await portaria('doctor --json'))[0] ?? '', said)
    }
    assert.deepEqual(received, ['POST logout_token=', 'POST logout_token='])
    await new Promise((done) => app.close(done))
    assert.match(about('sign-outs of grafana', await portaria('doctor --json'))[0] ?? '', /^warn .* does not answer \(/)
    assert.equal((await productStore(service.context.storage.db).findById(product.id))?.openid?.kind, 'browser')
  })

  it('names pending migrations, and changes nothing', async () => {
    const url = await database.empty()
    const portaria = commandLine(url, NOWHERE)
    if (database.name === 'sqlite') {
      assert.match(about('database', await portaria('doctor --json'))[0] ?? '', /^warn .+ does not exist yet/)
      const file = url.url.slice('sqlite:'.length)
      assert.ok(!existsSync(file))
      writeFileSync(file, '')
      chmodSync(file, 0o644)
    }
    const said = await portaria('doctor --json')
    assert.equal(said.code, 1)
    if (database.name === 'sqlite') assert.match(about('files', said)[0] ?? '', /^warn \S+ can be read by others: chmod 600/)
    const [, pending = ''] = /^fail not applied: ([\w, -]+)\. Run `portaria migrate`/.exec(about('migrations', said)[0] ?? '') ?? []
    assert.deepEqual((await portaria('migrate --json')).json.applied, pending.split(', '))
  })

  it('sees a wrong master key, an old or missing signing key, and a clock that runs behind', async () => {
    const url = await database.empty()
    const portaria = commandLine(url, NOWHERE)
    await portaria('migrate')
    assert.match(about('master key', await portaria('doctor --json'))[0] ?? '', /^ok nothing is sealed yet/)
    const service = await startService(url)
    const { db } = service.context.storage
    const wrong = await commandLine(url, { PORT: '1', PORTARIA_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') })('doctor --json')
    assert.deepEqual([wrong.code, about('master key', wrong)[0]?.slice(0, 4)], [1, 'fail'])
    await db
      .updateTable('signing_keys')
      .set({ signs_from: Date.now() - 120 * DAY_MS })
      .execute()
    assert.match(about('signing key', await portaria('doctor --json'))[0] ?? '', /^warn .+ has signed for 120 days/)
    await db.updateTable('signing_keys').set({ private_sealed: 'broken' }).execute()
    assert.match(about('signing key', await portaria('doctor --json'))[0] ?? '', /^fail .+ can't be opened/)
    await db.deleteFrom('signing_keys').execute()
    assert.match(about('signing key', await portaria('doctor --json'))[0] ?? '', /^warn none signs yet/)
    assert.match(about('clock', await portaria('doctor --json'))[0] ?? '', /^ok \d{4}-\d\d-\d\d \d\d:\d\d:\d\d -03:00$/)
    await new Promise((resolve) => setTimeout(resolve, 5)) // audit ids sort by the millisecond they were made in
    await recordAudit(db, { actor: 'operator:test', action: 'test', target: 'clock' }, Date.now() + 600_000)
    const behind = await portaria('doctor --json')
    assert.match(about('clock', behind)[0] ?? '', /^fail this machine's clock is (600|59\d) s behind/)
    assert.equal(behind.code, 1)
  })

  it('warns of what a production service rarely means', async () => {
    const url = await database.empty()
    const production = { ...NOWHERE, NODE_ENV: 'production' }
    const plain = await commandLine(url, { ...production, PORTARIA_URL: 'http://127.0.0.1.nip.invalid' })('doctor --json')
    assert.match(about('https', plain)[0] ?? '', /^warn .+ is not https/)
    assert.match(about('mail', plain)[0] ?? '', /^warn no mail server, so nothing is sent, .+: set PORTARIA_SMTP_URL$/)
    assert.match(about('service', plain)[0] ?? '', /^warn no answer from Portaria/)
    assert.match(about('public address', await commandLine(url, production)('doctor --json'))[0] ?? '', /^warn .+ is this machine alone/)
    const proxied = await commandLine(url, { ...NOWHERE, PORTARIA_URL: 'https://sso.invalid' })('doctor --json')
    assert.match(about('proxy', proxied)[0] ?? '', /PORTARIA_TRUST_PROXY/)
  })

  it('says that there is no administrator, no mail server, or no secret of the checkout, and what to do', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url, NOWHERE)
    const all = async (environment = {}) => {
      const said = await commandLine(url, { ...NOWHERE, ...environment })('doctor --json')
      assert.ok(
        ['administrator', 'webhook secret', 'mail'].every((name) => about(name, said).length === 1),
        said.out,
      )
      return [about('administrator', said)[0] ?? '', about('webhook secret', said)[0] ?? '', about('mail', said)[0] ?? '']
    }
    const [nobody = '', unneeded = '', written = ''] = await all()
    assert.match(nobody, /^warn none yet: `portaria setup-link` /)
    assert.match(unneeded, /^ok none: only a checkout of your own needs one$/)
    assert.match(written, /^ok no mail server: mails are written into \S+, and not sent$/)
    assert.match((await all({ PORTARIA_URL: 'https://sso.example.com' }))[2] ?? '', /^warn .+ not sent: set PORTARIA_SMTP_URL$/)
    await portaria('user create --email dona@example.com --name Dona --admin')
    await portaria('product create --slug loja --name Loja --audience external --checkout external')
    assert.match((await all())[1] ?? '', /^ok none/)
    await portaria('product create --slug curso --name Curso --audience internal --checkout integrated')
    const [somebody = '', needed = ''] = await all()
    assert.match(somebody, /^ok there is at least one$/)
    assert.match(
      needed,
      /^warn none, so every .+ answered 500: if your own checkout sells curso, set PORTARIA_WEBHOOK_SECRET here and there$/,
    )
    assert.match((await all(WEBHOOKS))[1] ?? '', /^ok set: /)
    await portaria('user create --email two@example.com --name Two --admin')
    const storage = await openStorage(parseDatabaseUrl(url.url) ?? assert.fail())
    await storage.db.updateTable('users').set({ disabled_at: 1 }).execute()
    await storage.close()
    assert.match((await all())[0] ?? '', /^warn none yet/, 'a disabled one is none')
  })

  it('says how many dead letters there are, and which command shows them', async () => {
    const url = await database.empty()
    const portaria = commandLine(url, NOWHERE)
    for (const name of ['ana', 'bia', 'caio']) await portaria(`user create --email ${name}@example.com --name ${name}`)
    assert.deepEqual(about('outbox', await portaria('doctor --json')), ['ok 3 pending, no dead letters'])
    const storage = await openStorage(parseDatabaseUrl(url.url) ?? assert.fail())
    const [first, ...others] = await listJobs(storage.db, { limit: 3 })
    await deadLetterJob(storage.db, first?.id ?? '', { at: 1, error: 'no such mailbox' })
    assert.deepEqual(about('outbox', await portaria('doctor --json')), [
      'warn 1 dead letter, not tried again by themselves: see `portaria outbox list --dead`',
    ])
    for (const { id } of others) await deadLetterJob(storage.db, id, { at: 1, error: 'no such mailbox' })
    await storage.close()
    const said = await portaria('doctor --json')
    assert.match(about('outbox', said)[0] ?? '', /^warn 3 dead letters, /)
    assert.equal(said.code, 0)
  })

  it('says how many notifications wait, were given up or were refused lately, and which command shows them', async () => {
    const url = await database.empty()
    const service = await startService(url, { environment: WEBHOOKS })
    const portaria = commandLine(url, NOWHERE)
    assert.deepEqual(about('notifications', await portaria('doctor --json')), ['ok none waits for you, and none was refused lately'])
    await notify(service.url, completed({ email: 'ana@example.com', plan: 'plano-sem-nome' }))
    for (const email of ['bia@example.com', 'caio@example.com'])
      assert.equal((await notify(service.url, altered(completed({ email }), 'product.id', 'easy-pro'))).status, 400)
    assert.deepEqual(about('notifications', await portaria('doctor --json')), [
      'warn 1 unresolved: `portaria webhook list --status unresolved`; 2 refused in the last 7 days: `portaria webhook list --status refused`',
    ])
    const { db } = service.context.storage
    await db
      .updateTable('notifications')
      .set({ received_at: Date.now() - 8 * DAY_MS })
      .execute()
    assert.deepEqual(about('notifications', await portaria('doctor --json')), [
      'warn 1 unresolved: `portaria webhook list --status unresolved`',
    ])
  })

  it('greets the mail server and logs in, and says what to look at when that fails', async () => {
    const url = await database.empty()
    const mailbox = await startMailbox()
    const doctorWith = (smtpUrl: string) => commandLine(url, { ...NOWHERE, PORTARIA_SMTP_URL: smtpUrl })('doctor --json')
    const well = await doctorWith(mailbox.url)
    assert.match(about('mail', well)[0] ?? '', /^ok 127\.0\.0\.1:\d+ answers$/)
    assert.deepEqual(mailbox.mails, [])
    await mailbox.stop()
    const password = 'a-password-of-the-mail-server'
    const down = await doctorWith(mailbox.url.replace('//', `//someone:${password}@`))
    assert.equal(down.code, 1)
    assert.match(
      about('mail', down)[0] ?? '',
      /^fail 127\.0\.0\.1:\d+ takes no mail \(.+\): check PORTARIA_SMTP_URL; until then mails wait/,
    )
    assert.ok(!(down.out + down.err).includes(password))
  })

  it('asks each identity provider whether it answers, and waits eight seconds for it', async (context) => {
    const url = await database.empty()
    const portaria = commandLine(url, NOWHERE)
    const [well, down] = [await startProvider('http://localhost:1/auth/callback'), await startProvider('http://localhost:1/auth/callback')]
    for (const [id, { issuer, clientId, clientSecret }] of Object.entries({ well, down }))
      await portaria(`idp add --id ${id} --name ${id} --issuer ${issuer} --client-id ${clientId} --client-secret-stdin`, clientSecret)
    const both = await portaria('doctor --json')
    assert.equal(both.code, 0, both.out)
    assert.deepEqual([about('idp well', both), about('idp down', both)], [[`ok ${well.issuer} answers`], [`ok ${down.issuer} answers`]])
    await down.stop()
    const one = await portaria('doctor --json')
    assert.equal(one.code, 1)
    assert.deepEqual(about('idp well', one), [`ok ${well.issuer} answers`])
    assert.match(about('idp down', one)[0] ?? '', /^fail .+ does not answer: .+ \(more: `portaria idp test down`\)$/)
    const waits = hurry(context)
    well.mood = 'hang'
    const silent = await portaria('doctor --json')
    assert.equal(silent.code, 1)
    assert.match(about('idp well', silent)[0] ?? '', /^fail .+ does not answer in time: is it well.+ \(more: `portaria idp test well`\)$/)
    assert.ok(waits.includes(8_000), String(waits))
  })

  it('M4: names the events that a webhook is not sent for at its gateway, and one that is switched off there', async () => {
    const url = await database.empty()
    const service = await startService(url)
    const api = await startFakeApi()
    const asked = ['events', 'customers', 'invoices', 'subscriptions', 'checkout/sessions', 'charges', 'invoice_payments']
    for (const things of asked) api.answers.set(`/v1/${things}`, { object: 'list', data: [] })
    api.answers.set('/customers', { data: [] })
    const doctor = commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url })
    const paths = { stripe: '/v1/webhook_endpoints', asaas: '/webhooks' }
    for (const gateway of ['stripe', 'asaas'] as const) {
      const slug = `loja-${gateway}`
      const { address, ...shop } = await connect(service, gateway, { slug, apiUrl: api.url })
      const other = await connect(service, gateway, { apiUrl: api.url })
      await deliver({ ...shop, address }, {})
      const said = async () => about(`${gateway} of ${slug}`, await doctor('doctor --json'))
      const well = 'ok its API takes the access token'
      const [unread = '', ...nothing] = await said()
      assert.match(unread, /^ok its API takes the access token\. Its webhooks can't be listed: .+\(404\)/, 'the key may not read it')
      assert.deepEqual(nothing, [])
      const showWebhooks = (...webhooks: object[]) => api.answers.set(paths[gateway], { data: webhooks })
      const named = (events: string[], at = address.replace('127.0.0.1', 'hooks.example.com')) => ({
        url: at,
        events,
        enabled_events: events,
      })
      showWebhooks(named([], other.address), named([], 'https://example.com/hook'), { url: 7 })
      const [, absent = '', ...more] = await said()
      assert.match(absent, /^warn no webhook there ends in this product's address, which `.+` shows: unless a proxy passes/)
      assert.deepEqual(more, [], "only others' webhooks")
      showWebhooks(named(['*', 'of another'], other.address), named([]))
      const [, missing = ''] = await said()
      const pattern =
        /^warn its webhook is not sent for (.+): tick them there; until then those events come with `portaria gateway reconcile --product \S+ --gateway \S+ --since DATE` alone$/
      const events = pattern.exec(missing)?.[1]?.split(', ') ?? []
      assert.deepEqual(
        ['invoice_payment.paid', 'charge.refunded', 'charge.dispute.created', 'PAYMENT_REFUNDED', 'SUBSCRIPTION_DELETED'].filter((event) =>
          events.includes(event),
        ),
        gateway === 'stripe'
          ? ['invoice_payment.paid', 'charge.refunded', 'charge.dispute.created']
          : ['PAYMENT_REFUNDED', 'SUBSCRIPTION_DELETED'],
      )
      showWebhooks(named(events.slice(1)), named(['payment_intent.created']))
      assert.match((await said())[1] ?? '', new RegExp(`not sent for ${events[0]}: tick`))
      showWebhooks(named(events.slice(1)), named(events.slice(0, 1)))
      assert.deepEqual(await said(), [well], 'two webhooks that send all between them')
      showWebhooks({ ...named(events), status: 'disabled', interrupted: true })
      assert.match((await said())[1] ?? '', /^fail the gateway has switched its webhook off/)
    }
  })

  it('asks each gateway of a product whether its credentials work, and says what is only half set up', async (context) => {
    const url = await database.empty()
    const service = await startService(url)
    const api = await startFakeApi()
    const { product, ...connected } = await connect(service, 'asaas', { slug: 'loja', apiUrl: api.url })
    const environment = { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url }
    const doctor = (more: Record<string, string> = {}) => commandLine(url, { ...environment, ...more })('doctor --json')
    const asaas = async (more = {}) => about('asaas of loja', await doctor(more))
    api.answers.set('/customers', { data: [] })
    api.answers.set('/webhooks', { data: [{ url: connected.address, events: ['*'] }] })
    assert.deepEqual(await asaas(), [
      'ok its API takes the access token',
      'warn nothing was delivered yet: is its webhook registered? `portaria product gateway-credentials --slug loja` shows the address',
    ])
    await deliver({ ...connected }, {}, { headers: { 'asaas-access-token': 'another' } })
    assert.deepEqual((await asaas()).slice(1), ['warn its deliveries fail verification: see `portaria gateway status`'])
    await deliver({ ...connected }, {})
    assert.deepEqual(await asaas(), ['ok its API takes the access token'])

    const faults = {
      refuses:
        /^fail the gateway refuses the access token \(401\), asked at http:\S+\. .+ `portaria product gateway-credentials --slug loja --gateway asaas --secrets-stdin`$/,
      down: /^fail 127\.0\.0\.1:\d+ ends the connection in place of an answer/,
      hang: /^fail 127\.0\.0\.1:\d+ does not answer in time/,
    } as const
    for (const [mood, pattern] of Object.entries(faults)) {
      api.mood = mood as keyof typeof faults
      const waits = mood === 'hang' ? hurry(context) : []
      const said = await doctor()
      assert.equal(said.code, 1, mood)
      assert.match(about('asaas of loja', said)[0] ?? '', pattern)
      assert.doesNotMatch(said.out + said.err, /token_for_nothing|a_secret_for_nothing/)
      if (mood === 'hang') assert.ok(waits.includes(10_000), String(waits))
    }
    api.mood = 'unknown'
    assert.match(
      about('asaas of loja', await doctor())[0] ?? '',
      /\(404\), asked at http:\S+\. asaas's own address is \S+\/v3: one that does not/,
    )
    api.mood = 'well'

    const credentials = { webhookSecret: 'a secret', accessToken: 'a token', apiUrl: api.url, isTest: true }
    await setGatewayCredentials(product.product, { gateway: 'asaas', credentials }, { ...service.context, actor: 'operator:test' })
    assert.deepEqual(await asaas(), ['ok its API takes the access token'])
    assert.deepEqual((await asaas({ NODE_ENV: 'production' })).slice(1), [
      "warn its credentials are a sandbox's (--test), so asaas grants no access to loja",
    ])

    await commandLine(url, environment)('product create --slug curso --name Curso --audience internal --checkout integrated')
    await commandLine(url, environment)('product gateway-matrix --slug curso --set card=stripe --set boleto=stripe --set pix=asaas')
    const half = await doctor()
    assert.match(
      about('stripe of curso', half)[0] ?? '',
      /^warn it takes (boleto, card|card, boleto), and there are no credentials for it: /,
    )
    assert.equal(about('asaas of curso', half).length, 1)
    assert.deepEqual([about('mercadopago of curso', half), about('stripe of loja', half)], [[], []])
    assert.equal(half.code, 0, half.out)
  })

  it('lists every fault of the configuration', async () => {
    const said = await commandLine({ url: 'mysql://db' }, { PORT: 'x' })('doctor --json')
    assert.equal(said.code, 1)
    assert.deepEqual(
      about('configuration', said).map((line) => line.split(':')[0]),
      ['fail PORT', 'fail DATABASE_URL'],
    )
  })

  if (database.name === 'sqlite') {
    it('looks after the key file and the disk beside the database', async () => {
      const url = await database.empty()
      const portaria = commandLine(url, { PORT: '1' })
      const file = path.join(path.dirname(url.url.slice('sqlite:'.length)), 'portaria.key')
      await portaria('user create --email ana@example.com --name Ana')
      const well = await portaria('doctor --json')
      assert.deepEqual([about('key file', well), about('disk', well).length], [[], 1])
      chmodSync(file, 0o644)
      assert.match(about('key file', await portaria('doctor --json'))[0] ?? '', /^warn .+ can be read by others: chmod 600/)
      const key = readFileSync(file)
      rmSync(file)
      assert.match(about('master key', await portaria('doctor --json'))[0] ?? '', /^fail .+ is gone/)
      assert.ok(!existsSync(file))
      writeFileSync(file, key)
      assert.match(about('master key', await portaria('doctor --json'))[0] ?? '', /^ok opens what is sealed/)
    })
  }
})
