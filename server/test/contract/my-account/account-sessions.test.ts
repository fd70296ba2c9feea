import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type CompiledQuery, sql } from 'kysely'
import { ownSessionStore } from '../../../src/sessions/index.ts'
import type { Storage } from '../../../src/storage/index.ts'
import type { Browser } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { countQueries, fewestQueries } from '../../support/routes/asked-queries.ts'
import { cheapPasswords, startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import {
  assertOwnRedirect,
  assertPage,
  EXTERNAL,
  enter,
  isLive,
  parameter,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'

const PAGE = '/account/sessions'
const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

eachDatabase('One’s own sessions', (database) => {
  const start = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let users = 0
  const someone = async (service: TestService) => service.user(`sessoes${++users}.${database.name}@exemplo.com.br`)

  /** Another browser of a user, with its words for itself, from an address of its own. */
  async function another(service: TestService, email: string, userAgent: string, ip: string): Promise<Browser> {
    const browser = service.browser({ 'user-agent': userAgent, 'x-forwarded-for': ip })
    assert.equal((await browser.signIn('/login', { email, password: 'correct horse battery' })).status, 302)
    return browser
  }
  const idsIn = (text: string) => [...text.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id ?? '')
  const idOf = (browser: Browser) => JSON.parse(Buffer.from(sessionOf(browser).split('.')[1] ?? '', 'base64url').toString()).sid as string
  const listed = (text: string) => text.match(/<li class="entry">/g)?.length ?? 0

  it('shows each browser with its device, address and times, marks this one, and none of another user', async () => {
    const service = start()
    const { email } = await someone(service)
    await another(service, (await someone(service)).email, CHROME, '203.0.113.99')
    const here = await another(service, email, CHROME, '203.0.113.1')
    const there = await another(service, email, FIREFOX, '203.0.113.2')
    const page = await here.get(`${PAGE}?lang=en`)
    assertPage(page, 200)
    assert.equal(listed(page.text), 2)
    assert.match(page.text, /Firefox, Android/)
    assert.match(page.text, /Chrome, Windows\s*<span class="tag tag-good">This browser/)
    for (const ip of ['203.0.113.1', '203.0.113.2']) assert.ok(page.text.includes(`<dd>${ip}</dd>`))
    assert.ok(!page.text.includes('203.0.113.99'))
    assert.deepEqual(idsIn(page.text), [idOf(there)])
  })

  it('pages ten at a time by where the page before ended, until there are no more', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const here = await signedIn(service, email)
    const { db } = service.context.storage
    const row = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 23 }, (_, n) => ({
      ...row,
      id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      bound_hash: null,
    }))
    await db.insertInto('sessions').values(copies).execute()
    const seen = new Set<string>()
    let address: string | undefined = PAGE
    const sizes: number[] = []
    while (address !== undefined) {
      const { text } = await here.get(address)
      sizes.push(listed(text))
      for (const one of idsIn(text)) seen.add(one)
      const cursor = /cursor(?:=|&#61;)([0-9a-f-]+)/.exec(text.replace(/<footer.*/s, ''))?.[1]
      address = cursor && `${PAGE}?cursor=${cursor}`
    }
    assert.deepEqual(sizes, [10, 10, 4])
    assert.equal(seen.size, 23)
  })

  it('stands first while it is asked from there, however old it is, and on no other page', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const here = await signedIn(service, email)
    const { db } = service.context.storage
    const row = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    const younger = Array.from({ length: 22 }, (_, n) => ({
      ...row,
      id: `ffffffff-ffff-7fff-8fff-${String(n).padStart(8, '0')}${String(users).padStart(4, '0')}`,
      bound_hash: null,
      ip: `203.0.113.${n}`,
    }))
    await db.insertInto('sessions').values(younger).execute()
    const shown: string[] = []
    let address: string | undefined = `${PAGE}?lang=en`
    for (let pages = 0; address !== undefined && pages < 5; pages++) {
      const { text } = await here.get(address)
      const [first = '', ...rest] = text.split('<li class="entry">').slice(1)
      assert.equal(/This browser/.test(first), pages === 0, 'it stands first, on the first page')
      for (const entry of rest) assert.doesNotMatch(entry, /This browser/)
      shown.push(...idsIn(text))
      const cursor = /cursor(?:=|&#61;)([0-9a-f-]+)/.exec(text.replace(/<footer.*/s, ''))?.[1]
      address = cursor && `${PAGE}?cursor=${cursor}`
    }
    assert.deepEqual(shown, younger.map((one) => one.id).reverse())
  })

  it('reads both kinds of page along an index, no more than it shows, however many there are', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const here = await signedIn(service, email)
    const { storage } = service.context
    const { db } = storage
    const row = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 500 }, () => ({ ...row, id: randomUUID(), bound_hash: null }))
    await db.insertInto('sessions').values(copies).execute()
    // Others have sessions too, or the key alone would be as short a way.
    const other = await someone(service)
    const others = Array.from({ length: 4000 }, () => ({ ...row, user_id: other.id, id: randomUUID(), bound_hash: null }))
    for (let done = 0; done < others.length; done += 500)
      await db
        .insertInto('sessions')
        .values(others.slice(done, done + 500))
        .execute()
    await sql`analyze`.execute(db)
    const inTheMiddle = copies.map((one) => one.id).sort()[250]
    for (const cursor of [undefined, inTheMiddle]) {
      const query = await queryOf(storage, () =>
        ownSessionStore(db).listOwn(id, { here: idOf(here), now: service.clock.now, limit: 11, cursor }),
      )
      await (database.name === 'postgres' ? assertFewRows(storage, query) : assertNoSort(storage, query))
    }
  })

  it('ends one, which every node refuses within 2 s with the product session that came from it', async () => {
    const place = await database.fresh()
    const one = await startService(place, { passwords: cheapPasswords })
    const two =
      database.name === 'postgres' ? await startService(place, { passwords: cheapPasswords, environment: { PORTARIA_URL: one.url } }) : one
    const { apiKey } = await one
      .product({ slug: 'fora', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
      .then((made) => made)
    const key = (await one.context.storage.db.selectFrom('products').select('publishable_key').executeTakeFirstOrThrow()).publishable_key
    const ana = await one.user('ana@exemplo.com.br')
    const there = one.browser()
    const handoff = parameter(await enter(there, ana.email, { redirect_to: EXTERNAL, api_key: key }), 'eg_token')
    const outside = (await verify(one, handoff, apiKey)).json<{ eg_session: string }>().eg_session
    const here = await signedIn(one, ana.email)
    for (const node of [one, two]) assert.ok((await isLive(node, sessionOf(there))) && (await isLive(node, outside, apiKey)))
    assert.match((await here.get(PAGE)).text, /fora/)
    assertOwnRedirect(await here.submit(`${PAGE}/end`, { session: idOf(there) }), PAGE)
    await until(async () => !(await isLive(two, sessionOf(there))) && !(await isLive(two, outside, apiKey)), 2_000)
    for (const node of [one, two]) {
      assert.equal(await isLive(node, sessionOf(there)), false)
      assert.equal(await isLive(node, outside, apiKey), false)
      assert.ok(await isLive(node, sessionOf(here)))
    }
    assert.equal(listed((await here.get(PAGE)).text), 1)
  })

  it('ends all others at once, and keeps this one, each with its apps', async () => {
    const service = start()
    const { email } = await someone(service)
    const uri = 'https://fica.example/callback'
    const { apiKey, product } = await service.product({ slug: 'fica', audience: 'external', checkout: 'external', uris: [uri] })
    const openApp = async (browser: Browser) => {
      const handoff = parameter(await enter(browser, email, { redirect_to: uri, api_key: product.publishableKey }), 'eg_token')
      return (await verify(service, handoff, apiKey)).json<{ eg_session: string }>().eg_session
    }
    const [here, there] = [service.browser(), service.browser()]
    const [app, appThere] = [await openApp(here), await openApp(there)]
    const others = [there, await signedIn(service, email)]
    assert.ok((await isLive(service, app, apiKey)) && (await isLive(service, appThere, apiKey)))
    assertOwnRedirect(await here.submit(`${PAGE}/end-others`, {}), PAGE)
    for (const other of others) assert.equal(await isLive(service, sessionOf(other)), false)
    assert.equal(await isLive(service, appThere, apiKey), false)
    assert.ok((await isLive(service, sessionOf(here))) && (await isLive(service, app, apiKey)))
  })

  it('leads to the sign-out when the session to end is this one', async () => {
    const service = start()
    const here = await signedIn(service, (await someone(service)).email)
    assertOwnRedirect(await here.submit(`${PAGE}/end`, { session: idOf(here) }), '/auth/signout')
  })

  it('asks who is not signed in to sign in, and needs the bound cookie beside eg_session', async () => {
    const service = start()
    assertOwnRedirect(await service.browser().get(PAGE), '/login')
    const here = await signedIn(service, (await someone(service)).email)
    here.cookies.delete('portaria')
    assertOwnRedirect(await here.get(PAGE), '/login')
    assertOwnRedirect(await here.submit(`${PAGE}/end-others`, {}), '/login')
  })

  it('knows when each was last seen: checks note it without the database, a node writes all of it in one statement', async () => {
    const service = start()
    const { email } = await someone(service)
    const [here, there] = [await signedIn(service, email), await signedIn(service, email)]
    assert.ok(await isLive(service, sessionOf(there)))
    const begun = service.clock.now
    service.clock.now += 600_000
    // After so long without a word of the feed, a session may be read once more.
    assert.ok(await isLive(service, sessionOf(there)))
    const count = countQueries(service, /sessions/)
    for (let n = 0; n < 20; n++) assert.ok(await isLive(service, sessionOf(there)))
    assert.equal(count(), 0)
    await service.flushLastSeen()
    assert.equal(count(), 1)
    await service.flushLastSeen()
    assert.equal(count(), 1)
    const lastSeen = async (browser: Browser) =>
      (
        await service.context.storage.db
          .selectFrom('sessions')
          .select('last_seen_at')
          .where('id', '=', idOf(browser))
          .executeTakeFirstOrThrow()
      ).last_seen_at
    assert.equal(await lastSeen(there), begun + 600_000)
    assert.equal(await lastSeen(here), begun)
  })

  it('never moves back when a session was last seen, whichever node writes last', async () => {
    const place = await database.fresh()
    const one = await startService(place, { passwords: cheapPasswords })
    const { email } = await one.user('ana@exemplo.com.br')
    const browser = await signedIn(one, email)
    const at = () => one.context.storage.db.selectFrom('sessions').select(['id', 'last_seen_at']).executeTakeFirstOrThrow()
    one.clock.now += 60_000
    assert.ok(await isLive(one, sessionOf(browser)))
    const { id } = await at()
    await one.context.storage.db
      .updateTable('sessions')
      .set({ last_seen_at: one.clock.now + 5_000 })
      .where('id', '=', id)
      .execute()
    await one.flushLastSeen()
    assert.equal((await at()).last_seen_at, one.clock.now + 5_000)
  })

  it('writes down when others were last seen while a transaction holds one of them, and that one the next time', async () => {
    const service = start()
    const { email } = await someone(service)
    const [held, free] = [await signedIn(service, email), await signedIn(service, email)]
    const { storage } = service.context
    const seenAt = async (browser: Browser) =>
      (await storage.db.selectFrom('sessions').select('last_seen_at').where('id', '=', idOf(browser)).executeTakeFirstOrThrow())
        .last_seen_at
    const begun = await seenAt(held)
    const see = async () => {
      service.clock.now += 60_000
      for (const browser of [held, free]) assert.ok(await isLive(service, sessionOf(browser)))
    }
    await see()
    const isHeld = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const holding = storage.transaction(async (tx) => {
      await tx.updateTable('sessions').set({ ip: '203.0.113.7' }).where('id', '=', idOf(held)).execute()
      isHeld.resolve()
      await mayEnd.promise
    })
    await isHeld.promise
    const writing = service.flushLastSeen()
    // SQLite has one writer, who comes after: there are no rows to pass over.
    const first = database.name === 'postgres' ? await Promise.race([writing.then(() => 'written'), wait(3_000, 'waits')]) : 'written'
    mayEnd.resolve()
    await Promise.all([holding, writing])
    assert.equal(first, 'written', 'it waits for the transaction')
    assert.equal(await seenAt(free), service.clock.now)
    if (database.name === 'postgres') assert.equal(await seenAt(held), begun)
    await see()
    await service.flushLastSeen()
    for (const browser of [held, free]) assert.equal(await seenAt(browser), service.clock.now)
  })

  it('keeps what was seen of sessions that memory let go of meanwhile', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const browser = await signedIn(service, email)
    await service.flushLastSeen()
    service.clock.now += 120_000
    assert.ok(await isLive(service, sessionOf(browser)))
    await service.context.changes.transaction(async (_tx, announce) => announce({ kind: 'user_changed', subject: id }))
    await service.flushLastSeen()
    const row = await service.context.storage.db
      .selectFrom('sessions')
      .select('last_seen_at')
      .where('id', '=', idOf(browser))
      .executeTakeFirstOrThrow()
    assert.equal(row.last_seen_at, service.clock.now)
  })

  it('reads the database three times a page, however many there are', async () => {
    const service = start()
    const { email } = await someone(service)
    const here = await signedIn(service, email)
    const reads = async () => {
      await here.get(PAGE)
      return fewestQueries(service, () => here.get(PAGE), /sessions|users/)
    }
    const alone = await reads()
    for (let n = 0; n < 5; n++) await signedIn(service, email)
    assert.equal(await reads(), alone)
    assert.equal(alone, 3)
  })
})

/** The statement by which something is read of the sessions. */
async function queryOf({ db }: Storage, read: () => Promise<unknown>): Promise<CompiledQuery> {
  const executor = db.getExecutor()
  const { executeQuery } = executor
  const asked: CompiledQuery[] = []
  executor.executeQuery = (query, ...rest) => {
    if (query.sql.includes('from "sessions"')) asked.push(query)
    return executeQuery.call(executor, query, ...rest) as never
  }
  await read()
  executor.executeQuery = executeQuery
  return asked[0] ?? assert.fail('no sessions were read')
}

/** SQLite says how it reads, not how much: by the index, and what it finds there in the order of the index. */
async function assertNoSort({ db }: Storage, query: CompiledQuery): Promise<void> {
  const { rows } = await db.executeQuery<{ parent: number; detail: string }>({ ...query, sql: `explain query plan ${query.sql}` })
  const plan = rows.map(({ detail }) => detail).join('\n')
  const reads = rows.filter(({ detail }) => /\bsessions\b/.test(detail))
  assert.ok(reads.length > 0, plan)
  for (const { parent, detail } of reads) {
    assert.match(detail, /^SEARCH sessions USING (INDEX sessions_own|INDEX sqlite_autoindex)/, plan)
    const beside = rows.filter((one) => one.parent === parent).map((one) => one.detail)
    assert.ok(!beside.some((one) => one.includes('TEMP B-TREE')), plan)
  }
}

/** PostgreSQL says how many rows it took from the table. */
async function assertFewRows({ db }: Storage, query: CompiledQuery): Promise<void> {
  const { rows } = await db.executeQuery<Record<string, Plan[]>>({ ...query, sql: `explain (analyze, format json) ${query.sql}` })
  const scans: Plan[] = []
  const walk = (plan: Plan | undefined) => {
    if (plan?.['Relation Name'] === 'sessions') scans.push(plan)
    for (const below of plan?.Plans ?? []) walk(below)
  }
  walk((rows[0]?.['QUERY PLAN'] as unknown as Array<{ Plan: Plan }> | undefined)?.[0]?.Plan)
  assert.ok(scans.length > 0)
  for (const scan of scans) {
    assert.match(scan['Node Type'], /^(Index|Bitmap)/, JSON.stringify(scan))
    assert.ok(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0) <= 12, JSON.stringify(scan))
  }
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}
