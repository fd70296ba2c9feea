import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { manageFills, migrate, openStorage, parseDatabaseUrl, schemaState, type Timeline, timeline } from '../../../src/storage/index.ts'
import type { Migration } from '../../../src/storage/migrations/migration.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDurableDatabase, onPostgres } from '../../support/databases.ts'
import { isLive, openShop, sessionOf } from '../../support/faults/actions.ts'
import { freePort } from '../../support/free-port.ts'
import { newBook, sell } from '../../support/gateways/purchase-senders.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { adding, changing, laterVersion } from '../../support/later-versions.ts'
import { environmentBeside, spawnServer, startServer } from '../../support/server-process.ts'
import { PASSWORD, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const LATER = new URL('../../support/later-versions.ts', import.meta.url)
const STORAGE = new URL('../../../src/storage/index.ts', import.meta.url)
const HOUR_MS = 60 * 60_000
/** Below the 10 s that a statement may take. */
const HELD_MS = 9_000

async function open(context: TestContext, url: string, of: Timeline = timeline) {
  const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail(), of)
  context.after(() => storage.close())
  return storage
}

/** Where a node really listens. */
const at = ({ config }: TestService) => `http://localhost:${config.port}`

const ready = async (url: string) => {
  const answer = await fetch(`${url}/readyz`)
  const { status, warnings } = (await answer.json()) as { status: string; warnings: string[] }
  return { code: answer.status, status, warnings: warnings.join() }
}

eachDurableDatabase('A version beside a newer one', (database) => {
  async function begin(context: TestContext, name: string, migration: Migration) {
    const { url } = await database.fresh()
    const first = await startService({ url })
    const user = await first.user('ana@exemplo.com.br')
    const newer = await open(context, url, laterVersion(name, migration))
    assert.deepEqual(await migrate(newer), { applied: [name] })
    return { url, first, user, environment: environmentBeside(first, { port: await freePort() }), portaria: commandLine({ url }) }
  }

  it('N4: starts, migrates nothing and answers its command line where the newer one has only added', async (context) => {
    const { url, first, user, environment, portaria } = await begin(context, '9990-initials', adding)
    const pattern = /9990-initials of 9\.9\.9/
    await until(async () => {
      const { code, warnings } = await ready(first.url)
      return code === 200 && pattern.test(warnings)
    })
    const server = await startServer(environment)
    await until(async () => (await ready(`http://localhost:${environment.PORT}`)).code === 200)
    const browser = first.browser()
    await browser.signIn('/login', { email: user.email, password: PASSWORD })
    assert.equal(await isLive(server, sessionOf(browser)), true)
    assert.equal((await portaria('user create --email bia@exemplo.com.br --name Bia')).code, 0)
    const migrated = await portaria('migrate --json')
    assert.deepEqual(migrated.json, { applied: [], filled: [], newer: [{ name: '9990-initials', version: '9.9.9' }] })
    assert.match((await portaria('migrate')).out, pattern)
    const checks: { name: string; status: string; message: string }[] = (await portaria('doctor --json')).json.checks
    const found = checks.find(({ name }) => name === 'migrations')
    assert.equal(found?.status, 'ok')
    assert.match(found?.message ?? '', pattern)
    const storage = await open(context, url)
    assert.deepEqual(await schemaState(storage), { pending: [], newer: [{ name: '9990-initials', version: '9.9.9' }], needs: undefined })
  })

  it('N4: names the version it needs where the newer one did more than add, and changes nothing', async (context) => {
    const { first, environment, portaria } = await begin(context, '9991-given-names', changing)
    const pattern = /Portaria 9\.9\.9 has changed this database \(9991-given-names\).*start 9\.9\.9 or newer/
    const running = await ready(first.url)
    assert.deepEqual([running.code, running.status], [503, 'version_too_old'])
    assert.match(running.warnings, pattern)
    const refused = spawnServer(environment)
    assert.equal((await refused.exited).code, 1)
    assert.match(refused.complaints(), pattern)
    for (const line of ['user list', 'migrate', 'user create --email bia@exemplo.com.br --name Bia']) {
      const { code, err } = await portaria(line)
      assert.equal(code, 1)
      assert.match(err, pattern, line)
    }
    const { out, code } = await portaria('doctor')
    assert.equal(code, 1)
    assert.match(out, pattern)
    const users = await sql`select 1 from users`.execute(first.context.storage.db)
    assert.equal(users.rows.length, 1)
  })

  it('F7: a process that is killed in the middle of a migration is gone on from there, and each page is filled once', async (context) => {
    const { url } = await database.empty()
    const storage = await open(context, url)
    await migrate(storage)
    const users = 1_500
    await sql`insert into users (id, email, created_at, updated_at) ${manyUsers(users)}`.execute(storage.db)
    const program = `
      const { migrate, openStorage, parseDatabaseUrl } = await import('${STORAGE}')
      const { adding, laterVersion } = await import('${LATER}')
      const storage = await openStorage(parseDatabaseUrl(process.env.URL), laterVersion('9990-initials', adding))
      console.log('begins')
      await migrate(storage)
      await storage.close()
      console.log('done')`
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, URL: url }
    let kills = 0
    // By a factor: what a slow machine or disk needs is reached after a few lives more, not after hundreds.
    for (let life = 5; ; life *= 1.4) {
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      child.stdout.on('data', (text) => (said += text))
      await until(() => said.includes('begins') || child.exitCode !== null)
      const timer = setTimeout(() => child.kill('SIGKILL'), life)
      const [code] = await once(child, 'close')
      clearTimeout(timer)
      if (code === 0) break
      kills++
    }
    assert.ok(kills > 0)
    const later = await open(context, url, laterVersion('9990-initials', adding))
    assert.deepEqual(await schemaState(later), { pending: [], newer: [], needs: undefined })
    const { rows } = await sql<{ n: number }>`select count(*) as n from users where initial is null`.execute(later.db)
    assert.equal(Number(rows[0]?.n), 0)
    for (const one of ['users_initial', 'sessions_wished']) await sql`drop index ${sql.ref(one)}`.execute(later.db)
  })

  it('F7: what an older version wrote beside a newer one is filled in by itself later, and by hand at once', async (context) => {
    const { url, first } = await begin(context, '9990-initials', adding)
    const later = await open(context, url, laterVersion('9990-initials', adding))
    const lacking = async () => (await sql`select 1 from users where initial is null`.execute(later.db)).rows.length
    await first.user('caio@exemplo.com.br')
    assert.equal(await lacking(), 1)
    await manageFills(later, Date.now())
    assert.equal(await lacking(), 1, 'not yet')
    await Promise.all([manageFills(later, Date.now() + HOUR_MS), manageFills(later, Date.now() + HOUR_MS)])
    assert.equal(await lacking(), 0)
    await first.user('davi@exemplo.com.br')
    await manageFills(later, Date.now() + HOUR_MS)
    assert.equal(await lacking(), 1, 'an hour later it was done already')
    await manageFills(later, Date.now() + 24 * HOUR_MS)
    assert.equal(await lacking(), 0)
  })
})

/** Users enough for many pages. */
function manyUsers(count: number) {
  return sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
    select 'user-' || cast(100000 + i as text), 'pessoa' || cast(i as text) || '@exemplo.com.br', 1, 1 from n`
}

onPostgres('Two versions over one PostgreSQL, with users signing in and buying', (database) => {
  it('F7: no sign-in and no purchase is refused or waits long while the newer one migrates, and both serve afterwards', async (context) => {
    const { url } = await database.fresh()
    // A connection for each request: nobody waits in line behind a slow commit.
    const environment = { ...WEBHOOKS, PORTARIA_URL: 'http://sso.exemplo.test', PORTARIA_DATABASE_CONNECTIONS: '16' }
    const older = await startService({ url }, { environment })
    const storage = await open(context, url)
    await sql`insert into users (id, email, created_at, updated_at) ${manyUsers(4_000)}`.execute(storage.db)
    const { product } = await openShop(older)
    const users = await Promise.all(Array.from({ length: 6 }, (_, i) => older.user(`ana${i}@exemplo.com.br`)))
    const book = newBook()
    const signIns: SignIn[] = []
    let isOver = false
    const known = users.map(({ email }) => email)
    const traffic = [
      ...Array.from({ length: 4 }, () => sell(at(older), { book, productId: product.id, known, isOver: () => isOver })),
      ...known.map((email) => signInAgain(older, email, { signIns, isOver: () => isOver })),
    ]
    await until(() => book.acknowledged.size > 20 && signIns.length > 5)
    const before = { sales: book.acknowledged.size, signIns: signIns.length }
    // A transaction that holds a lock which a step needs, for longer than any step waits.
    const holding = storage.db.transaction().execute(async (tx) => {
      await sql`lock table sessions in row exclusive mode`.execute(tx)
      await sql`select pg_sleep(${sql.lit(HELD_MS / 1000)})`.execute(tx)
      return performance.now()
    })
    const newer = await startService({ url }, { timeline: laterVersion('9990-initials', adding), environment })
    const during = { sales: book.acknowledged.size - before.sales, signIns: signIns.length - before.signIns }
    const released = await holding
    isOver = true
    for (const result of await Promise.allSettled(traffic))
      assert.equal(result.status, 'fulfilled', 'reason' in result ? String(result.reason) : '')
    assert.ok(during.sales > 20 && during.signIns > 5, `nothing went on meanwhile: ${JSON.stringify(during)}`)
    assert.deepEqual([...book.answers.keys()], [200], 'a purchase was refused')
    assert.deepEqual([...new Set(signIns.map(({ status }) => status))], [302], 'a sign-in was refused')
    const logs = [older, newer].map((node) => node.log()).join('')
    assert.doesNotMatch(logs, /40P01|deadlock|55P03/)
    const waited = signIns.filter(({ from, to }) => from < released - HELD_MS * 0.7 && to > released)
    assert.deepEqual(waited, [], 'a sign-in waited for what the newer one waited for')
    const browser = newer.browser()
    await browser.signIn('/login', { email: known[0] ?? '', password: PASSWORD })
    assert.equal(await isLive(older, sessionOf(browser)), true)
    await until(async () => (await ready(at(older))).code === 200 && (await ready(at(newer))).code === 200)
  })
})

type SignIn = { status: number; from: number; to: number }

async function signInAgain(
  node: TestService,
  email: string,
  { signIns, isOver }: { signIns: SignIn[]; isOver: () => boolean },
): Promise<void> {
  while (!isOver()) {
    const from = performance.now()
    const { status } = await node.browser().signIn('/login', { email, password: PASSWORD })
    signIns.push({ status, from, to: performance.now() })
    await pause(10) // the version that starts needs the cores, too
  }
}
