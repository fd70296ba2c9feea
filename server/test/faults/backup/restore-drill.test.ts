import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { sql } from 'kysely'
import { openStorage, parseDatabaseUrl } from '../../../src/storage/index.ts'
import { commandLine, type Portaria } from '../../support/command-line.ts'
import { type Selling, sellInProcesses } from '../../support/faults/selling.ts'
import { freePort } from '../../support/free-port.ts'
import { assertAsNotified, lostOf } from '../../support/gateways/purchase-truth.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startPostgres, startRestored, takeBaseBackup } from '../../support/postgres.ts'
import { environmentBeside, type ServerProcess, startServer } from '../../support/server-process.ts'
import { PASSWORD, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** Those to which nothing is added by itself: no counter, nothing that is removed when it is done. */
const TABLES = ['users', 'sessions', 'products', 'plans', 'notifications', 'event_streams', 'subscription_events', 'subscriptions'] as const
type Counts = Partial<Record<(typeof TABLES)[number], number>>

/** The facts of the moment to which is restored, for the drill's comparison. */
interface Moment {
  /** Acknowledged before it. */
  sales: Selling['book']['acknowledged']
  counts: Counts
}

describe('A restore drill', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'portaria-drill-'))
  after(() => rmSync(home, { recursive: true, force: true }))

  it('of a SQLite backup that was made under load ends with the service, its counts and every purchase from before it', async () => {
    const folder = path.join(home, 'sqlite')
    mkdirSync(folder)
    const [file, copy] = ['portaria.db', 'copy.db'].map((name) => path.join(folder, name)) as [string, string]
    const node = await startService({ url: `sqlite:${file}` }, { environment: WEBHOOKS })
    const { environment, portaria } = standIn(node)
    const selling = await sellInProcesses(node, { processes: 2 })
    await signInOne(node)
    await until(() => selling.book.acknowledged.size > 50)
    const sales = new Map(selling.book.acknowledged)
    const made = await portaria(`backup ${copy} --json`)
    assert.equal(made.code, 0, made.err)
    await until(() => selling.book.acknowledged.size > sales.size + 20)
    await end(selling.server)
    await selling.pause()
    await node.stop()

    const restored = await portaria(`restore ${copy} --json`)
    assert.equal(restored.code, 0, restored.err)
    await verifyRestored({ sales, counts: countsIn(copy) }, { environment, selling })
  })

  it('of PostgreSQL to a moment, from a base backup under load and the archived log, ends with the service as it was then', async () => {
    const [archive, base] = [path.join(home, 'archive'), path.join(home, 'base')]
    mkdirSync(archive)
    if (process.getuid?.() === 0) execFileSync('chown', ['nobody', home, archive])
    const server = await startPostgres('on_disk', ['archive_mode=on', `archive_command=cp %p "${archive}/%f"`])
    after(() => server.stop())
    const node = await startService({ url: server.url }, { environment: WEBHOOKS })
    const selling = await sellInProcesses(node, { processes: 2 })
    await signInOne(node)
    await until(() => selling.book.acknowledged.size > 20)
    await takeBaseBackup(server, base)
    const atBase = selling.book.acknowledged.size
    await until(() => selling.book.acknowledged.size > atBase + 50)

    await selling.pause()
    const { db } = node.context.storage
    const counts = await countsOf(node)
    const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(db)
    const sales = new Map(selling.book.acknowledged)
    selling.resume()
    await until(() => selling.book.acknowledged.size > sales.size + 20)
    const { rows: segments } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(db)
    const last = segments[0]?.name ?? assert.fail()
    await until(async () => {
      const { rows: done } = await sql<{ name: string | null }>`select last_archived_wal as name from pg_stat_archiver`.execute(db)
      return (done[0]?.name ?? '') >= last
    })
    await end(selling.server)
    await selling.pause()
    await node.stop()
    await server.kill()

    const moment = [`recovery_target_time=${rows[0]?.at}`, 'recovery_target_action=promote']
    const restored = await startRestored(server, base, [`restore_command=cp "${archive}/%f" %p`, ...moment])
    after(() => restored.stop())
    const { environment, portaria } = standIn(node, restored.url)
    const storage = await openStorage(parseDatabaseUrl(restored.url) ?? assert.fail())
    await until(async () => !(await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(storage.db)).rows[0]?.is)
    await storage.close()
    const ended = await portaria(['session', 'revoke-all', '--reason', 'restored the backup of Monday'])
    assert.equal(ended.code, 0, ended.err)
    await verifyRestored({ sales, counts }, { environment, selling })
  })
})

/** One session, so that there is something to revoke. */
async function signInOne(node: TestService): Promise<void> {
  const { email } = await node.user('bia@exemplo.com.br')
  await node.browser().signIn('/login', { email, password: PASSWORD })
}

async function end(server: ServerProcess): Promise<void> {
  server.child.kill('SIGTERM')
  await server.exited
}

/** The operator's means: the environment, and a command line over the same database, or over the one at `url`. */
function standIn(node: TestService, url?: string): { environment: Record<string, string>; portaria: Portaria } {
  const environment: Record<string, string> = { ...environmentBeside(node, { port: 0 }), ...(url !== undefined && { DATABASE_URL: url }) }
  const { DATABASE_URL = '', PORTARIA_MASTER_KEY = '' } = environment
  return { environment, portaria: commandLine({ url: DATABASE_URL }, { PORTARIA_MASTER_KEY }) }
}

/** The service starts on what was restored, which is as it was at that moment, and every buyer has what they paid for. */
async function verifyRestored(
  { sales, counts }: Moment,
  { environment, selling: { shop, user } }: { environment: Record<string, string>; selling: Selling },
): Promise<void> {
  const port = String(await freePort())
  const server = await startServer({ ...environment, ...WEBHOOKS, PORT: port, PORTARIA_URL: `http://localhost:${port}` })
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  const storage = await openStorage(parseDatabaseUrl(environment.DATABASE_URL ?? '') ?? assert.fail())
  assert.deepEqual(await lostOf({ acknowledged: sales }, storage), [], 'a purchase from before the backup is gone')
  assert.deepEqual(await countsOf({ context: { storage } }), counts)
  await storage.close()
  await assertAsNotified(server.url, [...sales.values()], { apiKey: shop.apiKey, users: [user] })
  const { DATABASE_URL: url = '', PORTARIA_MASTER_KEY = '' } = environment
  const portaria = commandLine({ url }, { PORTARIA_MASTER_KEY })
  const rebuilt = await portaria('subscriptions rebuild --check --json')
  assert.deepEqual([rebuilt.code, rebuilt.json?.differences], [0, []], rebuilt.err)
  await end(server)
}

async function countsOf({ context: { storage } }: { context: Pick<TestService['context'], 'storage'> }): Promise<Counts> {
  const counts: Counts = {}
  for (const table of TABLES) {
    const { n } = await storage.db
      .selectFrom(table)
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    counts[table] = Number(n)
  }
  return counts
}

function countsIn(file: string): Counts {
  const copy = new DatabaseSync(file, { readOnly: true })
  const counts: Counts = {}
  for (const table of TABLES) counts[table] = Number(copy.prepare(`select count(*) as n from ${table}`).get()?.n)
  copy.close()
  return counts
}
