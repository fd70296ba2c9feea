import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { Client } from 'pg'
import { copyDatabase } from '../../../src/admin/index.ts'
import { openStorage, parseDatabaseUrl } from '../../../src/storage/index.ts'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDurableDirection } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { spawnServer, startServer } from '../../support/server-process.ts'
import { cheapPasswords, PASSWORD, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const LAUNCHER = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))
const DAY_MS = 24 * 60 * 60_000
const HTML = { accept: 'text/html', 'accept-language': 'en' }

type Where = { url: string }

const open = ({ url }: Where) => openStorage(parseDatabaseUrl(url) ?? assert.fail())
const copyLine = (from: Where, to: Where) => ['copy', '--from', from.url, '--to', to.url]
const giveUpLine = ({ url }: Where) => ['copy', '--from', url, '--give-up']

async function copied(here: Where, there: Where) {
  const portaria = commandLine(here)
  assert.equal((await portaria('user create --email ana@example.com --name Ana --password-stdin', PASSWORD)).code, 0)
  const done = await portaria(copyLine(here, there))
  assert.equal(done.code, 0, done.err)
  return portaria
}

function spawnGiveUp(where: Where) {
  const environment = { ...process.env, DATABASE_URL: where.url, PORTARIA_MASTER_KEY: MASTER_KEY }
  const child = spawn(process.execPath, [LAUNCHER, ...giveUpLine(where)], { env: environment, stdio: 'ignore' })
  return { child, ended: once(child, 'exit') }
}

eachDurableDirection('A copy that is being given up', (from, to) => {
  it('and is killed over it goes on when it is run again, and then every table is written', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const portaria = await copied(here, there)
    await (from.name === 'postgres' ? killBetweenTables(here) : killAtSomeTimes(here))
    const again = await portaria(giveUpLine(here))
    assert.ok(again.code === 0 || (from.name === 'sqlite' && /is not being copied/.test(again.err)), again.err)
    const storage = await open(here)
    const triggers =
      from.name === 'sqlite'
        ? sql`select 1 from sqlite_master where type = 'trigger'`
        : sql`select 1 from pg_trigger where not tgisinternal and tgname like 'portaria%'`
    assert.deepEqual((await triggers.execute(storage.db)).rows, [])
    await storage.close()
    assert.equal((await portaria('user create --email late@example.com --name Late')).code, 0)
    assert.equal((await portaria('audit list --action database.copy_give_up --json')).json.length, 1)
    assert.equal((await portaria(copyLine(here, await to.empty()))).code, 0, 'and it can be copied again')
  })
})

/**
 * Another transaction reads a table, so that the command waits there, with the tables before it open already. It is nobody's of ours, which
 * the server would end for standing still before a slow machine has come so far.
 */
async function killBetweenTables(here: Where): Promise<void> {
  const reader = new Client({ connectionString: here.url })
  await reader.connect()
  await reader.query('begin')
  await reader.query('select id from users')
  const watcher = await open(here)
  const { child, ended } = spawnGiveUp(here)
  const fenced = async () => {
    const { rows } = await sql<{ name: string }>`select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
      where tgname like 'portaria_read_only%' and relnamespace = current_schema()::regnamespace group by relname`.execute(watcher.db)
    return rows.map(({ name }) => name)
  }
  await until(async () => !(await fenced()).includes('audit'))
  child.kill('SIGKILL')
  await ended
  assert.ok((await fenced()).includes('users'), 'killed in the middle')
  await reader.query('commit')
  await reader.end()
  await watcher.close()
  const meanwhile = await commandLine(here)('user create --email early@example.com --name Early')
  assert.match(meanwhile.err, /is being copied, or has been/, 'half of the tables is not enough')
}

/** From the start of the process to its end, each time later. */
async function killAtSomeTimes(here: Where): Promise<void> {
  let killed = 0
  for (let ms = 300; ; ms *= 1.7) {
    const { child, ended } = spawnGiveUp(here)
    await Promise.race([ended, setTimeout(ms)])
    child.kill('SIGKILL')
    await ended
    if (child.signalCode !== 'SIGKILL') break
    killed++
  }
  assert.ok(killed > 0, 'it was killed once at least')
}

eachDurableDirection('The service as a process', (from, to) => {
  it('starts on a database that has been copied, answers checks, and stops in order', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const before = await startService(here, { passwords: cheapPasswords })
    await before.user('ana@example.com')
    const browser = before.browser()
    await browser.signIn('/login', { email: 'ana@example.com', password: PASSWORD })
    // The next key is due, and can't be made.
    const early = Date.now() - 100 * DAY_MS
    await before.context.storage.db.updateTable('signing_keys').set({ created_at: early, signs_from: early }).execute()
    await before.stop()
    const masterKey = before.config.masterKey?.toString('base64') ?? assert.fail()
    const done = await commandLine(here, { PORTARIA_MASTER_KEY: masterKey })(copyLine(here, there))
    assert.equal(done.code, 0, done.err)
    const environment = { PORTARIA_URL: before.url, PORTARIA_MASTER_KEY: masterKey, DATABASE_URL: here.url }
    const node = await startServer({ ...environment, PORT: String(await freePort()) })
    const page = await node.browser().request('GET', '/login', { headers: HTML })
    assert.deepEqual([page.status, /Back in a few minutes/.test(page.text)], [503, true])
    const same = node.browser()
    for (const [name, value] of browser.cookies) same.cookies.set(name, value)
    assert.equal((await same.get('/auth/check')).json<{ authenticated: boolean }>().authenticated, true)
    node.child.kill('SIGTERM')
    assert.deepEqual(await node.exited, { code: 0, signal: null }, node.log())
    assert.doesNotMatch(node.log(), /"level":(50|60)/)
  })

  it('does not start on one that a copy has filled in part, and says what to do', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const service = await startService(here, { passwords: cheapPasswords })
    await service.user('ana@example.com')
    const target = await open(there)
    const cut = () => assert.fail('cut')
    const steps = { onWait: () => {}, onFenced: () => {}, step: cut }
    await assert.rejects(copyDatabase({ ...service.context, target, actor: 'operator:test', ...steps }), /cut/)
    await target.close()
    await service.stop()
    const masterKey = service.config.masterKey?.toString('base64') ?? assert.fail()
    const node = spawnServer({ PORT: String(await freePort()), DATABASE_URL: there.url, PORTARIA_MASTER_KEY: masterKey })
    assert.deepEqual(await node.exited, { code: 1, signal: null })
    assert.match(node.complaints(), /expects a whole database; a copy into this one has not come to its end: run `portaria copy` again/)
  })
})
