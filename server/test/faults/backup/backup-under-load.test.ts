import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { after, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { onSqlite } from '../../support/databases.ts'
import { sellInProcesses } from '../../support/faults/selling.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { environmentBeside } from '../../support/server-process.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const launcher = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))
const PROCESSES = 3
const WRITERS = 2
/** Of 2,000 bytes each: 40 MB, or 10,000 pages. */
const BALLAST_ROWS = 20_000
/** As often may the backup write the database: one that begins anew when somebody else writes needs some dozens. */
const MAX_ROUNDS = 1.5

/** Commits without a pause, two rows each time, and says the number of each commit once it is on disk. */
const WRITER = `
  import { DatabaseSync } from 'node:sqlite'
  const { FILE, NAME } = process.env
  const db = new DatabaseSync(FILE, { timeout: 30000 })
  db.exec('pragma journal_mode=wal; pragma synchronous=full; pragma wal_autocheckpoint=4000')
  const write = db.prepare("insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value")
  let n = 0
  const commit = () => {
    db.exec('begin immediate')
    for (const half of ['one', 'other']) write.run(NAME + ' ' + half, String(n + 1))
    db.exec('commit')
    process.send(++n)
    setImmediate(commit)
  }
  commit()
`

onSqlite('A backup of a database to which several processes write without a pause', (database) => {
  it('F3: ends before as many commits as it has pages, in one round, with all that was acknowledged before it and nothing by halves', async () => {
    const node = await startService(await database.fresh(), { environment: WEBHOOKS })
    const file = node.config.database.dialect === 'sqlite' ? node.config.database.file : assert.fail()
    const pages = addBallast(file)
    const selling = await sellInProcesses(node, { processes: PROCESSES })
    const writers = Array.from({ length: WRITERS }, (_, i) => startWriter(file, `writer ${i}`))
    const commits = () => writers.reduce((sum, { count }) => sum + count(), 0)
    await until(() => selling.book.acknowledged.size > 50 && writers.every(({ count }) => count() > 100), 60_000)

    const promised = { writes: writers.map(({ count }) => count()), sales: [...selling.book.acknowledged.keys()] }
    const to = path.join(path.dirname(file), 'copy.db')
    const backup = startBackup(to, environmentBeside(node, { port: 0 }))
    await until(() => existsSync(`${to}.part`) || backup.child.exitCode !== null, 30_000)
    const before = commits()
    await until(() => backup.look() || commits() - before > pages, 120_000)
    assert.equal(backup.child.exitCode, 0, `not ended after ${commits() - before} commits: ${backup.said()}`)
    assert.ok(commits() > before, 'they wrote meanwhile')
    for (const { child } of writers) assert.equal(child.exitCode, null)
    await selling.pause()

    const copy = new DatabaseSync(to, { readOnly: true })
    const value = (name: string) => Number(copy.prepare('select value from settings where name = ?').get(name)?.value)
    writers.forEach((_, i) => {
      assert.ok(value(`writer ${i} one`) >= (promised.writes[i] ?? assert.fail()), 'a write from before the backup is not in it')
      assert.equal(value(`writer ${i} one`), value(`writer ${i} other`), 'a commit is in it by halves')
    })
    const hashes = new Set(
      copy
        .prepare('select digest from notifications')
        .all()
        .map(({ digest }) => String(digest).slice('00000000'.length)),
    )
    assert.deepEqual(
      promised.sales.filter((hash) => !hashes.has(hash)),
      [],
      'a purchase from before the backup is not in it',
    )
    copy.close()
    const { bytes, rows } = JSON.parse(backup.said()) as { bytes: number; rows: number }
    assert.ok(bytes > pages * 4_000 && rows > BALLAST_ROWS, backup.said())
    assert.ok(backup.written() < bytes * MAX_ROUNDS, `${(backup.written() / bytes).toFixed(1)} rounds`)
  })
})

/** Answers the number of pages that the database has then. */
function addBallast(file: string): number {
  const handle = new DatabaseSync(file, { timeout: 5_000 })
  handle.exec(`create table ballast (text); insert into ballast with recursive n(i) as (select 1 union all select i + 1 from n where i < ${BALLAST_ROWS})
    select hex(randomblob(1000)) from n`)
  const { page_count: pages } = handle.prepare('pragma page_count').get() ?? {}
  handle.close()
  return Number(pages)
}

function startWriter(file: string, name: string): { child: ChildProcess; count(): number } {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', WRITER], {
    env: { FILE: file, NAME: name },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  after(() => void child.kill('SIGKILL'))
  let count = 0
  child.on('message', (n) => (count = Number(n)))
  return { child, count: () => count }
}

/** `look` answers whether it has ended, and notes how many bytes it has written so far; only Linux says that, elsewhere it stays 0. */
function startBackup(to: string, environment: Record<string, string>) {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', launcher, 'backup', to, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  let written = 0
  const look = () => {
    const counters = process.platform === 'linux' && child.exitCode === null ? readCounters(child.pid) : ''
    written = Math.max(written, Number(/^wchar: (\d+)/m.exec(counters)?.[1] ?? 0))
    return child.exitCode !== null
  }
  return { child, said: () => said, written: () => written, look }
}

function readCounters(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/io`, 'utf8')
  } catch {
    return '' // it has just ended
  }
}
