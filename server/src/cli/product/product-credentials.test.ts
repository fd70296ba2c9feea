import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { dumpDatabase } from '../../../test/support/routes/raw-requests.ts'
import { startService } from '../../../test/support/service.ts'
import { gatewayCredentialsStore } from '../../products/index.ts'

const PRODUCT = 'product create --slug shop --name Shop --audience external --checkout external --json'
const OURS = 'product gateway-credentials --slug shop'
const WEBHOOK_SECRET = 'whsec_nobodyMaySeeThis1'
const ACCESS_TOKEN = 'rk_live_norThisOne22222'
const SECRETS = JSON.stringify({ webhook_secret: WEBHOOK_SECRET, access_token: ACCESS_TOKEN })
const SANDBOX = 'https://api-sandbox.example.com/v3'

eachDatabase('The command gateway-credentials', (database) => {
  it('gives a product its secrets for one gateway, and names the address to register there', async () => {
    const portaria = commandLine(await database.fresh(), { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: 'https://sso.example.com' })
    const { webhook_key } = (await portaria(PRODUCT)).json
    const addressOf = (gateway: string) => `https://sso.example.com/api/webhooks/${gateway}/${webhook_key}`
    const none = { is_test: null, api_url: null, created_at: null, updated_at: null }
    assert.deepEqual(
      (await portaria(`${OURS} --json`)).json,
      ['stripe', 'mercadopago', 'asaas'].map((gateway) => ({ gateway, webhook_url: addressOf(gateway), ...none })),
    )
    const given = await portaria(`${OURS} --gateway asaas --api-url ${SANDBOX}/ --test --secrets-stdin --json`, `${SECRETS}\n`)
    assert.equal(given.code, 0, given.err)
    const { created_at, updated_at, ...rest } = given.json
    assert.deepEqual(rest, { gateway: 'asaas', webhook_url: addressOf('asaas'), is_test: true, api_url: SANDBOX })
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000 && created_at === updated_at)
    assert.deepEqual((await portaria(`${OURS} --json`)).json[2], given.json)
    assert.deepEqual((await portaria(`${OURS} --gateway asaas --json`)).json, given.json)
    const text = (await portaria(OURS)).out
    assert.match(
      text,
      /^GATEWAY +CREDENTIALS +SINCE +API ADDRESS\nstripe +none\nmercadopago +none\nasaas +test +2\S+ \S+ -03:00 +https:\/\/api-sandbox\S+\/v3\n/,
    )
    for (const gateway of ['stripe', 'mercadopago', 'asaas']) assert.ok(text.includes(`\n  ${addressOf(gateway)}\n`))
    assert.match(
      (await portaria(`${OURS} --gateway stripe`)).out,
      new RegExp(`credentials +none\nwebhook address +${addressOf('stripe')}\n`),
    )
    const rotated = (await portaria('product rotate-webhook-key shop --json')).json.webhook_key
    assert.equal((await portaria(`${OURS} --gateway asaas --json`)).json.webhook_url.split('/').at(-1), rotated)
  })

  it('replaces what was given before, all of it, and `product show` lists the gateways', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url)
    const { id } = (await portaria(PRODUCT)).json
    assert.match((await portaria('product show shop')).out, /^gateways +none yet$/m)
    const first = (await portaria(`${OURS} --gateway asaas --api-url http://localhost:9/v3 --test --secrets-stdin --json`, SECRETS)).json
    assert.equal(first.api_url, 'http://localhost:9/v3')
    await portaria(`${OURS} --gateway stripe --secrets-stdin`, SECRETS)
    assert.match((await portaria('product show shop')).out, /^gateways +stripe\n +asaas \(test\)$/m)
    const other = SECRETS.replace(ACCESS_TOKEN, 'another_access_token')
    const second = (await portaria(`${OURS} --gateway asaas --secrets-stdin --json`, other)).json
    assert.deepEqual([second.is_test, second.api_url, second.created_at], [false, null, first.created_at])
    assert.ok(second.updated_at > first.updated_at)
    const { webhook_url: _address, ...shown } = second
    assert.deepEqual((await portaria('product show shop --json')).json.gateway_credentials[1], shown)
    const { storage, sealer } = (await startService(url)).context
    const stored = gatewayCredentialsStore(storage.db)
    const expected = { webhookSecret: WEBHOOK_SECRET, accessToken: 'another_access_token', apiUrl: undefined, isTest: false }
    assert.deepEqual(await stored.find(id, 'asaas', sealer), expected)
    assert.equal((await stored.find(id, 'stripe', sealer))?.accessToken, ACCESS_TOKEN)
    assert.equal(await stored.find(id, 'mercadopago', sealer), undefined)
  })

  it('takes them away, of this gateway and this product alone', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url)
    await portaria(PRODUCT)
    await portaria(PRODUCT.replace('shop', 'other'))
    for (const line of [OURS, OURS.replace('shop', 'other')])
      for (const gateway of ['stripe', 'asaas']) await portaria(`${line} --gateway ${gateway} --secrets-stdin`, SECRETS)
    const removed = await portaria(`${OURS} --gateway asaas --remove --json`)
    assert.deepEqual([removed.json.gateway, removed.json.removed], ['asaas', true])
    assert.match((await portaria(`${OURS} --gateway asaas --remove`)).err, /no credentials for asaas: see `portaria product gateway-cred/)
    const left = async (slug: string) =>
      (await portaria(`product show ${slug} --json`)).json.gateway_credentials.map(({ gateway }: { gateway: string }) => gateway)
    assert.deepEqual([await left('shop'), await left('other')], [['stripe'], ['stripe', 'asaas']])
  })

  it('is written into the audit log and announced to every node, without the secrets', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url)
    const { id } = (await portaria(PRODUCT)).json
    const { db } = (await startService(url)).context.storage
    const announced = async () => (await db.selectFrom('changes').selectAll().where('subject', '=', id).execute()).map(({ kind }) => kind)
    const before = (await announced()).length
    await portaria(`${OURS} --gateway asaas --api-url ${SANDBOX} --test --secrets-stdin`, SECRETS)
    await portaria(`${OURS} --gateway asaas --secrets-stdin`, SECRETS)
    await portaria(`${OURS} --gateway asaas --remove`)
    assert.deepEqual((await announced()).slice(before), ['product_changed', 'product_changed', 'product_changed'])
    const entries = (await portaria(`audit list --target ${id} --json`)).json.slice(0, 3)
    const sandbox = { gateway: 'asaas', isTest: true, apiUrl: SANDBOX }
    const live = { gateway: 'asaas', isTest: false }
    assert.deepEqual(
      entries.map((entry: Record<string, unknown>) => [entry.actor, entry.action, entry.before, entry.after]),
      [
        ['operator:cli', 'product.remove_gateway_credentials', live, null],
        ['operator:cli', 'product.set_gateway_credentials', sandbox, live],
        ['operator:cli', 'product.set_gateway_credentials', null, sandbox],
      ],
    )
  })

  it('keeps the secrets out of everything that is printed, written or logged, and opens them in their own row alone', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url)
    const { id, webhook_key } = (await portaria(PRODUCT)).json
    const said = [
      await portaria(`${OURS} --gateway stripe --secrets-stdin`, SECRETS),
      await portaria(`${OURS} --gateway asaas --secrets-stdin --json`, SECRETS.replace(WEBHOOK_SECRET, 'the_secret_of_asaas')),
      await portaria(OURS),
      await portaria(`${OURS} --json`),
      await portaria(`${OURS} --gateway stripe`),
      await portaria('product show shop --json'),
      await portaria('product show shop'),
      await portaria('audit list --json'),
    ]
    const service = await startService(url, { environment: { PORTARIA_LOG_LEVEL: 'debug' } })
    const { storage, sealer } = service.context
    await service.browser().request('POST', `/api/webhooks/stripe/${webhook_key}`, { body: '{}' })
    await service.browser().get('/login') // by now the earlier lines are in the log
    const tables = await dumpDatabase(service)
    assert.ok(tables.includes(webhook_key.slice(0, 6)) && tables.includes('gateway_credentials'), 'the dump is one of the database')
    const places = [tables, service.log(), ...said.map(({ out, err }) => out + err)]
    for (const text of places) {
      assert.ok(text.length > 0)
      for (const secret of [WEBHOOK_SECRET, ACCESS_TOKEN, 'the_secret_of_asaas']) assert.ok(!text.includes(secret), text)
    }
    const stored = gatewayCredentialsStore(storage.db)
    const { sealed } = await storage.db
      .selectFrom('gateway_credentials')
      .selectAll()
      .where('gateway', '=', 'stripe')
      .executeTakeFirstOrThrow()
    await storage.db.updateTable('gateway_credentials').set({ sealed }).where('gateway', '=', 'asaas').execute()
    assert.equal((await stored.find(id, 'stripe', sealer))?.webhookSecret, WEBHOOK_SECRET)
    await assert.rejects(stored.find(id, 'asaas', sealer), /^Error: gateway_credentials\.sealed\.[0-9a-f-]{36}\.asaas does not open/)
    const otherProduct = (await portaria(PRODUCT.replace('shop', 'other'))).json.id
    await storage.db.updateTable('gateway_credentials').set({ product_id: otherProduct }).where('gateway', '=', 'stripe').execute()
    await assert.rejects(stored.find(otherProduct, 'stripe', sealer), /does not open/)
  })

  it('takes nothing but the two secrets, and repeats nothing of what it refuses', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(PRODUCT)
    const secrets = (change: Record<string, unknown>) => JSON.stringify({ ...JSON.parse(SECRETS), ...change })
    const refused: Array<[given: string, sentence: RegExp]> = [
      ['', /must hold one JSON object: \{"webhook_secret": "…", "access_token": "…"\}$/m],
      [`webhook_secret=${WEBHOOK_SECRET}`, /one JSON object/],
      [`{"webhook_secret":"${WEBHOOK_SECRET}",}`, /one JSON object/],
      [`["${WEBHOOK_SECRET}","${ACCESS_TOKEN}"]`, /one JSON object/],
      [`"${WEBHOOK_SECRET}"`, /one JSON object/],
      ['null', /one JSON object/],
      [
        secrets({ api_key: ACCESS_TOKEN }),
        /: api_key is no key here: give \{"webhook_secret": "…", "access_token": "…"\} and nothing else/,
      ],
      [`{"__proto__":{"webhook_secret":"${WEBHOOK_SECRET}"}}`, /: __proto__ is no key here/],
      [secrets({ [`${ACCESS_TOKEN}x`]: 'access_token' }), /: one of the keys on standard input is no key here/],
      [secrets({ ['k'.repeat(41)]: 'x' }), /: one of the keys on standard input is no key here/],
      [secrets({ webhook_secret: undefined }), /: webhook_secret must be text of 8 to 500 characters/],
      [secrets({ webhook_secret: 'short12' }), /: webhook_secret must be/],
      [secrets({ webhook_secret: 'x'.repeat(501) }), /: webhook_secret must be/],
      [secrets({ webhook_secret: 12345678 }), /: webhook_secret must be/],
      [secrets({ webhook_secret: `${WEBHOOK_SECRET}\n` }), /: webhook_secret must be/],
      [secrets({ access_token: null }), /: access_token must be/],
      [secrets({ access_token: [ACCESS_TOKEN] }), /: access_token must be/],
      [secrets({ access_token: `${ACCESS_TOKEN} ` }), /: access_token must be/],
      [secrets({ access_token: 'açúcar-açúcar' }), /: access_token must be/],
    ]
    for (const [given, sentence] of refused) {
      const said = await portaria(`${OURS} --gateway stripe --secrets-stdin`, given)
      assert.deepEqual([said.code, said.out], [1, ''], given.slice(0, 200))
      assert.match(said.err, sentence)
      assert.match(said.err, /^portaria: [^\n]+\n$/)
      for (const secret of [WEBHOOK_SECRET, ACCESS_TOKEN, 'short12', 'açúcar']) assert.ok(!said.err.includes(secret), said.err)
    }
    assert.deepEqual((await portaria('product show shop --json')).json.gateway_credentials, [])
    for (const secret of ['12345678', 'x'.repeat(500)])
      assert.equal((await portaria(`${OURS} --gateway stripe --secrets-stdin`, secrets({ webhook_secret: secret }))).code, 0, secret)
  })

  it('says so when an address of an API does not end as the vendor’s own does, and takes it all the same', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(PRODUCT)
    const give = (gateway: string, address: string, more = '') =>
      portaria(`${OURS} --gateway ${gateway} --api-url ${address} --secrets-stdin${more}`, SECRETS)
    const asaas = /^asaas's own address is https:\/\/api\.asaas\.com\/v3: one that does not end in \/v3 is most likely answered 404\.$/m
    for (const [gateway, address, said] of [
      ['asaas', 'https://api-sandbox.asaas.com', asaas],
      ['asaas', 'https://api-sandbox.asaas.com/v33', asaas],
      ['asaas', 'https://api-sandbox.asaas.com/v3/', undefined],
      ['asaas', 'https://sandbox.asaas.com/api/v3', undefined],
      [
        'stripe',
        'https://stripe.example.com/v1',
        /^stripe's paths begin with their version: \S+\/v1 would be asked for \/v1\/v1\/…\. Its own/m,
      ],
      ['stripe', 'https://proxy.example.com/stripe', undefined],
      ['mercadopago', 'https://mp.example.com/v1', /^mercadopago's paths begin with their version: /m],
      ['mercadopago', 'https://mp.example.com', undefined],
    ] as const) {
      const given = await give(gateway, address)
      assert.equal(given.code, 0, given.err)
      if (said) assert.match(given.out, said)
      else assert.doesNotMatch(given.out, /own address is/, address)
    }
    assert.doesNotMatch((await give('asaas', 'https://api-sandbox.asaas.com', ' --json')).err, /./)
  })

  it('takes the address of an API only as it will be called', async () => {
    const url = await database.fresh()
    const environment = { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: 'https://sso.example.com' }
    const [home, abroad] = [commandLine(url), commandLine(url, environment)]
    await home(PRODUCT)
    const give = (portaria: typeof home, address: string) =>
      portaria([...`${OURS} --gateway asaas --secrets-stdin --json --api-url`.split(' '), address], SECRETS)
    const form =
      /^portaria: the API address must be https:\/\/ \(http:\/\/ only while PORTARIA_URL is this machine\), without query[^\n]+\n$/
    const bad = [
      ...[
        'api.example.com',
        'ftp://api.example.com',
        'https://',
        'https://api.example.com?x=1',
        'https://api.example.com/?',
        'https://api.example.com/#a',
      ],
      ...[
        'https://rk_live_1:x@api.example.com',
        'https://api.example.com/@me',
        'https://api.example.com\\v3',
        'https://api.example.com/a b',
        '',
      ],
      ...[' https://api.example.com', 'https://api.example.com/\n', `https://api.example.com/${'x'.repeat(500)}`, 'javascript:alert(1)'],
    ]
    for (const address of bad) {
      const said = await give(home, address)
      assert.deepEqual([said.code, said.out], [1, ''], address)
      assert.match(said.err, form)
      assert.ok(!said.err.includes('rk_live_1'))
    }
    assert.match((await give(abroad, 'http://localhost:9/v3')).err, form)
    assert.equal((await give(home, 'http://localhost:9/v3//')).json.api_url, 'http://localhost:9/v3')
    assert.equal((await give(abroad, 'https://API.example.com')).json.api_url, 'https://api.example.com')
  })

  it('says what to give, and where a webhook key is missing, how to make one', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url)
    await portaria(PRODUCT)
    const refused: Array<[string, RegExp, number]> = [
      [`${OURS} --secrets-stdin`, /name the gateway: --gateway stripe, mercadopago, asaas/, 2],
      [`${OURS} --remove`, /name the gateway/, 2],
      [`${OURS} --gateway paypal`, /Expected stripe, mercadopago, asaas/, 2],
      [`${OURS} --gateway asaas --test`, /add --secrets-stdin/, 2],
      [`${OURS} --gateway asaas --api-url ${SANDBOX}`, /add --secrets-stdin/, 2],
      [`${OURS} --gateway asaas --remove --secrets-stdin`, /contradict/, 2],
      ['product gateway-credentials', /name one product/, 2],
      ['product gateway-credentials --slug none --gateway asaas --secrets-stdin', /no such product/, 1],
    ]
    for (const [line, sentence, code] of refused) {
      const said = await portaria(line, SECRETS)
      assert.equal(said.code, code, line)
      assert.match(said.err, sentence)
      assert.ok(!(said.out + said.err).includes(ACCESS_TOKEN))
    }
    const { db } = (await startService(url)).context.storage
    await db.updateTable('webhook_keys').set({ revoked_at: 1 }).execute()
    for (const line of [OURS, `${OURS} --gateway asaas`])
      assert.match((await portaria(line)).out, /No live webhook key, .+ `portaria product rotate-webhook-key shop`/)
    assert.equal((await portaria(`${OURS} --json`)).json[0].webhook_url, null)
  })
})
