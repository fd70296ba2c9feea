import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { fewestQueries } from '../../support/routes/asked-queries.ts'
import { mint } from '../../support/routes/raw-requests.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import { giveSecondFactor, typeCode } from '../../support/users/authenticator.ts'
import { freshCpf } from '../../support/users/newcomer.ts'
import { enterWith, keyHolder } from '../../support/users/passkeys.ts'
import { assertOwnRedirect, assertRefused, EXTERNAL, enter, parameter, signedIn, verify } from '../../support/users/sign-in-steps.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects, and fails where they are missing
type Data = any

const PAGE = '/account/data'
const UUID = /^[0-9a-f-]{36}$/
const iso = (at: number) => new Date(at).toISOString()

eachDatabase('The download of one’s data', (database) => {
  const start = startForSuite(database, { environment: { ...WEBHOOKS, PORTARIA_TRUST_PROXY: '1' } })
  let users = 0
  const address = () => `dados${++users}.${database.name}@exemplo.com.br`

  /** Someone of whom everything is known that can be. */
  async function known(service: TestService) {
    const email = address()
    const { id } = await service.user(email, { beta: true, name: 'Ana "Flávia" <b>' })
    const { db } = service.context.storage
    const at = service.clock.now
    const cpf = freshCpf()
    const company = {
      tax_id_kind: 'cpf',
      tax_id_sealed: service.context.sealer.seal(cpf, `users_company.tax_id_sealed.${id}`),
      phone: '+5511912345678',
      company_name: 'Ana ME',
      rank_name: 'Ouro',
    }
    await db.updateTable('users_company').set(company).where('user_id', '=', id).execute()
    const nda = { nda_accepted_at: at, nda_ip: '203.0.113.5', nda_user_agent: 'ua', nda_version: '2026-11', nda_text_hash: 'abc' }
    await db.updateTable('beta_users').set(nda).where('user_id', '=', id).execute()
    await db
      .insertInto('identities')
      .values({ issuer: 'https://idp.example.com', subject: id, user_id: id, email, created_at: at })
      .execute()
    await notify(service.url, completed({ email, plan: 'easy-pro' }))
    return { id, email, cpf, at }
  }
  const download = async (service: TestService, email: string): Promise<Data> => {
    const answer = await (await signedIn(service, email)).submit(PAGE, {})
    assert.equal(answer.status, 200)
    return answer.json()
  }

  it('is one JSON file, to be kept and laid out to be read, that no cache and no page may hold', async () => {
    const service = start()
    const { email } = await known(service)
    const answer = await (await signedIn(service, email)).submit(PAGE, {})
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="portaria-${iso(service.clock.now).slice(0, 10)}.json"`)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.text, /^\{\n {2}"format": /)
  })

  it('holds the whole profile, the tax id in full, and how the user signs in', async () => {
    const service = start()
    const { id, email, cpf, at } = await known(service)
    const { profile, sign_in, format, service: url, exported_at } = await download(service, email)
    assert.deepEqual([format, url, exported_at], ['portaria-personal-data/1', service.url, iso(service.clock.now)])
    const { email_verified_at, created_at, language, ...rest } = profile
    assert.deepEqual([email_verified_at, created_at, language], [iso(at), iso(at), 'pt-BR'])
    assert.deepEqual(rest, {
      id,
      external_id: null,
      email,
      name: 'Ana "Flávia" <b>',
      avatar_url: null,
      company_name: 'Ana ME',
      rank_name: 'Ouro',
      is_producer: false,
      phone: '+5511912345678',
      role: null,
      disabled_at: null,
      deletion_due_at: null,
      picture: null,
      tax_id_corrected_at: null,
      tax_id: { kind: 'cpf', number: cpf.replace(/(.{3})(.{3})(.{3})/, '$1.$2.$3-') },
    })
    assert.deepEqual(sign_in, {
      has_password: true,
      two_step_since: null,
      recovery_codes_left: 0,
      passkeys: [],
      providers: [{ issuer: 'https://idp.example.com', subject: id, email, linked_at: iso(at) }],
    })
  })

  it('holds the passkeys by name, made and last used, since when the second factor is on, and how many recovery codes are left', async () => {
    const service = start()
    const { device, user } = await keyHolder(service, address())
    const made = service.clock.now
    service.clock.now += 60_000
    const before = await enterWith(service, device)
    const used = service.clock.now
    const off = (await before.browser.submit(PAGE, {})).json<Data>().sign_in
    assert.deepEqual([off.two_step_since, off.recovery_codes_left], [null, 0])
    const app = await giveSecondFactor(service, user)
    const first = await service.browser().signIn('/login', { email: user.email, password: PASSWORD })
    assert.equal(first.location?.pathname, '/second-factor')
    const other = service.browser()
    await typeCode(other, await other.signIn('/login', { email: user.email, password: PASSWORD }), app.recoveryCodes[0] ?? '')
    const on = (await other.submit(PAGE, {})).json<Data>()
    const { sign_in } = on
    assert.deepEqual(
      { ...sign_in, two_step_since: '' },
      {
        has_password: true,
        two_step_since: '',
        recovery_codes_left: app.recoveryCodes.length - 1,
        passkeys: [{ name: 'Celular', created_at: iso(made), last_used_at: iso(used) }],
        providers: [],
      },
    )
    assert.equal(sign_in.two_step_since, iso(used))
    const key = await service.context.storage.db.selectFrom('passkeys').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow()
    for (const secret of [key.public_key, app.secret, ...app.recoveryCodes]) assert.ok(!JSON.stringify(on).includes(secret))
  })

  it('holds the links that were mailed and not used, with an address that is nowhere else yet', async () => {
    const service = start()
    const { id, email } = await known(service)
    const wanted = `novo.${email}`
    await mint(service, { purpose: 'change_email', userId: id, email: wanted, payload: { from: email } })
    const { links } = await download(service, email)
    const [link] = links.filter((one: Data) => one.purpose === 'change_email')
    const at = service.clock.now
    assert.deepEqual(link, { purpose: 'change_email', email: wanted, made_at: iso(at), expires_at: iso(at + 3_600_000) })
  })

  it('is decided for every table there is: decision 73 names each, and says what of it the file holds', async () => {
    const service = start()
    const decision = readFileSync(new URL('../../../../docs/decisions/0073-leaving-and-taking-ones-data.md', import.meta.url), 'utf8')
    const named = decision
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => name))
    const tables = (await service.context.storage.db.introspection.getTables()).map(({ name }) => name)
    assert.deepEqual(named.sort(), tables.sort())
  })

  it('holds sessions with those of products, consents, purchases with their events, notices, mails and the audit trail, field by field', async () => {
    const service = start()
    const { email, at } = await known(service)
    const { product, apiKey } = await service.product({
      slug: 'fora',
      name: 'Fora',
      audience: 'external',
      checkout: 'external',
      uris: [EXTERNAL],
    })
    const browser = service.browser({ 'user-agent': 'Firefox de Ana' })
    const left = await enter(browser, email, { redirect_to: EXTERNAL, api_key: product.publishableKey })
    assert.equal((await verify(service, parameter(left, 'eg_token'), apiKey)).status, 200)
    const data: Data = (await browser.submit(PAGE, {})).json()
    const session = data.sessions.find((one: Data) => one.product === null)
    assert.match(session.id, UUID)
    assert.deepEqual(
      { ...session, id: '' },
      {
        id: '',
        product: null,
        begun_at: iso(at),
        last_seen_at: iso(at),
        expires_at: iso(at + 30 * 86_400_000),
        ended_at: null,
        ended_reason: null,
        sign_in_method: 'password',
        by: 'you',
        ip: session.ip,
        user_agent: 'Firefox de Ana',
      },
    )
    assert.ok(['127.0.0.1', '::1'].includes(session.ip))
    assert.equal(data.sessions.filter((one: Data) => one.product === 'Fora').length, 1)
    assert.deepEqual(data.consents, {
      beta_user: true,
      nda: { version: '2026-11', text_sha256: 'abc', accepted_at: iso(at), ip: '203.0.113.5', user_agent: 'ua' },
      sharings: [
        { product: 'Fora', scopes: ['read:email', 'read:profile'], granted_at: iso(at), ip: session.ip, user_agent: 'Firefox de Ana' },
      ],
    })
    const [purchase] = data.purchases
    const { id, changed_at, recorded_at, events, ...bought } = purchase
    assert.match(id, UUID)
    assert.ok(Date.parse(changed_at) && Date.parse(recorded_at))
    assert.deepEqual(bought, {
      plan_slug: 'easy-pro',
      plan_name: 'Easy Pro',
      price: 9900,
      product: null,
      product_user: null,
      bought_with_own_address: true,
      active: true,
      status: 'active',
      reason: 'paid',
      method: null,
      current_period_end: null,
      grace_until: null,
    })
    assert.equal(events.length, 1)
    assert.deepEqual(Object.keys(events[0]), ['kind', 'at', 'payment_id', 'amount', 'foreign_amount', 'method', 'period_end'])
    assert.equal(data.notifications.length, 1)
    const [notice] = data.notifications
    assert.deepEqual([notice.source, notice.event, notice.status], ['purchase', 'purchase.completed', 'processed'])
    assert.equal(notice.payload.customer.email, email)
    assert.ok(data.audit.some((entry: Data) => entry.action === 'user.export' && entry.by === 'you' && entry.ip === session.ip))
    assert.ok(data.audit.some((entry: Data) => entry.action === 'user.create' && entry.by === 'operator' && entry.ip === null))
  })

  it('lists the mails that were sent, by kind and time, and none that went to others', async () => {
    const service = start()
    const { email } = await known(service)
    await signedIn(service, email)
    await signedIn(service, email)
    const other = await known(service)
    await signedIn(service, other.email)
    const { mails } = await download(service, email)
    assert.ok(mails.length >= 1)
    for (const mail of mails) assert.deepEqual(mail, { kind: 'new_device', at: iso(service.clock.now) })
    const { rows } = { rows: await service.context.storage.db.selectFrom('sent_mails').selectAll().execute() }
    assert.doesNotMatch(JSON.stringify(rows), /@|ticket/)
  })

  it('holds no secret or hash of one, and nothing of anyone else', async () => {
    const service = start()
    const ana = await known(service)
    const bia = await known(service)
    const { db } = service.context.storage
    const operator = await service.user(address(), { admin: true })
    const entry = {
      at: 1,
      actor: `user:${operator.id}`,
      action: 'user.change',
      before: null,
      after: '{"name":"Ana"}',
      reason: 'pedido',
      ip: '198.51.100.77',
    }
    await db
      .insertInto('audit')
      .values({ ...entry, id: `00000000-0000-7000-8000-${String(users).padStart(12, '0')}`, target: ana.id })
      .execute()
    const text = JSON.stringify(await download(service, ana.email))
    for (const others of [bia.id, bia.email, bia.cpf, operator.id, operator.email, '198.51.100.77'])
      assert.ok(!text.includes(others), others)
    const user = await db.selectFrom('users').select('password_hash').where('id', '=', ana.id).executeTakeFirstOrThrow()
    const bound = await db.selectFrom('sessions').select('bound_hash').where('user_id', '=', ana.id).execute()
    const company = await db
      .selectFrom('users_company')
      .select(['tax_id_hash', 'tax_id_sealed'])
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow()
    const secrets = [user.password_hash, company.tax_id_hash, company.tax_id_sealed, PASSWORD, ...bound.map((row) => row.bound_hash)]
    for (const secret of secrets) assert.ok(secret && !text.includes(secret), String(secret))
    assert.doesNotMatch(text, /secret|signature|sealed|password_hash|bound/)
  })

  it('leaves out what was reported of an address that the user has not verified', async () => {
    const service = start()
    const { id, email } = await known(service)
    await service.context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', id).execute()
    await service.context.storage.db.updateTable('subscriptions').set({ user_id: null }).where('user_id', '=', id).execute()
    const data = await download(service, email)
    assert.deepEqual([data.notifications, data.purchases], [[], []])
  })

  it('asks for a fresh proof, for one of our own pages, and no more than ten times an hour', async () => {
    const service = start()
    const { email } = await known(service)
    const browser = await signedIn(service, email)
    assert.equal((await browser.submit(PAGE, {}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status, 403)
    for (let n = 0; n < 10; n++) assert.equal((await browser.submit(PAGE, {})).status, 200)
    const tooMany = await browser.submit(PAGE, {}, { accept: 'application/json' })
    assertRefused(tooMany, 429, 'muitas tentativas')
    assert.ok(Number(tooMany.headers.get('retry-after')) > 0)
    service.clock.now += 600_000
    assertOwnRedirect(await browser.submit(PAGE, {}), '/login')
    assert.equal((await browser.get(PAGE)).status, 200)
  })

  it('reads as often for a user with much as for one with little', async () => {
    const service = start()
    const { email } = await known(service)
    const reads = async () => {
      const browser = await signedIn(service, email)
      await browser.get(PAGE)
      const ask = async () => assert.equal((await browser.submit(PAGE, {})).status, 200)
      return fewestQueries(service, ask, /^(?!.*outbox)/s)
    }
    const few = await reads()
    for (let n = 0; n < 8; n++) await notify(service.url, completed({ email, plan: 'easy-standard' }))
    assert.equal(await reads(), few)
    assert.ok(few <= 23, String(few))
  })

  it('is what `portaria user export` prints', async () => {
    const place = await database.fresh()
    const service = await startService(place, { environment: WEBHOOKS })
    const { email } = await known(service)
    const mine = await download(service, email)
    const portaria = commandLine(place, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url })
    for (const line of [`user export --email ${email}`, `user export ${email} --json`]) {
      const said = await portaria(line)
      assert.equal(said.code, 0, said.err)
      const { exported_at: _, audit, ...rest } = said.json
      const { exported_at: __, audit: before, ...own } = mine
      assert.deepEqual(rest, own)
      assert.deepEqual(audit.slice(-before.length), before)
      assert.ok(audit.some((entry: Data) => entry.action === 'user.export' && entry.by === 'operator'))
    }
    assert.equal((await portaria('user export --email nobody@exemplo.com.br')).code, 1)
  })
})
