import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { gatewayHealthStore } from '../../../src/gateways/index.ts'
import { MINUTE_MS } from '../../../src/kit/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startForSuite } from '../../support/service.ts'
import { type Admin, adminOf, lastAudit, listAll, scriptOf, versionOf, withResponses } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

const SECRETS = { webhook_secret: 'webhook-secret-of-the-tests', access_token: 'access-token-of-the-tests' }

interface Shown {
  id: string
  webhook_key: string | null
  redirect_uris: Array<{ uri: string; trusted: boolean }>
  api_keys: Array<{ id: string; hint: string; revoked_at: string | null; last_used_at: string | null }>
  webhook_keys: Array<{ key: string | null; hint: string }>
  gateways: Array<{ gateway: string; webhook_url: string | null; credentials: string | null; last_delivery_at: string | null }>
}

interface Warning {
  says: string
  code: string
  values: object
}

eachDatabase('Products in the admin API', (database) => {
  const service = startForSuite(database)
  /** Every answer of this suite, those aside that make a key. */
  const said: string[] = []
  const made: string[] = []
  const owner = async (name: string) => withResponses(await adminOf(service(), `${name}@example.com`, 'owner'), said)

  /** Asaas as far as a probe goes: an API that takes one access token. */
  const api = createServer((request, response) => {
    response.writeHead(request.headers.access_token === SECRETS.access_token ? 200 : 401, { 'content-type': 'application/json' })
    response.end('{"data":[]}')
  })
  before(() => new Promise<void>((done) => api.listen(0, 'localhost', done)))
  after(() => api.close())

  async function create(admin: Admin, body: Record<string, unknown>): Promise<Shown & { api_key: string }> {
    const before = said.length
    const answer = await admin.send('POST', '/products', { name: 'Loja', audience: 'internal', checkout: 'integrated', ...body })
    assert.equal(answer.status, 201, answer.text)
    said.length = before // the one answer that shows the key
    const product = answer.json<Shown & { api_key: string }>()
    assert.ok(product.api_key.startsWith('sk_'))
    made.push(product.api_key)
    return product
  }

  it('are listed by name, slug or age, filtered, and found by a part of their name', async () => {
    const admin = await owner('lista')
    for (const [slug, name, audience, checkout] of [
      ['b-academia', 'Academia Fácil', 'internal', 'integrated'],
      ['a-loja', 'Loja', 'external', 'external'],
      ['c-curso', 'Curso', 'external', 'integrated'],
    ])
      await create(admin, { slug, name, audience, checkout })
    const listed = async (query: string) => (await listAll(admin, `/products${query}`)).map(({ slug }) => slug)
    assert.deepEqual(await listed(''), ['b-academia', 'c-curso', 'a-loja'])
    assert.deepEqual(await listed('?sort=-slug'), ['c-curso', 'b-academia', 'a-loja'])
    assert.deepEqual(await listed('?sort=created_at'), ['b-academia', 'a-loja', 'c-curso'])
    assert.deepEqual(await listed('?audience=external'), ['c-curso', 'a-loja'])
    assert.deepEqual(await listed('?checkout=external'), ['a-loja'])
    assert.deepEqual(await listed('?q=facil'), ['b-academia'])
    assert.deepEqual(await listed('?q=a-l'), ['a-loja'])
  })

  it('are made with keys, and refused field by field', async () => {
    const admin = await owner('cria')
    const uri = 'https://feita.example.com/callback'
    const product = await create(admin, { slug: 'feita', audience: 'external', redirect_uris: [{ uri }], reason: 'app novo' })
    assert.deepEqual(product.redirect_uris, [{ uri, trusted: false }])
    assert.ok(product.webhook_key?.startsWith('wk_'))
    const { actor, target, after: recorded, reason, ip } = await lastAudit(service(), 'product.create')
    assert.deepEqual([actor, target, recorded?.slug, reason], [`user:${admin.id}`, product.id, 'feita', 'app novo'])
    assert.match(ip ?? '', /^(127\.0\.0\.1|::1)$/)
    const good = { slug: 'outra', name: 'Outra', audience: 'external', checkout: 'integrated' }
    for (const [wrong, field, code] of [
      [{ slug: 'feita' }, 'slug', 'slug_taken'],
      [{ slug: 'Feita' }, 'slug', 'slug_malformed'],
      [{ name: '' }, 'name', 'name_malformed'],
      [{ audience: 'all' }, 'audience', 'invalid_value'],
      [{ handoff: 'eg_session' }, 'handoff', 'handoff_needs_internal'],
      [{ redirect_uris: [{ uri: 'https://nova.example.com/' }, { uri }] }, 'redirect_uris.1.uri', 'uri_taken'],
      [{ redirect_uris: [{ uri: 'http://nova.example.com/' }] }, 'redirect_uris.0.uri', 'scheme'],
      [{ redirect_uris: [{ uri: 'https://nova.example.com/', trusted: true }] }, 'redirect_uris', 'trusted_needs_internal'],
      [{ api_key: 'sk_mine' }, 'api_key', 'unknown'],
    ] as const) {
      const answer = await admin.send('POST', '/products', { ...good, ...wrong })
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'Payload invalido', fields: { [field]: code } }])
    }
    assert.deepEqual(await listAll(admin, '/products?q=outra'), [])
  })

  it('are changed in one piece by whoever has seen them as they are; the second of two editors is warned', async () => {
    const admin = await owner('edita')
    const [kept, left, fresh] = ['fica', 'sai', 'vem'].map((name) => `https://${name}.example.com/`)
    const product = await create(admin, { slug: 'editada', redirect_uris: [{ uri: kept, trusted: true }, { uri: left }] })
    const path = `/products/${product.id}`
    const seen = versionOf(await admin.get(path))
    const change = {
      name: 'Depois',
      scopes: ['read:email'],
      query_key_allowed: false,
      redirect_uris: [{ uri: kept }, { uri: fresh, trusted: true }],
      payment_methods: [{ method: 'pix', gateway: 'asaas' }],
      grace_days: { pix: 10 },
      reason: 'pediu a loja',
    }
    const first = await admin.send('PATCH', path, change, { version: seen })
    assert.equal(first.status, 200, first.text)
    assertRefused(await admin.send('PATCH', path, { name: 'Não' }, { version: seen }), 412, 'alterado por outra pessoa')
    assertRefused(await admin.send('PATCH', path, { grace_days: { pix: 1 } }, { version: seen }), 412, 'alterado por outra pessoa')
    assertRefused(await admin.send('PATCH', path, { name: 'Não' }), 428, 'If-Match ausente')
    const now = await admin.get(path)
    assert.equal(versionOf(now), versionOf(first))
    const { name, scopes, query_key_allowed, redirect_uris, payment_methods, grace_days } = now.json<Record<string, unknown>>()
    assert.deepEqual([name, scopes, query_key_allowed], ['Depois', ['read:email'], false])
    assert.deepEqual(redirect_uris, [
      { uri: kept, trusted: false },
      { uri: fresh, trusted: true },
    ])
    assert.deepEqual([payment_methods, grace_days], [change.payment_methods, { pix: 10, boleto: 5, card: 3 }])
    const entry = await lastAudit(service(), 'product.change')
    assert.deepEqual([entry.actor, entry.target, entry.reason], [`user:${admin.id}`, product.id, 'pediu a loja'])
    assert.deepEqual([entry.before?.name, entry.before?.paymentMethods, entry.after?.name], ['Loja', [], 'Depois'])
    assert.deepEqual((await lastAudit(service(), 'product.set_grace')).after, { pix: 10 })
    const version = versionOf(now)
    const wrong = { name: 'Meio', grace_days: { pix: 1 }, redirect_uris: [{ uri: 'https://x.example.com/#a' }] }
    const half = await admin.send('PATCH', path, wrong, { version })
    assert.deepEqual(half.json<{ fields: unknown }>().fields, { 'redirect_uris.0.uri': 'fragment' })
    for (const [body, field, code] of [
      [{ payment_methods: [...change.payment_methods, ...change.payment_methods] }, 'payment_methods', 'custom'],
      [{ payment_methods: [{ method: 'pix', gateway: 'pagarme' }] }, 'payment_methods.0.gateway', 'gateway_off'],
      [{ checkout: 'external', payment_methods: change.payment_methods }, 'payment_methods', 'matrix_needs_integrated'],
      [{ grace_days: { pix: 61 } }, 'grace_days.pix', 'too_big'],
      [{ redirect_uris: [{ uri: kept }, { uri: kept }] }, 'redirect_uris.1.uri', 'uri_taken'],
    ] as const) {
      const answer = await admin.send('PATCH', path, body, { version })
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'Payload invalido', fields: { [field]: code } }])
    }
    assert.equal(versionOf(await admin.get(path)), version)
    for (const id of ['x', '%00']) assertRefused(await admin.get(`/products/${id}`), 404, 'nao encontrado')
  })

  it('stand behind a proxy that asks, by a rule and hosts that are given whole', async () => {
    const admin = await owner('proxy')
    const { id } = await create(admin, { slug: 'atras', redirect_uris: [] })
    const other = await create(admin, { slug: 'fora-do-proxy', audience: 'external' })
    const host = `localhost:${new URL(service().url).port === '8080' ? 8081 : 8080}`
    const rule = { access: 'plans', plans: ['easy-pro', 'easy-standard'], hosts: [host] }
    const patch = async (forward_auth: unknown, path = `/products/${id}`) =>
      admin.send('PATCH', path, { forward_auth }, { version: versionOf(await admin.get(path)) })
    const ruleNow = async () => (await admin.get(`/products/${id}`)).json<{ forward_auth: unknown }>().forward_auth
    assert.equal(await ruleNow(), null)
    const seen = versionOf(await admin.get(`/products/${id}`))
    assert.deepEqual((await patch(rule)).json<{ forward_auth: unknown }>().forward_auth, rule)
    assertRefused(await admin.send('PATCH', `/products/${id}`, { name: 'Não' }, { version: seen }), 412, 'alterado por outra pessoa')
    for (const [sent, field, why] of [
      [{ ...rule, hosts: [host, 'wiki.example.com'] }, 'forward_auth.hosts.1', 'host_off_domain'],
      [{ ...rule, hosts: ['LOCALHOST:1'] }, 'forward_auth.hosts.0', 'host_malformed'],
      [{ ...rule, hosts: [new URL(service().url).host] }, 'forward_auth.hosts.0', 'host_is_own'],
      [{ ...rule, plans: ['easy-pro', 'no such'] }, 'forward_auth.plans.1', 'plan_unknown'],
      [{ ...rule, plans: [] }, 'forward_auth.plans', 'plans_missing'],
    ] as const) {
      const answer = await patch(sent)
      assert.deepEqual([answer.status, answer.json<{ fields: unknown }>().fields], [400, { [field]: why }])
    }
    const external = await patch({ access: 'signed_in', plans: [], hosts: [] }, `/products/${other.id}`)
    assert.deepEqual(external.json<{ fields: unknown }>().fields, { forward_auth: 'forward_auth_needs_internal' })
    assert.deepEqual(await ruleNow(), rule)
    assert.deepEqual((await patch({ access: 'signed_in', plans: [], hosts: [] })).json<{ forward_auth: unknown }>().forward_auth, {
      ...{ access: 'signed_in', plans: [], hosts: [] },
    })
    await patch(null)
    assert.equal(await ruleNow(), null)
  })

  it('keep one of several changes that are made at once with the same version', async () => {
    const admin = await owner('corre')
    const { id } = await create(admin, { slug: 'corrida' })
    const version = versionOf(await admin.get(`/products/${id}`))
    const uris = ['a', 'b', 'c', 'd'].map((name) => ({ redirect_uris: [{ uri: `https://corrida-${name}.example.com/` }] }))
    const answers = await Promise.all(uris.map((body) => admin.send('PATCH', `/products/${id}`, body, { version })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412])
    assert.equal((await admin.get(`/products/${id}`)).json<Shown>().redirect_uris.length, 1)
  })

  it('hear of an address, before it is registered, why it can not be', async () => {
    const viewer = withResponses(await adminOf(service(), 'confere@example.com', 'viewer'), said)
    const uri = 'https://conferida.example.com/callback'
    const { product } = await service().product({ slug: 'conferida', uris: [uri] })
    const checked = async (body: unknown) => (await viewer.send('POST', '/products/check-redirect-uri', body)).json()
    const none = { ok: false, refusal: null, says: null, use: null, on_domain: null, registered_for: null }
    assert.deepEqual(await checked({ uri: 'http://localhost:4000/volta' }), { ...none, ok: true, on_domain: true })
    assert.deepEqual(await checked({ uri: 'https://nova.example/' }), { ...none, ok: true, on_domain: false })
    const use = 'https://nova.example/'
    const says = `it is not in normal form; use ${use}`
    assert.deepEqual(await checked({ uri: 'https://nova.example' }), { ...none, refusal: 'not_normal', says, use })
    assert.equal((await checked({ uri: 'https://nova.example/#a' })).refusal, 'fragment')
    const taken = await checked({ uri })
    assert.deepEqual([taken.ok, taken.refusal, taken.registered_for], [false, 'uri_taken', 'conferida'])
    assert.equal((await checked({ uri, product_id: product.id })).ok, true)
  })

  it('are made with their way to sign in, or not at all, and have the lines to paste for it', async () => {
    const admin = await owner('linhas')
    const made = await create(admin, {
      slug: 'paineis',
      openid: { kind: 'web' },
      redirect_uris: [{ uri: 'https://paineis.example.com/login/generic_oauth' }],
    })
    const { openid, publishable_key: clientId } = made as unknown as { openid: object; publishable_key: string }
    assert.deepEqual(openid, { kind: 'web', pkce: 'required', id_token_alg: 'RS256', post_logout_uris: [], resources: [] })
    interface Snippet {
      kind: string
      values: Array<{ name: string; value: string }>
      files: Array<{ name: string; lines: string }>
    }
    const snippets = async (of: string) => (await admin.get(`/products/${of}/snippets`)).json<{ data: Snippet[] }>().data
    const [generic, grafana] = await snippets(made.id)
    assert.deepEqual([generic?.kind, grafana?.kind], ['openid', 'grafana'])
    assert.deepEqual(generic?.values.map(({ value }) => value).slice(0, 4), [
      service().url,
      clientId,
      'sk_…',
      'https://paineis.example.com/login/generic_oauth',
    ])
    const { lines } = grafana?.files[0] ?? assert.fail('Grafana has a file')
    assert.match(lines, new RegExp(`client_id = ${clientId}\\n[^?]*\\ntoken_url = ${service().url}/openid/token\\n`))

    const native = { slug: 'celular', openid: { kind: 'native' }, redirect_uris: [{ uri: 'com.example.app:/callback' }] }
    const phone = await create(admin, native)
    assert.deepEqual(
      (await snippets(phone.id)).map(({ kind }) => kind),
      ['native'],
    )
    const check = { uri: 'com.example.other:/callback' }
    const isOk = async (more: object) =>
      (await admin.send('POST', '/products/check-redirect-uri', { ...check, ...more })).json<{ ok: boolean }>().ok
    assert.deepEqual([await isOk({}), await isOk({ openid_kind: 'native' }), await isOk({ product_id: phone.id })], [false, true, true])

    const proxied = { name: 'Wiki', audience: 'internal', checkout: 'integrated' }
    const rule = (hosts: string[]) => ({ access: 'signed_in', plans: [], hosts })
    const refused = await admin.send('POST', '/products', {
      ...proxied,
      slug: 'wiki-recusado',
      forward_auth: rule(['wiki.localhost', 'a b']),
    })
    assert.deepEqual([refused.status, refused.json<{ fields: object }>().fields], [400, { 'forward_auth.hosts.1': 'host_malformed' }])
    assert.equal((await admin.get('/products?q=wiki-recusado')).json<{ data: unknown[] }>().data.length, 0)
    const kind = await admin.send('POST', '/products', { ...proxied, slug: 'sem-tipo', openid: { pkce: 'optional' } })
    assert.deepEqual([kind.status, kind.json<{ fields: object }>().fields], [400, { openid: 'openid_off' }])
    const plain = await create(admin, { slug: 'simples' })
    assert.deepEqual(
      (await snippets(plain.id)).map((one) => one.kind),
      ['client'],
    )
    assertRefused(await admin.get('/products/0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21/snippets'), 404, 'nao encontrado')
  })

  it('get API keys that are shown once, show when one was last used, and lose one at once', async () => {
    const admin = await owner('chaves')
    const { id, api_key: first } = await create(admin, { slug: 'chaves' })
    const before = said.length
    const added = await admin.send('POST', `/products/${id}/api-keys`, { reason: 'troca' })
    said.length = before
    const { id: keyId, api_key: second } = added.json<{ id: string; api_key: string }>()
    assert.deepEqual([added.status, second.startsWith('sk_')], [201, true])
    made.push(second)
    const { actor, target, reason, after: recorded } = await lastAudit(service(), 'product.add_key')
    assert.deepEqual([actor, target, reason, Object.keys(recorded ?? {})], [`user:${admin.id}`, id, 'troca', ['key']])
    const ask = (key: string) =>
      fetch(`${service().url}/api/saas/check-access?email=a@example.com`, { headers: { authorization: `Bearer ${key}` } })
    const usedAt = new Date(service().clock.now).toISOString()
    for (let asked = 0; asked < 3; asked++) assert.equal((await ask(second)).status, 200)
    await service().flushLastSeen()
    const keys = async () => (await admin.get(`/products/${id}`)).json<Shown>().api_keys
    assert.deepEqual(
      (await keys()).map((key) => key.last_used_at),
      [null, usedAt],
    )
    assert.equal((await ask(first)).status, 200)
    assert.deepEqual((await admin.send('DELETE', `/products/${id}/api-keys/${keyId}`)).json(), { id: keyId, deleted: true })
    assert.equal((await ask(second)).status, 401)
    assertRefused(await admin.send('DELETE', `/products/${id}/api-keys/${keyId}`), 404, 'nao encontrado')
    await service().flushLastSeen() // the use of the other key was noted before the change made memory forget it
    assert.deepEqual(
      (await keys()).map((key) => [key.last_used_at !== null, key.revoked_at !== null]),
      [
        [true, false],
        [true, true],
      ],
    )
  })

  it('show webhook keys and addresses to owners; others see hints', async () => {
    const admin = await owner('enderecos')
    const { id, webhook_key: before } = await create(admin, { slug: 'enderecos' })
    const rotated = await admin.send('POST', `/products/${id}/rotate-webhook-key`)
    const key = rotated.json<{ webhook_key: string }>().webhook_key
    assert.deepEqual([rotated.status, key !== before], [200, true])
    assert.equal((await lastAudit(service(), 'product.rotate_webhook_key')).actor, `user:${admin.id}`)
    const own = (await admin.get(`/products/${id}`)).json<Shown>()
    assert.equal(own.webhook_key, key)
    assert.deepEqual(
      own.webhook_keys.map((one) => one.key),
      [key, before],
    )
    assert.ok(own.gateways.every(({ gateway, webhook_url: url }) => url === `${service().url}/api/webhooks/${gateway}/${key}`))
    for (const other of [
      await adminOf(service(), 'sem-chave@example.com', 'support'),
      await adminOf(service(), 'nem-chave@example.com', 'viewer'),
      await scriptOf(service(), 'owner', ['products:read']),
    ]) {
      const answer = await other.get(`/products/${id}`)
      const shown = answer.json<Shown>()
      for (const text of [answer.text, (await other.get('/products?limit=100')).text]) assert.ok(!/wk_\w{20}|sk_\w{20}/.test(text))
      assert.deepEqual([shown.webhook_key, shown.webhook_keys[0]?.key, shown.gateways[0]?.webhook_url], [null, null, null])
      assert.equal(shown.webhook_keys[0]?.hint, own.webhook_keys[0]?.hint)
    }
  })

  it('get gateway credentials that are tried and taken away, and never shown', async () => {
    const admin = await owner('cofre')
    const { id } = await create(admin, { slug: 'cofre', checkout: 'external' })
    const path = `/products/${id}/gateway-credentials/asaas`
    const apiUrl = `http://localhost:${(api.address() as AddressInfo).port}/v3`
    assertRefused(await admin.send('POST', `${path}/test`), 404, 'nao encontrado')
    const given = await admin.send('PUT', path, { ...SECRETS, api_url: apiUrl, is_test: true, reason: 'sandbox' })
    assert.equal(given.status, 200, given.text)
    const { webhook_url: _url, created_at: _at, updated_at: _too, ...recorded } = given.json()
    assert.deepEqual(recorded, { gateway: 'asaas', is_test: true, api_url: apiUrl, warning: null })
    const entry = await lastAudit(service(), 'product.set_gateway_credentials')
    assert.deepEqual([entry.actor, entry.reason, entry.after], [`user:${admin.id}`, 'sandbox', { gateway: 'asaas', isTest: true, apiUrl }])
    assert.deepEqual((await admin.send('POST', `${path}/test`)).json(), {
      ok: true,
      says: 'its API takes the access token',
      code: null,
      values: {},
      warning: null,
    })
    await admin.send('PUT', path, { ...SECRETS, access_token: 'another-access-token-of-the-tests', api_url: apiUrl })
    const refused = (await admin.send('POST', `${path}/test`)).json<object>()
    const says = 'the gateway refuses the access token (401)'
    assert.deepEqual(refused, { ok: false, says, code: 'token_refused', values: { status: 401 }, warning: null })
    const warned = (await admin.send('PUT', path, { ...SECRETS, api_url: apiUrl.replace(/v3$/, 'v2') })).json<{ warning: Warning }>()
      .warning
    assert.deepEqual([warned.code, warned.values], ['other_end', { own_url: 'https://api.asaas.com/v3', end: '/v3' }])
    assert.match(warned.says, /does not end in \/v3/)
    assert.deepEqual((await admin.send('POST', `${path}/test`)).json<{ warning: Warning }>().warning, warned)
    await admin.send('PUT', path, { ...SECRETS, access_token: 'another-access-token-of-the-tests', api_url: apiUrl })
    for (const [body, field, code] of [
      [{ ...SECRETS, access_token: 'a b' }, 'access_token', 'access_token_malformed'],
      [{ ...SECRETS, webhook_secret: { key: 1 } }, 'webhook_secret', 'webhook_secret_malformed'],
      [{ access_token: SECRETS.access_token }, 'webhook_secret', 'invalid_type'],
      [{ ...SECRETS, api_url: 'ftp://x' }, 'api_url', 'address_malformed'],
    ] as const) {
      const answer = await admin.send('PUT', path, body)
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'Payload invalido', fields: { [field]: code } }])
    }
    assertRefused(await admin.send('PUT', `/products/${id}/gateway-credentials/pagarme`, SECRETS), 404, 'nao encontrado')
    await gatewayHealthStore(service().context.storage.db).noteDelivery('asaas', id, service().clock.now)
    const state = (await admin.get(`/products/${id}`)).json<Shown>().gateways.find(({ gateway }) => gateway === 'asaas')
    assert.deepEqual([state?.credentials, state?.last_delivery_at], ['live', new Date(service().clock.now).toISOString()])
    assert.deepEqual((await admin.send('DELETE', path)).json(), { id: 'asaas', deleted: true })
    assertRefused(await admin.send('DELETE', path), 404, 'nao encontrado')
    assert.deepEqual((await lastAudit(service(), 'product.remove_gateway_credentials')).before, { gateway: 'asaas', isTest: false, apiUrl })
  })

  it('are tried ten times a minute at most', async () => {
    const { product } = await service().product({ slug: 'muitas' })
    const script = await scriptOf(service(), 'owner', ['product-keys:write'])
    const path = `/products/${product.id}/gateway-credentials/asaas/test`
    for (let asked = 0; asked < 10; asked++) assert.equal((await script.send('POST', path)).status, 404)
    const over = await script.send('POST', path)
    assertRefused(over, 429, 'muitas tentativas')
    assert.ok(Number(over.headers.get('retry-after')) > 0)
  })

  it('are changed by owners who have just authenticated, and by scripts as far as their scopes reach', async () => {
    const { product } = await service().product({ slug: 'guardada', checkout: 'external' })
    const path = `/products/${product.id}`
    const admin = await owner('tarde')
    const version = versionOf(await admin.get(path))
    const body = { slug: 'nova', name: 'Nova', audience: 'internal', checkout: 'integrated' }
    const actions = (who: Admin) => [
      who.send('POST', '/products', body),
      who.send('PATCH', path, { name: 'Outra' }, { version }),
      who.send('POST', `${path}/api-keys`),
      who.send('DELETE', `${path}/api-keys/x`),
      who.send('POST', `${path}/rotate-webhook-key`),
      who.send('PUT', `${path}/gateway-credentials/asaas`, SECRETS),
      who.send('DELETE', `${path}/gateway-credentials/asaas`),
    ]
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    const viewer = await adminOf(service(), 'vista@example.com', 'viewer')
    for (const who of [support, viewer, await scriptOf(service(), 'owner', ['products:read']), await scriptOf(service(), 'support')]) {
      for (const answer of await Promise.all(actions(who))) assertRefused(answer, 403, 'nao permitido')
      assertRefused(await who.send('POST', `${path}/gateway-credentials/asaas/test`), 403, 'nao permitido')
    }
    service().clock.now += 10 * MINUTE_MS
    for (const answer of await Promise.all(actions(admin))) assertRefused(answer, 403, 'prova recente necessaria')
    assert.equal(versionOf(await admin.get(path)), version)
    const script = await scriptOf(service(), 'owner', ['products:write'])
    assert.equal((await script.send('PATCH', path, { name: 'Pelo script' }, { version })).status, 200)
    assert.equal((await lastAudit(service(), 'product.change')).actor, `token:${script.id}`)
    assertRefused(await script.send('POST', `${path}/api-keys`), 403, 'nao permitido')
  })

  it('say no secret in any answer but the one that makes it', async () => {
    const secrets = [...made, ...Object.values(SECRETS), 'another-access-token-of-the-tests']
    assert.ok(made.length > 6 && said.length > 40)
    for (const text of said) for (const secret of secrets) assert.ok(!text.includes(secret), `a secret in ${text}`)
    const { rows } = { rows: await service().context.storage.db.selectFrom('audit').selectAll().execute() }
    for (const row of rows) for (const secret of secrets) assert.ok(!JSON.stringify(row).includes(secret), 'a secret in the audit log')
  })
})
