import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { commandLine, MASTER_KEY, type Portaria } from '../../../test/support/command-line.ts'
import { eachDirection } from '../../../test/support/databases.ts'
import { cheapPasswords, PASSWORD, startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { isReadOnly, openStorage, parseDatabaseUrl, type Storage } from '../../storage/index.ts'

const LAUNCHER = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))
const HTML = { accept: 'text/html', 'accept-language': 'en' }
/** Texts that two databases may keep apart, or sort apart. */
const ODD = [
  '',
  ' ',
  'O\'Neill \\ "x"',
  'ação 🪴 \u{10ffff}',
  'a\u0301',
  'Z',
  'a',
  'ä',
  '{"a":1.50}',
  '\\ud800',
  '\ud800',
  '\ufffd',
  'tab\tline\nend',
  '1e3',
  '007',
  'null',
]

type Where = { url: string }

const open = async ({ url }: Where): Promise<Storage> => openStorage(parseDatabaseUrl(url) ?? assert.fail())
const copyLine = (from: Where, to: Where) => ['copy', '--from', from.url, '--to', to.url]

/** An installation with users, a product, purchases and settings, and rows of odd texts. */
async function furnish(where: Where): Promise<{ portaria: Portaria; email: string }> {
  const portaria = commandLine(where)
  const email = 'ana@example.com'
  assert.equal((await portaria(`user create --email ${email} --name Ana --admin --password-stdin`, PASSWORD)).code, 0)
  assert.equal((await portaria('product create --slug wiki --name Wiki --audience internal --checkout integrated')).code, 0)
  const storage = await open(where)
  const { db } = storage
  await db
    .insertInto('brand_images')
    .values(ODD.map((content, i) => ({ hash: `${content} ${i}`, type: 'x', width: i, height: -i, content, created_at: 2 ** 53 - 1 - i })))
    .execute()
  await db
    .insertInto('brand_images')
    .values({ hash: 'long', type: 'x', width: 0, height: 0, content: '🪴'.repeat(300_000), created_at: 0 })
    .execute()
  await storage.close()
  return { portaria, email }
}

async function contentsOf(where: Where): Promise<Map<string, unknown[]>> {
  const storage = await open(where)
  const tables = await storage.db.introspection.getTables()
  const contents = new Map<string, unknown[]>()
  for (const { name } of tables) {
    // A copy writes rows of its own here.
    if (['applied_migrations', 'audit', 'changes', 'sqlite_sequence'].includes(name)) continue
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(storage.db)
    const kept = rows.filter((row) => name !== 'settings' || !String(row.name).startsWith('copied_'))
    const texts = kept.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
    contents.set(name, texts.sort())
  }
  await storage.close()
  return contents
}

eachDirection('A copy', (from, to) => {
  it('brings every table along, and back again: equal, whatever the texts', async () => {
    const [here, there, home] = [await from.fresh(), await to.empty(), await from.empty()]
    const { portaria } = await furnish(here)
    const before = await contentsOf(here)
    const done = await portaria([...copyLine(here, there), '--json'])
    assert.equal(done.code, 0, done.err)
    assert.deepEqual(done.json.left_out, [])
    const images = done.json.tables.find(({ table }: { table: string }) => table === 'brand_images')
    assert.equal(images.rows, ODD.length + 1)
    assert.deepEqual(await contentsOf(there), before)
    const back = await commandLine(there)(copyLine(there, home))
    assert.equal(back.code, 0, back.err)
    assert.match(back.out, /Copied and compared: \d+ rows/)
    assert.deepEqual(await contentsOf(home), before)
    // The numbers of the feed go on: a change is announced in the new place.
    const portariaAtHome = commandLine(home)
    assert.equal((await portariaAtHome('user set ana@example.com --rank-name Gold')).code, 0)
    const audit = (await portariaAtHome('audit list --action database.copy --json')).json as Array<{ after: { state: string } }>
    assert.deepEqual(
      audit.map(({ after }) => after.state),
      ['done', 'begun', 'done', 'begun'],
    )
  })

  it('refuses what is not an empty database of the other kind, and then changes nothing', async () => {
    const [here, there] = [await from.fresh(), await to.fresh()]
    const { portaria } = await furnish(here)
    await commandLine(there)('user create --email other@example.com --name Other')
    const full = await portaria(copyLine(here, there))
    assert.equal(full.code, 1)
    assert.match(full.err, /is not empty/)
    assert.equal((await portaria('user create --email late@example.com --name Late')).code, 0, 'the source is written as before')
    const same = await portaria(copyLine(here, await from.empty()))
    assert.equal(same.code, 2)
    assert.match(same.err, /both are/)
    const none = await portaria(copyLine(await from.empty(), await to.empty()))
    assert.equal(none.code, 1)
    assert.match(none.err, /no database of Portaria/)
    const other = commandLine(here, { PORTARIA_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') })
    assert.match((await other(copyLine(here, await to.empty()))).err, /made with another master key/)
    assert.equal((await portaria(['copy', '--from', here.url, '--give-up'])).code, 1)
    assert.equal((await portaria(['copy', '--from', here.url])).code, 2)
  })

  it('leaves the source to be read only, until it is given up', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const { portaria } = await furnish(here)
    assert.equal((await portaria(copyLine(here, there))).code, 0)
    const refused = await portaria('user create --email late@example.com --name Late')
    assert.equal(refused.code, 1)
    assert.match(refused.err, /is being copied, or has been/)
    assert.equal((await portaria('user list --json')).json.length, 1, 'it can be read')
    assert.match((await portaria(copyLine(here, there))).err, /has been copied to .+ already/)
    assert.match((await portaria(copyLine(here, await to.empty()))).err, /is being copied to/)
    const [copied] = (await portaria('doctor --json')).json.checks.filter(({ name }: { name: string }) => name === 'copy')
    assert.match(copied.message, /has been copied to .+ can be read only/)
    const storage = await open(here)
    for (const table of await storage.db.introspection.getTables())
      if (!table.name.startsWith('sqlite_')) {
        const { rows } = await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(storage.db)
        if (rows.length > 0) await assert.rejects(sql`delete from ${sql.table(table.name)}`.execute(storage.db), /read only/, table.name)
      }
    await storage.close()
    const given = await portaria(['copy', '--from', here.url, '--give-up', '--json'])
    assert.equal(given.code, 0, given.err)
    assert.equal(given.json.was_done, true)
    assert.equal((await portaria('user create --email late@example.com --name Late')).code, 0)
    assert.equal((await portaria('audit list --action database.copy_give_up --json')).json.length, 1)
  })

  it('goes on where it was killed; its target is not used before it is whole', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const { portaria } = await furnish(here)
    const storage = await open(here)
    const row = (i: number) => ({ id: `n${String(i).padStart(7, '0')}`, source: 'x', digest: `d${i}`, event: 'x', status: 'processed' })
    for (let at = 0; at < 20_000; at += 500)
      await storage.db
        .insertInto('notifications')
        .values(Array.from({ length: 500 }, (_, i) => ({ ...row(at + i), payload: '{"a": 1}', received_at: at })))
        .execute()
    await storage.close()
    const environment = { ...process.env, DATABASE_URL: here.url, PORTARIA_MASTER_KEY: MASTER_KEY }
    const child = spawn(process.execPath, [LAUNCHER, ...copyLine(here, there)], { env: environment, stdio: 'ignore' })
    const ended = once(child, 'exit')
    const target = await open(there)
    const copied = async () =>
      (
        await target.db
          .selectFrom('notifications')
          .select('id')
          .execute()
          .catch(() => [])
      ).length
    while ((await copied()) < 500 && child.exitCode === null) await setTimeout(5)
    child.kill('SIGKILL')
    await ended
    assert.equal(child.signalCode, 'SIGKILL', 'it was killed before its end')
    const before = await copied()
    assert.ok(before >= 500 && before < 20_000, `${before} rows`)
    await target.close()
    assert.match((await commandLine(there)('user list')).err, /has not come to its end/)
    assert.match((await portaria('user create --email late@example.com --name Late')).err, /is being copied/)

    const again = await portaria([...copyLine(here, there), '--json'])
    assert.equal(again.code, 0, again.err)
    assert.deepEqual(await contentsOf(there), await contentsOf(here))
  })

  it('is one copy, however many processes run it at once', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const { portaria } = await furnish(here)
    const all = await Promise.all([1, 2, 3].map(() => portaria(copyLine(here, there))))
    for (const { code, err } of all) if (code !== 0) assert.match(err, /another process goes on|has been copied to .+ already|read only/)
    const last = await portaria(copyLine(here, there))
    assert.ok(last.code === 0 || /already/.test(last.err), last.err)
    assert.deepEqual(await contentsOf(there), await contentsOf(here))
  })

  it('has every write that was acknowledged before its fence, and none is acknowledged after it', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const { portaria } = await furnish(here)
    const node = await open(here)
    const acknowledged: string[] = []
    const write = async (writer: number) => {
      for (let i = 0; ; i++) {
        const name = `${writer} ${i}`
        try {
          await node.transaction((tx) => tx.insertInto('daily_counts').values({ day: '2026-01-01', name, count: i }).execute())
          acknowledged.push(name)
          await setTimeout(1) // or this process would leave no other one a moment of SQLite
        } catch (error) {
          if (isReadOnly(error)) return
          throw error
        }
      }
    }
    const writers = [1, 2, 3, 4].map(write)
    await until(() => acknowledged.length > 50)
    const done = await portaria(copyLine(here, there))
    assert.equal(done.code, 0, done.err)
    await Promise.all(writers)
    await node.close()
    const target = await open(there)
    const rows = await target.db.selectFrom('daily_counts').select('name').execute()
    await target.close()
    assert.deepEqual(rows.map(({ name }) => name).sort(), acknowledged.sort())
  })

  it('of a running service: checks go on, browsers get a page that says so, and a sign-in lives on in the new place', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const service = await startService(here, { passwords: cheapPasswords })
    await service.user('ana@example.com')
    const browser = service.browser()
    await browser.signIn('/login', { email: 'ana@example.com', password: PASSWORD })
    const check = async () => (await browser.get('/auth/check')).json().authenticated
    assert.equal(await check(), true)
    const done = await commandLine(here)(copyLine(here, there))
    assert.equal(done.code, 0, done.err)
    await until(async () => (await service.browser(HTML).get('/login')).status === 503)
    const page = await service.browser(HTML).get('/login')
    assert.match(page.text, /Back in a few minutes/)
    assert.ok(Number(page.headers.get('retry-after')) > 0)
    assert.equal(await check(), true)
    assert.equal((await service.browser().get('/healthz')).status, 200)
    assert.equal((await service.browser().get('/readyz')).status, 200)
    const form = { email: 'ana@example.com', password: PASSWORD }
    assert.equal((await service.browser().submit('/login', form)).status, 503)
    assert.equal((await service.browser().request('GET', '/.well-known/jwks.json')).status, 200)
    const second = await startService(here, { passwords: cheapPasswords })
    assert.equal((await second.browser(HTML).get('/login')).status, 503, 'a node that starts meanwhile says the same')
    await second.stop()
    await service.stop()
    const moved = await startService(there, { environment: { PORTARIA_URL: service.url }, passwords: cheapPasswords })
    const same = moved.browser()
    for (const [name, value] of browser.cookies) same.cookies.set(name, value)
    assert.equal((await same.get('/auth/check')).json().authenticated, true, 'the sign-in of before')
    assert.equal((await moved.browser(HTML).get('/login')).status, 200)
    await moved.stop()
  })
})

eachDirection('A copy of 100,000 rows', (from, to) => {
  it('comes to its end, and the same digests', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    await commandLine(here)('user create --email ana@example.com --name Ana')
    const storage = await open(here)
    for (let at = 0; at < 100_000; at += 5_000)
      await storage.db
        .insertInto('rate_limits')
        .values(Array.from({ length: 5_000 }, (_, i) => ({ key: `k${(at + i) * 7919}`, count: i, window_ends_at: at + i })))
        .execute()
    await storage.close()
    const done = await commandLine(here)([...copyLine(here, there), '--json'])
    assert.equal(done.code, 0, done.err)
    assert.equal(done.json.tables.find(({ table }: { table: string }) => table === 'rate_limits').rows, 100_000)
  })
})

eachDirection('A copy of a text with U+0000', (from, to) => {
  if (from.name === 'postgres') return // it can't be there
  it('names it before PostgreSQL refuses it', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const { portaria } = await furnish(here)
    const storage = await open(here)
    await storage.db.insertInto('daily_counts').values({ day: '2026-01-01', name: 'a\0b', count: 1 }).execute()
    await storage.close()
    const refused = await portaria(copyLine(here, there))
    assert.equal(refused.code, 1)
    assert.match(refused.err, /daily_counts has a text with U\+0000/)
    assert.equal((await portaria(['copy', '--from', here.url, '--give-up'])).code, 0)
  })

  it('names a value of another type as well, and shows none', async () => {
    for (const [value, column] of [
      [sql`update daily_counts set count = 'geheim'`, 'count'],
      [sql`update daily_counts set count = 1.5`, 'count'],
      [sql`update brand_images set width = 3000000000 where hash = 'long'`, 'width'],
      [sql`update brand_images set content = x'00ff' where hash = 'long'`, 'content'],
    ] as const) {
      const [here, there] = [await from.fresh(), await to.empty()]
      const { portaria } = await furnish(here)
      const storage = await open(here)
      await storage.db.insertInto('daily_counts').values({ day: '2026-01-01', name: 'a\u001b[2J', count: 1 }).execute()
      await value.execute(storage.db)
      await storage.close()
      const refused = await portaria(copyLine(here, there))
      assert.equal(refused.code, 1)
      assert.match(
        refused.err,
        new RegExp(`(daily_counts|brand_images) has a value in ${column} that PostgreSQL can't hold there, in the row `),
      )
      assert.ok(!refused.err.includes('geheim') && !refused.err.includes('\u001b'), refused.err)
      assert.equal((await portaria(['copy', '--from', here.url, '--give-up'])).code, 0)
    }
  })
})
