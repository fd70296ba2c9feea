import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createAdminToken, disableUser, findUser, revokeAdminToken, setUser } from '../../../src/admin/index.ts'
import type { Browser } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { completed, notify, WEBHOOK_SECRET, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, startService, type TestService } from '../../support/service.ts'
import { assertRefused, EXTERNAL, enter, parameter, post, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const PATH = '/api/admin/webhooks/test'
const DAY_MS = 86_400_000

async function makeToken(
  service: TestService,
  input: Partial<Parameters<typeof createAdminToken>[0]> = {},
): Promise<{ id: string; key: string }> {
  const wanted = { name: 'a script', role: 'owner', scopes: [], expiresDays: undefined, ...input } as const
  const made = await createAdminToken(wanted, { ...service.context, actor: 'operator:test' })
  if ('refusal' in made) return assert.fail(made.refusal)
  return { id: made.token.id, key: made.key }
}

async function giveRole({ context }: TestService, email: string, role: 'owner' | 'support' | 'viewer' | null): Promise<void> {
  const user = (await findUser(context.storage.db, email)) ?? assert.fail(email)
  const changed = await setUser(user, { role }, { ...context, actor: 'operator:test' })
  assert.ok(!('refusal' in changed))
}

/** A user with a role, signed in to Portaria itself. */
async function signedInAs(service: TestService, email: string, role: 'owner' | 'support' | 'viewer' | undefined): Promise<Browser> {
  await service.user(email)
  if (role) await giveRole(service, email, role)
  return signedIn(service, email)
}

/** Asks as one of our own pages does, unless other headers are given. */
function ask(service: TestService, browser: Browser, headers: Record<string, string> = { origin: service.url }) {
  return browser.request('POST', PATH, { headers: { 'content-type': 'application/json', ...headers }, body: '{}' })
}

interface Step {
  step: string
  ok: boolean
  detail: string
  code: string | null
  notification_id: string | null
}

eachDatabase('POST /api/admin/webhooks/test', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('sends a signed test over HTTP, finds it recorded, and grants nothing', async () => {
    const { context } = service()
    const { id, key } = await makeToken(service())
    const { product } = await service().product({ slug: 'curso' })
    for (const [body, event, email] of [
      [{}, 'purchase.completed', 'webhook-test@example.com'],
      [{ variant: 'B' }, 'subscription.activated', 'webhook-test@example.com'],
      [{ event: 'subscription.activated', product: 'curso', email: ' Bia@Example.com' }, 'subscription.activated', 'bia@example.com'],
      [{ variant: 'A', event: 'purchase.completed', product: 'curso' }, 'purchase.completed', 'webhook-test@example.com'],
    ] as const) {
      const answer = await post(service(), PATH, body, key)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const { ok, steps, ...rest } = answer.json<{ ok: boolean; steps: Step[] }>()
      assert.deepEqual(
        [ok, rest, steps.map((step) => [step.step, step.ok])],
        [true, {}, ['secret', 'reachable', 'answer', 'stored', 'access'].map((step) => [step, true])],
      )
      for (const step of steps) assert.deepEqual(Object.keys(step), ['step', 'ok', 'detail', 'code', 'notification_id'])
      const row = await context.storage.db.selectFrom('notifications').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
      assert.deepEqual([row.event, row.status, row.subject, row.subscription_id], [event, 'test', email, null])
      assert.equal(steps[3]?.detail, `as ${row.id} with status test`)
      assert.deepEqual(
        steps.map(({ code, notification_id }) => [code, notification_id]),
        [null, null, null, row.id, null].map((id) => [null, id]),
      )
      if ('product' in body) assert.ok(row.payload.includes(product.id))
      assert.ok(!answer.text.includes(WEBHOOK_SECRET))
    }
    assert.deepEqual(await context.storage.db.selectFrom('subscriptions').select('id').execute(), [])
    const [entry] = await context.storage.db.selectFrom('audit').selectAll().where('action', '=', 'webhook.test').execute()
    assert.equal(entry?.actor, `token:${id}`)
    assert.match(entry?.ip ?? '', /^(127\.0\.0\.1|::1)$/)
  })

  it('takes a token of an owner or of support, narrowed to it or not, and no body at all for an empty one', async () => {
    for (const input of [{ role: 'owner' }, { role: 'support' }, { role: 'support', scopes: ['webhooks:test'], expiresDays: 1 }] as const) {
      const { key } = await makeToken(service(), input)
      assert.equal((await post(service(), PATH, {}, key)).status, 200)
    }
    const { key } = await makeToken(service())
    const bare = await fetch(`${service().url}${PATH}`, { method: 'POST', headers: { authorization: `bearer ${key}` } })
    assert.deepEqual([bare.status, ((await bare.json()) as { ok: boolean }).ok], [200, true])
  })

  it('takes an owner and support who are signed in, from our own pages alone', async () => {
    const owner = await signedInAs(service(), 'dona@example.com', 'owner')
    const support = await signedInAs(service(), 'ajuda@example.com', 'support')
    for (const headers of [{ origin: service().url }, { 'sec-fetch-site': 'same-origin' }]) {
      assert.equal((await ask(service(), owner, headers)).status, 200)
      assert.equal((await ask(service(), support, headers)).status, 200)
    }
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${service().url}.evil.example` },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const refused = await ask(service(), owner, headers as Record<string, string>)
      assertRefused(refused, 403, 'origem nao permitida')
      assert.equal(refused.headers.get('access-control-allow-origin'), null)
    }
    const { context } = service()
    const actors = await context.storage.db.selectFrom('audit').select('actor').where('action', '=', 'webhook.test').execute()
    const { id } = (await findUser(context.storage.db, 'dona@example.com')) ?? assert.fail()
    assert.ok(actors.some(({ actor }) => actor === `user:${id}`))
  })

  it('refuses a user without a role that may, from the moment on that it is taken away', async () => {
    for (const [email, role] of [
      ['leitora@example.com', 'viewer'],
      ['ninguem@example.com', undefined],
    ] as const)
      assertRefused(await ask(service(), await signedInAs(service(), email, role)), 403, 'nao permitido')
    const browser = await signedInAs(service(), 'ex@example.com', 'support')
    assert.equal((await ask(service(), browser)).status, 200)
    await giveRole(service(), 'ex@example.com', null)
    assertRefused(await ask(service(), browser), 403, 'nao permitido')
    const disabled = await signedInAs(service(), 'fora@example.com', 'owner')
    const user = (await findUser(service().context.storage.db, 'fora@example.com')) ?? assert.fail()
    await disableUser(user, undefined, { ...service().context, actor: 'operator:test' })
    assertRefused(await ask(service(), disabled), 401, 'nao autenticado')
    await browser.get('/auth/signout', { 'sec-fetch-dest': 'document' })
    assertRefused(await ask(service(), browser), 401, 'nao autenticado')
  })

  it('takes eg_session without the bound cookie, and the bound cookie without eg_session, for nobody', async () => {
    const browser = await signedInAs(service(), 'meia@example.com', 'owner')
    const bound = browser.cookies.get('portaria') ?? assert.fail()
    for (const cookies of [
      { eg_session: sessionOf(browser) },
      { portaria: bound },
      { eg_session: sessionOf(browser), portaria: `${bound}x` },
      { eg_session: sessionOf(browser), portaria: sessionOf(await signedInAs(service(), 'outra@example.com', 'owner')) },
    ]) {
      const other = service().browser()
      for (const [name, value] of Object.entries(cookies)) other.cookies.set(name, value)
      assertRefused(await ask(service(), other), 401, 'nao autenticado')
    }
    assertRefused(await ask(service(), service().browser()), 401, 'nao autenticado')
  })

  it('takes no other kind of credential, and no cookie beside one that is refused', async () => {
    const { product, apiKey, webhookKey } = await service().product({
      slug: 'loja',
      audience: 'external',
      checkout: 'external',
      uris: [EXTERNAL],
    })
    const browser = await signedInAs(service(), 'todas@example.com', 'owner')
    const exchange = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: sessionOf(browser),
      subject_token_type: 'urn:portaria:token-type:session',
    }
    const { access_token } = (await post(service(), '/auth/token', exchange)).json<{ access_token: string }>()
    const away = await enter(service().browser(), 'todas@example.com', { redirect_to: EXTERNAL, api_key: product.publishableKey })
    const { key } = await makeToken(service())
    const credentials = {
      'an API key': apiKey,
      'a publishable key': product.publishableKey,
      'a webhook key': webhookKey,
      'a session': sessionOf(browser),
      'a bound cookie': browser.cookies.get('portaria') ?? assert.fail(),
      'an access token': access_token,
      'a handoff': parameter(away, 'eg_token'),
      'the signing secret': WEBHOOK_SECRET.replaceAll(' ', ''),
      'a token with a typo': `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
      'a token that was never made': `${key.slice(0, 4)}${key.slice(5, 10)}${key.slice(4, 5)}${key.slice(10)}`,
      'the hash of a token': (await service().context.storage.db.selectFrom('admin_tokens').select('hash').executeTakeFirstOrThrow()).hash,
      'the id of a token': (await makeToken(service())).id,
    }
    for (const [kind, credential] of Object.entries(credentials)) {
      for (const asker of [service().browser(), browser]) {
        const refused = await ask(service(), asker, { origin: service().url, authorization: `Bearer ${credential}` })
        assert.deepEqual([kind, refused.status, refused.text], [kind, 401, '{"error":"nao autenticado"}'])
      }
    }
    for (const authorization of [
      key,
      `Basic ${key}`,
      `Basic ${Buffer.from(`adm:${key}`).toString('base64')}`,
      `Bearer ${key}, ${key}`,
      'Bearer',
      '',
    ])
      assertRefused(await ask(service(), browser, { origin: service().url, authorization }), 401, 'nao autenticado')
    const inQuery = await service().browser().request('POST', `${PATH}?token=${key}&api_key=${key}&access_token=${key}`)
    assertRefused(inQuery, 401, 'nao autenticado')
  })

  it('refuses a token that has expired or was revoked, on every node at once', async () => {
    const { key } = await makeToken(service(), { expiresDays: 1 })
    const forever = await makeToken(service())
    service().clock.now += DAY_MS - 1
    assert.equal((await post(service(), PATH, {}, key)).status, 200)
    service().clock.now += 1
    assertRefused(await post(service(), PATH, {}, key), 401, 'nao autenticado')
    assert.equal((await post(service(), PATH, {}, forever.key)).status, 200)
    await revokeAdminToken(forever.id, { ...service().context, actor: 'operator:test' })
    assertRefused(await post(service(), PATH, {}, forever.key), 401, 'nao autenticado')
  })

  it('refuses a token whose role or scopes do not reach so far, also when its scope is one that this version does not know', async () => {
    const viewer = await makeToken(service(), { role: 'viewer' })
    assertRefused(await post(service(), PATH, {}, viewer.key), 403, 'nao permitido')
    const narrowed = await makeToken(service(), { role: 'owner' })
    const { db } = service().context.storage
    await db.updateTable('admin_tokens').set({ scopes: 'users:read' }).where('id', '=', narrowed.id).execute()
    assertRefused(await post(service(), PATH, {}, narrowed.key), 403, 'nao permitido')
    await db.updateTable('admin_tokens').set({ scopes: 'users:read webhooks:test' }).where('id', '=', narrowed.id).execute()
    assert.equal((await post(service(), PATH, {}, narrowed.key)).status, 200)
    await db.updateTable('admin_tokens').set({ scopes: 'webhooks:test' }).where('id', '=', viewer.id).execute()
    assertRefused(await post(service(), PATH, {}, viewer.key), 403, 'nao permitido')
  })

  it('answers a body that it can not read with 400, after the credentials, and sends nothing', async () => {
    const { key } = await makeToken(service())
    const { db } = service().context.storage
    const before = (await db.selectFrom('notifications').select('id').execute()).length
    for (const body of [
      'variant=A',
      '[]',
      'null',
      '"A"',
      '{',
      { variant: 'C' },
      { variant: 1 },
      { event: 'purchase.refunded' },
      { variant: 'A', event: 'subscription.activated' },
      { email: 'ana' },
      { email: `${'a'.repeat(250)}@example.com` },
      { email: null },
      { product: 7 },
      { url: 'http://169.254.169.254/' },
      { secret: 'x' },
    ]) {
      const { status, json } = await post(service(), PATH, body, key)
      assert.deepEqual([status, json().error], [400, 'Payload invalido'], JSON.stringify(body))
    }
    assertRefused(await post(service(), PATH, { product: 'nope' }, key), 400, 'produto nao encontrado')
    assertRefused(await post(service(), PATH, '{'), 401, 'nao autenticado')
    const form = await service()
      .browser()
      .request('POST', PATH, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'variant=A',
      })
    assertRefused(form, 400, 'Payload invalido')
    assertRefused(await post(service(), PATH, { product: 'x'.repeat(70_000) }, key), 413, 'Payload muito grande')
    assert.equal((await db.selectFrom('notifications').select('id').execute()).length, before)
    const other = await fetch(`${service().url}${PATH}`, { method: 'PUT', headers: { authorization: `Bearer ${key}` } })
    assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD, POST'])
  })

  it('answers 429 with Retry-After after 10 tests of one caller in a minute, and others meanwhile', async () => {
    const { key } = await makeToken(service())
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await post(service(), PATH, {}, key)).status))
    assert.deepEqual(statuses.sort(), [...Array(10).fill(200), 429, 429])
    const refused = await post(service(), PATH, {}, key)
    assertRefused(refused, 429, 'muitas tentativas')
    assert.equal(refused.headers.get('retry-after'), '60')
    assert.equal((await post(service(), PATH, {}, (await makeToken(service())).key)).status, 200)
    service().clock.now += 60_000
    assert.equal((await post(service(), PATH, {}, key)).status, 200)
  })

  it('changes nothing of what a user has bought', async () => {
    const { key } = await makeToken(service())
    await notify(service().url, completed({ email: 'compradora@example.com' }))
    const all = () =>
      service().context.storage.db.selectFrom('subscriptions').selectAll().where('email', '=', 'compradora@example.com').execute()
    const before = await all()
    assert.equal(before.length, 1)
    for (const variant of ['A', 'B']) {
      const { ok } = (await post(service(), PATH, { variant, email: 'compradora@example.com' }, key)).json<{ ok: boolean }>()
      assert.equal(ok, true)
    }
    assert.deepEqual(await all(), before)
  })
})

async function isSecretSet(service: TestService, key: string): Promise<unknown> {
  const answer = await service.browser().request('GET', PATH, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

eachDatabase('POST /api/admin/webhooks/test of a service', (database) => {
  it('that is set up wrong says so, with 200', async () => {
    const service = await startService(await database.fresh())
    const { key } = await makeToken(service)
    assert.deepEqual(await isSecretSet(service, key), { secret_is_set: false })
    const answer = await post(service, PATH, {}, key)
    assert.equal(answer.status, 200)
    const detail = 'PORTARIA_WEBHOOK_SECRET is not set here: set it to the secret that the sender signs with'
    assert.deepEqual(answer.json(), { ok: false, steps: [{ step: 'secret', ok: false, detail, code: 'no_secret', notification_id: null }] })
  })

  it('whose public address leads nowhere from inside calls itself where it listens', async () => {
    const environment = { ...WEBHOOKS, PORTARIA_URL: 'https://sso.example.com' }
    const service = await startService(await database.fresh(), { environment })
    const { key } = await makeToken(service)
    assert.deepEqual(await isSecretSet(service, key), { secret_is_set: true })
    const answer = await post(service, PATH, {}, key)
    const { ok, steps } = answer.json<{ ok: boolean; steps: Array<{ detail: string }> }>()
    assert.equal(ok, true, answer.text)
    assert.match(steps[1]?.detail ?? '', /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/)
  })
})
