import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deleteUser, disableUser, findUser } from '../../../src/admin/index.ts'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { DAY_MS, isoTime, MINUTE_MS } from '../../../src/kit/index.ts'
import { createFailedSignIns, failedSignInStore, MOST_FAILED } from '../../../src/users/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import { giveRole, scriptOf } from '../../support/users/admins.ts'
import { giveSecondFactor, typeCode, wrongCode } from '../../support/users/authenticator.ts'
import { startProvider } from '../../support/users/openid-provider.ts'
import { enterWith, keyHolder } from '../../support/users/passkeys.ts'

interface Failed {
  id: string
  user_id: string | null
  email: string | null
  kind: string
  provider: string | null
  count: number
  failed_at: string
  ip: string
  user_agent: string
}

const WRONG = 'a wrong password'

async function listed(service: TestService, query = '', role: 'owner' | 'viewer' = 'owner'): Promise<Failed[]> {
  const answer = await (await scriptOf(service, role)).get(`/failed-sign-ins?limit=100${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ data: Failed[] }>().data
}

const shown = ({ user_id, kind, provider, count, ip }: Failed) => ({ user_id, kind, provider, count, ip })

eachDatabase('A sign-in that fails', (database) => {
  const suite = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let users = 0
  const someone = () => `falha${++users}@exemplo.com.br`

  /** Each caller has an address of its own, so that it sees its own alone. */
  function from(ip: string) {
    return suite().browser({ 'x-forwarded-for': ip, 'user-agent': 'Firefox de alguém' })
  }

  async function write(): Promise<void> {
    await suite().writeFailedSignIns()
  }

  it('is listed within a minute, with its account, its reason and its origin, and equal ones as one', async () => {
    const email = someone()
    const { id } = await suite().user(email)
    const ip = '203.0.113.1'
    for (let n = 0; n < 3; n++) await from(ip).signIn('/login', { email: ` ${email.toUpperCase()}`, password: WRONG })
    await from(ip).signIn('/login', { email, password: PASSWORD })
    assert.deepEqual(await listed(suite(), `&ip=${ip}`), [])
    const at = suite().clock.now
    await write()
    const [one, ...others] = await listed(suite(), `&ip=${ip}`)
    assert.deepEqual(others, [])
    const { id: _id, ...rest } = one ?? assert.fail()
    assert.deepEqual(rest, {
      ...{ user_id: id, email, kind: 'wrong_credentials', provider: null, count: 3 },
      ...{ failed_at: isoTime(at), ip, user_agent: 'Firefox de alguém' },
    })
    await write()
    assert.equal((await listed(suite(), `&ip=${ip}`)).length, 1)
  })

  it('of an address that nobody has, and what was typed, are not kept', async () => {
    const ip = '203.0.113.2'
    await from(ip).signIn('/login', { email: 'minha-senha-secreta', password: 'outra-senha-secreta' })
    await from(ip).signIn('/login', { email: 'ninguem-aqui@exemplo.com.br', password: 'outra-senha-secreta' })
    await write()
    const found = await listed(suite(), `&ip=${ip}`)
    assert.deepEqual(found.map(shown), [{ user_id: null, kind: 'wrong_credentials', provider: null, count: 2, ip }])
    const rows = await suite().context.storage.db.selectFrom('failed_sign_ins').selectAll().execute()
    assert.doesNotMatch(JSON.stringify(rows), /secreta|ninguem-aqui/)
  })

  it('by too many attempts, a wrong code, a passkey of a locked account: each names the account', async () => {
    const ip = '203.0.113.3'
    const [guessed, coded] = [someone(), someone()]
    const { id: guessedId } = await suite().user(guessed)
    const user = await suite().user(coded)
    for (let n = 0; n < 12; n++) await from(ip).signIn('/login', { email: guessed, password: WRONG })
    const app = await giveSecondFactor(suite(), user)
    const browser = from(ip)
    await typeCode(browser, await browser.signIn('/login', { email: coded, password: PASSWORD }), wrongCode(app))
    const owner = await keyHolder(suite(), someone())
    const locked = (await findUser(suite().context.storage.db, owner.user.email)) ?? assert.fail()
    await disableUser(locked, undefined, { ...suite().context, actor: 'operator:test' })
    assert.equal((await enterWith(suite(), owner.device)).status, 401)
    await write()
    assert.deepEqual((await listed(suite(), `&ip=${ip}`)).map(shown).toReversed(), [
      { user_id: guessedId, kind: 'wrong_credentials', provider: null, count: 10, ip },
      { user_id: guessedId, kind: 'too_many_attempts', provider: null, count: 2, ip },
      { user_id: user.id, kind: 'wrong_code', provider: null, count: 1, ip },
    ])
    const [ofKey] = await listed(suite(), `&user_id=${owner.user.id}`)
    assert.deepEqual([ofKey?.kind, ofKey?.count], ['wrong_passkey', 1])
  })

  it('at a provider names it; a user who says no there has not failed', async () => {
    const ip = '203.0.113.4'
    const provider = await startProvider(`${suite().url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const made = { id: 'um', name: 'Provedor um', issuer, clientId, clientSecret, authoritativeFor: ['exemplo.com.br'] }
    const added = await addProvider({ ...made, accessTokenAudience: undefined }, { ...suite().context, actor: 'operator:test' })
    assert.ok(!('refusal' in added))
    const email = someone()
    const { id } = await suite().user(email)
    const walk = async () => {
      const browser = from(ip)
      const flow = hiddenFlow((await browser.get('/login')).text)
      const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
      const callback = await provider.walk(start.location?.href ?? '')
      await browser.get(callback.pathname + callback.search)
    }
    provider.next = 'cancel'
    await walk()
    provider.next = { subject: 'sem-endereco' }
    await walk()
    provider.next = { subject: 'alguem', email, email_verified: true, name: 'Alguém' }
    await walk()
    await disableUser((await findUser(suite().context.storage.db, email)) ?? assert.fail(), undefined, {
      ...suite().context,
      actor: 'operator:test',
    })
    await walk()
    const away = { ...made, id: 'dois', name: 'Provedor dois', issuer: 'http://localhost:9' }
    await addProvider({ ...away, accessTokenAudience: undefined }, { ...suite().context, actor: 'operator:test' })
    const browser = from(ip)
    await browser.get(`/auth/provider/dois?flow=${encodeURIComponent(hiddenFlow((await browser.get('/login')).text))}`)
    await write()
    assert.deepEqual((await listed(suite(), `&ip=${ip}`)).map(shown).toReversed(), [
      { user_id: null, kind: 'provider_no_address', provider: 'Provedor um', count: 1, ip },
      { user_id: id, kind: 'provider_disabled', provider: 'Provedor um', count: 1, ip },
      { user_id: null, kind: 'provider_unreachable', provider: 'Provedor dois', count: 1, ip },
    ])
    const sessions = await (await scriptOf(suite(), 'owner')).get(`/sessions?user_id=${id}`)
    assert.deepEqual(
      sessions.json<{ data: Array<{ sign_in_method: string }> }>().data.map((one) => one.sign_in_method),
      ['provider'],
    )
  })

  it('is found by account, reason, origin and time, oldest or newest first, a page at a time; a viewer sees no address', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_TRUST_PROXY: '1' } })
    const { db } = service.context.storage
    const [ana, rui] = [await service.user('ana@exemplo.com.br'), await service.user('rui@exemplo.com.br')]
    const start = service.clock.now
    const made: Array<[user: string | undefined, kind: string, ip: string]> = [
      [ana.id, 'wrong_credentials', '192.0.2.1'],
      [undefined, 'wrong_credentials', '192.0.2.2'],
      [rui.id, 'wrong_code', '192.0.2.1'],
      [ana.id, 'wrong_code', '2001:db8::1'],
    ]
    for (const [n, [userId, kind, ip]] of made.entries()) {
      const failedAt = start + n * MINUTE_MS
      const id = `${idAt(failedAt)}${n}`
      await failedSignInStore(db).add([{ id, userId, kind, provider: undefined, count: n + 1, failedAt, ip, userAgent: 'agente' }])
    }
    const counts = async (query: string) => (await listed(service, query)).map(({ count }) => count)
    assert.deepEqual(await counts(''), [4, 3, 2, 1])
    assert.deepEqual(await counts('&sort=failed_at'), [1, 2, 3, 4])
    assert.deepEqual(await counts(`&user_id=${ana.id}`), [4, 1])
    assert.deepEqual(await counts('&of_users=true'), [4, 3, 1])
    assert.deepEqual(await counts('&of_users=true&kind=wrong_credentials'), [1])
    assert.deepEqual(await counts('&kind=wrong_code'), [4, 3])
    assert.deepEqual(await counts('&ip=2001:db8::1'), [4])
    assert.deepEqual(await counts(`&since=${isoTime(start + MINUTE_MS)}&until=${isoTime(start + 3 * MINUTE_MS)}`), [3, 2])
    const owner = await scriptOf(service, 'owner')
    const pages: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await owner.get(`/failed-sign-ins?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      const { data, next_cursor } = page.json<{ data: Failed[]; next_cursor: string | null }>()
      pages.push(...data.map(({ count }) => count))
      cursor = next_cursor
    }
    assert.deepEqual(pages, [4, 3, 2, 1])
    const text = JSON.stringify(await listed(service, '', 'viewer'))
    assert.doesNotMatch(text, /ana@|192\.0\.2|2001:db8|agente/)
    assert.equal((await owner.get('/failed-sign-ins?kind=Wrong')).status, 400)
  })

  it('stands in the user’s own data, and goes with the account and after 30 days', async () => {
    const service = await startService(await database.fresh())
    const { db } = service.context.storage
    await service.user('ana@exemplo.com.br')
    for (let n = 0; n < 2; n++) await service.browser().signIn('/login', { email: 'ana@exemplo.com.br', password: WRONG })
    await service.writeFailedSignIns()
    const own = service.browser()
    await own.signIn('/login', { email: 'ana@exemplo.com.br', password: PASSWORD })
    const data = (await own.submit('/account/data', {})).json<{ failed_sign_ins: object[]; sessions: Array<{ sign_in_method: string }> }>()
    const [failed = assert.fail()] = data.failed_sign_ins
    assert.partialDeepStrictEqual(failed, { kind: 'wrong_credentials', provider: null, count: 2 })
    assert.deepEqual(Object.keys(failed), ['kind', 'provider', 'count', 'failed_at'])
    assert.deepEqual(data.sessions[0]?.sign_in_method, 'password')
    await giveRole(service, 'ana@exemplo.com.br', 'owner')
    const user = (await findUser(db, 'ana@exemplo.com.br')) ?? assert.fail()
    const refused = await deleteUser(user, { ...service.context, actor: 'operator:test' })
    assert.deepEqual(refused, { refusal: 'last_owner' })
    assert.equal((await listed(service)).length, 1)
    const { failed_at: last } = (await db.selectFrom('failed_sign_ins').select('failed_at').executeTakeFirst()) ?? assert.fail()
    await failedSignInStore(db).forgetOld(last)
    assert.equal((await listed(service)).length, 1)
    await service.user('outra@exemplo.com.br')
    await giveRole(service, 'outra@exemplo.com.br', 'owner')
    assert.equal(await deleteUser(user, { ...service.context, actor: 'operator:test' }), undefined)
    assert.deepEqual(await listed(service), [])
    assert.ok(last > service.clock.now - DAY_MS)
  })

  it('of a storm is cut off: no account, no network and no strangers take the place of the others', async () => {
    const service = await startService(await database.fresh())
    const { db } = service.context.storage
    const failures = createFailedSignIns({ storage: service.context.storage, now: () => service.clock.now })
    const note = (ip: string, userId?: string, kind = 'wrong_credentials') =>
      failures.note({ kind, userId, ip, userAgent: 'a'.repeat(9_000) })
    const known = await Promise.all(Array.from({ length: 30 }, (_, n) => service.user(`conta${n}@exemplo.com.br`)))
    const [ana = assert.fail(), ...others] = known
    // A /64 of IPv6 is one network; 300 strangers come from as many.
    for (let n = 0; n < 300; n++) note(`2001:db8::${n.toString(16)}`, ana.id)
    for (let n = 0; n < 300; n++) note(`10.${n >> 8}.${n & 255}.7`)
    for (let n = 0; n < 9; n++) note(`198.51.100.${n}`, ana.id)
    for (const { id } of others) note('203.0.113.9', id)
    note('203.0.113.10', others[0]?.id, 'wrong_code')
    await failures.write()
    const rows = await db.selectFrom('failed_sign_ins').selectAll().execute()
    const countOf = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).length
    assert.equal(
      countOf(({ user_id }) => user_id === null),
      MOST_FAILED.strangers,
    )
    assert.equal(
      countOf(({ user_id }) => user_id === ana.id),
      MOST_FAILED.account,
    )
    assert.equal(
      countOf(({ ip }) => ip === '203.0.113.9'),
      MOST_FAILED.network,
    )
    assert.equal(
      countOf(({ kind }) => kind === 'wrong_code'),
      1,
    )
    assert.equal(rows.find(({ ip }) => ip === '2001:db8::0')?.count, 300)
    assert.ok(rows.every(({ user_agent }) => user_agent.length === 400))
  })

  it('that can’t be written is written later, and once; a removed account’s never', async () => {
    const service = await startService(await database.fresh())
    const { storage } = service.context
    const ana = await service.user('ana@exemplo.com.br')
    let answersAreLost = false
    // As where the connection breaks after the commit.
    const transaction: typeof storage.transaction = async (work) => {
      const done = await storage.transaction(work)
      if (answersAreLost) throw new Error('the connection was lost')
      return done
    }
    const failures = createFailedSignIns({ storage: { transaction }, now: () => service.clock.now })
    const note = (userId: string | undefined, at: number) => {
      service.clock.now = at
      failures.note({ kind: 'wrong_credentials', userId, ip: '192.0.2.1', userAgent: 'agente' })
    }
    const start = service.clock.now
    note('01900000-0000-7000-8000-000000000001', start)
    note(ana.id, start)
    await storage.db.schema.alterTable('failed_sign_ins').renameTo('elsewhere').execute()
    await assert.rejects(failures.write())
    note(ana.id, start + MINUTE_MS)
    await storage.db.schema.alterTable('elsewhere').renameTo('failed_sign_ins').execute()
    answersAreLost = true
    await assert.rejects(failures.write(), /connection was lost/)
    note(ana.id, start + MINUTE_MS)
    answersAreLost = false
    await Promise.all([failures.write(), failures.write()])
    note(undefined, start + 2 * MINUTE_MS)
    await failures.write()
    await failures.write()
    const rows = storage.db.selectFrom('failed_sign_ins').select(['user_id', 'count', 'failed_at']).orderBy('failed_at')
    assert.deepEqual(await rows.execute(), [
      { user_id: ana.id, count: 3, failed_at: start },
      { user_id: null, count: 1, failed_at: start + 2 * MINUTE_MS },
    ])
  })

  it('and one that succeeds are counted by kind and by method, and the list comes to the count', async () => {
    const service = await startService(await database.fresh())
    await service.user('ana@exemplo.com.br')
    const owner = await keyHolder(service, 'chave@exemplo.com.br')
    await enterWith(service, owner.device)
    for (const password of [WRONG, WRONG, PASSWORD]) await service.browser().signIn('/login', { email: 'ana@exemplo.com.br', password })
    await service.browser().signIn('/login', { email: 'ninguem@exemplo.com.br', password: WRONG })
    await service.writeFailedSignIns()
    const script = await scriptOf(service, 'owner')
    const { days } = (await script.get('/overview?days=7')).json<{ days: Array<Record<string, unknown>> }>()
    assert.partialDeepStrictEqual(days.at(-1), {
      ...{ sign_ins: 3, sign_ins_by_method: { passkey: 1, password: 2 } },
      ...{ failed_sign_ins: 3, failed_sign_ins_by_kind: { wrong_credentials: 3 } },
    })
    assert.equal(
      (await listed(service)).reduce((sum, { count }) => sum + count, 0),
      3,
    )
    const sessions = (await script.get('/sessions?sign_in_method=passkey')).json<{ data: Array<{ email: string }> }>().data
    assert.deepEqual(
      sessions.map(({ email }) => email),
      ['chave@exemplo.com.br'],
    )
  })
})

/** All but the last digit of an id of this time. */
function idAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-00000000000`
}
