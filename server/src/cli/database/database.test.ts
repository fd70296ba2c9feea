import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { fetchHandoff, openShop, redeem } from '../../../test/support/faults/actions.ts'
import { notifyOfSignOuts, startLogoutReceiver } from '../../../test/support/openid/logout-receiver.ts'
import { PASSWORD, startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { beginCopy, openStorage, raiseFence, timeline } from '../../storage/index.ts'

const LAUNCHER = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))

eachDatabase('The migrate command', (database) => {
  it('makes the tables, and then has nothing left to do', async () => {
    const portaria = commandLine(await database.empty())
    const first = (await portaria('migrate --json')).json
    assert.deepEqual(first, { applied: Object.keys(timeline.migrations), filled: [], newer: [] })
    assert.deepEqual((await portaria('migrate --json')).json, { applied: [], filled: [], newer: [] })
    assert.match((await portaria('migrate')).out, /up to date/)
  })
})

eachDatabase('Backup and restore', (database) => {
  if (database.name === 'postgres') {
    it('leave PostgreSQL to its own tools, and say which', async () => {
      const portaria = commandLine(await database.fresh())
      for (const line of ['backup /nowhere/b.db', 'restore /nowhere/b.db']) {
        const said = await portaria(line)
        assert.equal(said.code, 1)
        assert.match(said.err, /pg_dump/)
      }
    })
    return
  }

  const fresh = async () => {
    const url = await database.empty()
    const folder = path.dirname(url.url.slice('sqlite:'.length))
    return {
      url,
      folder,
      file: path.join(folder, 'portaria.db'),
      backup: path.join(folder, 'copy.db'),
      key: path.join(folder, 'portaria.key'),
    }
  }

  it('bring back what was, and sign everybody out', async () => {
    const { url, file, backup } = await fresh()
    const portaria = commandLine(url)
    const service = await startService(url)
    await service.user('ana@example.com')
    await service.browser().signIn('/login', { email: 'ana@example.com', password: PASSWORD })
    const done = await portaria(`backup ${backup}`)
    assert.equal(done.code, 0, done.err)
    assert.match(done.out, /The master key is not in it/)
    assert.equal(statSync(backup).mode & 0o777, 0o600)
    assert.ok(!readFileSync(backup).includes(MASTER_KEY))
    await portaria('user create --email late@example.com --name Late')

    const refused = await portaria(`restore ${backup}`)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /in use: stop the service/)
    assert.equal((await portaria('user list --json')).json.length, 2)

    await service.stop()
    const restored = await portaria(`restore ${backup} --json`)
    assert.deepEqual([restored.code, restored.json], [0, { database: file, sessions_revoked: true, sessions_ended: 1 }], restored.err)
    assert.deepEqual(
      (await portaria('user list --json')).json.map(({ email }: { email: string }) => email),
      ['ana@example.com'],
    )
    assert.equal((await portaria('user show ana@example.com --json')).json.live_sessions, 0)
    assert.equal((await portaria('audit list --action database.restore --json')).json.length, 1)
    assert.ok(existsSync(`${file}.before-restore`))

    assert.equal((await portaria(`restore ${backup} --keep-sessions`)).code, 0)
    assert.equal((await portaria('user show ana@example.com --json')).json.live_sessions, 1)
    assert.deepEqual(leftovers(path.dirname(file)), [])
  })

  it('notify the apps of the sessions that the backup has, also of one that had ended since, and of none with --keep-sessions', async () => {
    const { url, backup } = await fresh()
    const portaria = commandLine(url)
    const service = await startService(url)
    const receiver = await startLogoutReceiver()
    const shop = await openShop(service)
    await notifyOfSignOuts(service, 'loja', receiver.url)
    const enter = async (email: string) => {
      const browser = service.browser()
      await browser.signIn('/login', { email: (await service.user(email)).email, password: PASSWORD })
      const redeemed = await redeem(service, await fetchHandoff(browser, shop), shop)
      assert.equal(redeemed.status, 200)
      return browser
    }
    const left = await enter('ana@example.com')
    await enter('bia@example.com')
    assert.equal((await portaria(`backup ${backup}`)).code, 0)
    await left.get('/auth/signout')
    await until(() => receiver.requests.length === 1)
    await service.stop()

    assert.equal((await portaria(`restore ${backup} --keep-sessions`)).code, 0)
    const kept = await startService(url)
    await until(async () => (await kept.context.storage.db.selectFrom('outbox').select('id').execute()).length === 0)
    await kept.stop()
    assert.equal(receiver.requests.length, 1)

    const said = await portaria(`restore ${backup}`)
    assert.match(said.out, /signed out \(4 sessions\)/)
    await startService(url)
    await until(() => receiver.requests.length === 3)
    assert.equal(new Set(receiver.sids().slice(1)).size, 2)
    assert.ok(
      receiver
        .sids()
        .slice(1)
        .includes(receiver.sids()[0] ?? ''),
    )
  })

  it('make a backup writable that was made while its database was copied, and name the other one', async () => {
    const { url, file, backup } = await fresh()
    assert.equal((await commandLine(url)('user create --email ana@example.com --name Ana')).code, 0)
    const source = await openStorage({ dialect: 'sqlite', file })
    const copy = await beginCopy(source.db, { id: 'copy', to: 'postgres://portaria@db.internal/portaria', beganAt: Date.now() })
    assert.ok(await raiseFence(source, copy))
    await source.close()
    assert.equal((await commandLine(url)(`backup ${backup}`)).code, 0)
    const elsewhere = await fresh()
    const portaria = commandLine(elsewhere.url)
    const restored = await portaria(`restore ${backup}`)
    assert.equal(restored.code, 0, restored.err)
    assert.match(restored.out, /made while the database was copied to postgres:\S+db\.internal\S*: run one of the two, or they go apart\./)
    assert.equal((await portaria('user create --email bia@example.com --name Bia')).code, 0)
    assert.equal((await portaria('audit list --action database.copy_give_up --json')).json.length, 1)
    assert.equal((await portaria('doctor --json')).json.checks.filter(({ name }: { name: string }) => name === 'copy').length, 0)
    assert.match(
      (await commandLine(url)('user create --email bia@example.com --name Bia')).err,
      /is being copied/,
      'the source stays as it is',
    )
  })

  it('end a session though the clock was set back since it began', async () => {
    const { url, backup } = await fresh()
    const portaria = commandLine(url)
    const service = await startService(url)
    await service.user('ana@example.com')
    await service.browser().signIn('/login', { email: 'ana@example.com', password: PASSWORD })
    const ahead = Date.now() + 86_400_000
    await service.context.storage.db.updateTable('sessions').set({ created_at: ahead }).execute()
    assert.equal((await portaria(`backup ${backup}`)).code, 0)
    await service.stop()
    assert.equal((await portaria(`restore ${backup}`)).code, 0)
    assert.equal((await portaria('user show ana@example.com --json')).json.live_sessions, 0)
  })

  it('L10: are for the eyes of their owner alone, before and after', async () => {
    const { url, file, backup, folder } = await fresh()
    const portaria = commandLine(url)
    await portaria('user create --email ana@example.com --name Ana')
    assert.equal((await portaria(`backup ${backup}`)).code, 0)
    chmodSync(backup, 0o644)
    assert.equal((await portaria(`restore ${backup}`)).code, 0)
    await portaria('user list')
    for (const name of readdirSync(folder).filter((one) => !one.startsWith('copy.db')))
      assert.equal(statSync(path.join(folder, name)).mode & 0o077, 0, name)
    const files = async () => (await portaria('doctor --json')).json.checks.filter(({ name }: { name: string }) => name === 'files')
    assert.deepEqual(await files(), [])
    for (const name of [file, `${file}.before-restore`]) chmodSync(name, 0o640)
    const [warned] = await files()
    assert.equal(warned.status, 'warn')
    assert.match(warned.message, /portaria\.db, .+portaria\.db\.before-restore can be read by others: chmod 600/)
  })

  it('L10: leave no half of a restore behind: doctor names what one that was killed left, and the next removes it', async () => {
    const { url, file, backup } = await fresh()
    const portaria = commandLine(url)
    await portaria('user create --email ana@example.com --name Ana')
    assert.equal((await portaria(`backup ${backup}`)).code, 0)
    const twoDaysAgo = (Date.now() - 2 * 86_400_000) / 1_000
    const old = ['x', 'x-wal', 'x.part-journal'].map((ending) => `${file}.restoring-${ending}`)
    for (const name of [...old, `${file}.restoring-young`]) writeFileSync(name, 'half', { mode: 0o600 })
    for (const name of old) utimesSync(name, twoDaysAgo, twoDaysAgo)
    const [warned] = (await portaria('doctor --json')).json.checks.filter(({ name }: { name: string }) => name === 'files')
    assert.equal(warned?.status, 'warn')
    assert.match(warned.message, /portaria\.db\.restoring-x, .+ left by a restore that was cut/)
    assert.doesNotMatch(warned.message, /young/)
    assert.equal((await portaria(`restore ${backup}`)).code, 0)
    assert.deepEqual(leftovers(path.dirname(file)), ['portaria.db.restoring-young'])
  })

  it('L10: remove what they have made when they are stopped', async () => {
    const { url, file, backup, folder } = await fresh()
    const portaria = commandLine(url)
    await portaria('user create --email ana@example.com --name Ana')
    fill(file)
    assert.equal((await portaria(`backup ${backup}`)).code, 0)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const environment = { ...process.env, DATABASE_URL: url.url, PORTARIA_MASTER_KEY: MASTER_KEY }
      const child = spawn(process.execPath, [LAUNCHER, 'restore', backup], { env: environment, stdio: 'ignore' })
      const ended = once(child, 'exit')
      await until(() => leftovers(folder).some((name) => name.includes('restoring')))
      child.kill(signal)
      assert.deepEqual(await ended, [null, signal])
      assert.deepEqual(leftovers(folder), [])
    }
    assert.equal((await portaria('user list --json')).json.length, 1)
  })

  it('F3: end while another process writes all the time, and hold it up for moments', async () => {
    const { url, file, backup } = await fresh()
    const portaria = commandLine(url)
    await portaria('user create --email ana@example.com --name Ana')
    fill(file)
    const writer = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', WRITER], {
      env: { FILE: file },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let writes = 0
    writer.stdout.on('data', (text: Buffer) => (writes = Number(text.toString().trim().split('\n').at(-1))))
    try {
      await until(() => writes > 50)
      const before = writes
      const done = await portaria(`backup ${backup}`)
      assert.equal(done.code, 0, done.err)
      await until(() => writes > before + 50)
      assert.equal(writer.exitCode, null)
    } finally {
      writer.kill('SIGKILL')
    }
    const copy = new DatabaseSync(backup, { readOnly: true })
    const { n } = copy.prepare("select value as n from settings where name = 'writes'").get() ?? {}
    copy.close()
    assert.ok(Number(n) > 50, `${n} of ${writes} writes are in the copy`)
  })

  it('F3: say that the database is damaged, where it is, in place of writing what restore would refuse', async () => {
    const { url, file, backup, folder } = await fresh()
    const portaria = commandLine(url)
    await portaria('user create --email ana@example.com --name Ana')
    const bytes = readFileSync(file)
    bytes.fill(0xff, 40_960, 81_920)
    writeFileSync(file, bytes)
    const refused = await portaria(`backup ${backup}`)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /is damaged, and so would be a copy/)
    assert.ok(!existsSync(backup))
    assert.deepEqual(leftovers(folder), [])
  })

  it('need the key that the backup was made with, and change nothing without it', async () => {
    const { url, backup, key } = await fresh()
    const portaria = commandLine(url, {})
    await portaria('user create --email ana@example.com --name Ana')
    await portaria(`backup ${backup}`)
    const elsewhere = await fresh()
    const moved = commandLine(elsewhere.url, {})
    assert.match((await moved(`restore ${backup}`)).err, /portaria\.key is gone/)
    assert.deepEqual(readdirSync(elsewhere.folder), [])
    copyFileSync(key, elsewhere.key)
    assert.equal((await moved(`restore ${backup}`)).code, 0)
    assert.equal((await moved('user list --json')).json.length, 1)
    const other = await commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY })(`restore ${backup}`)
    assert.match(other.err, /made with another master key/)
    rmSync(key)
    const lost = await portaria(`restore ${backup}`)
    assert.equal(lost.code, 1)
    assert.match(lost.err, /portaria\.key is gone, and this database was made with the key in it/)
    assert.ok(!existsSync(key))
  })

  it('refuse what is no backup, is damaged or not there, and never write over a file', async () => {
    const { url, folder, backup } = await fresh()
    const portaria = commandLine(url)
    assert.match((await portaria(`backup ${backup}`)).err, /there is no database/)
    assert.match((await portaria(`backup ${folder}/none/copy.db`)).err, /there is no folder/)
    await portaria('user create --email ana@example.com --name Ana')
    await portaria(`backup ${backup}`)
    assert.match((await portaria(`backup ${backup}`)).err, /exists: name a new file/)
    const broken = path.join(folder, 'broken.db')
    const bytes = readFileSync(backup)
    bytes.fill(0xff, 8_192, 40_960)
    writeFileSync(broken, bytes)
    const text = path.join(folder, 'notes.txt')
    writeFileSync(text, 'not a database at all '.repeat(100))
    assert.match((await portaria(`restore ${broken}`)).err, /damaged or no backup/)
    assert.match((await portaria(`restore ${text}`)).err, /damaged or no backup/)
    assert.match((await portaria(`restore ${folder}/absent.db`)).err, /there is no file/)
    assert.match((await portaria(`restore ${folder}`)).err, /is no file\n$/)
    assert.equal((await portaria('user list --json')).json.length, 1)
    assert.deepEqual(leftovers(folder), [])
  })
})

/** Adds 40 MB. */
function fill(file: string): void {
  const filling = new DatabaseSync(file)
  filling.exec(`create table ballast (text); insert into ballast with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
    select hex(randomblob(1000)) from n`)
  filling.close()
}

/** Writes as often as a busy service does. */
const WRITER = `
  import { DatabaseSync } from 'node:sqlite'
  const db = new DatabaseSync(process.env.FILE, { timeout: 5000 })
  db.exec('pragma journal_mode=wal')
  const write = db.prepare("insert into settings (name, value) values ('writes', ?) on conflict (name) do update set value = excluded.value")
  let n = 0
  setInterval(() => { write.run(String(++n)); console.log(n) }, 3)
`

function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => /part|restoring/.test(name))
}

eachDatabase('Where there is no database yet', (database) => {
  const isMade = (url: string) => database.name === 'sqlite' && readdirSync(path.dirname(url.slice('sqlite:'.length))).length > 0

  it('a command that reads or changes refuses, and makes none', async () => {
    const { url } = await database.empty()
    const portaria = commandLine({ url })
    const lines = [
      ...['user list', 'user show ana@example.com', 'product list', 'plan list', 'audit list', 'outbox list', 'webhook list', 'keys list'],
      ...[
        'gateway status',
        'report monthly',
        'export config',
        'export users',
        'subscription rebuild --check',
        'token list',
        'report zone UTC',
      ],
      ...['user disable ana@example.com', 'keys rotate', 'session revoke-all --reason none'],
    ]
    for (const line of lines) {
      const said = await portaria(line)
      assert.deepEqual([said.code, said.out], [1, ''], line)
      assert.match(
        said.err,
        /^portaria: there is no database of Portaria at (?:sqlite:\/|postgres:\/\/)[^\n]+: check DATABASE_URL; [^\n]+\n$/,
      )
      assert.ok(!isMade(url), line)
    }
    assert.notDeepEqual((await portaria('migrate --json')).json.applied, [], 'none of them had made the tables')
    const listed = await portaria('user list')
    assert.deepEqual([listed.code, listed.out], [0, 'No users.\n'])
  })

  it('a command with which an installation begins makes it', async () => {
    const lines = [
      'user create --email ana@example.com --name Ana',
      'product create --slug wiki --name Wiki --audience internal --checkout integrated',
      'plan set --slug pro --name Pro --price 100',
      'token create --name nightly --role viewer',
      'setup-link',
    ]
    for (const line of lines) {
      const said = await commandLine(await database.empty())(line)
      assert.equal(said.code, 0, `${line}: ${said.err}`)
    }
  })
})
