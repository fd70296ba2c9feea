import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { sql } from 'kysely'
import { backupSqlite, isDatabaseAway, migrate, openStorage, readSetting, restoreSqlite, type Storage, writeSetting } from '../index.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'portaria-storage-'))
const opened: Storage[] = []
let files = 0

async function open(file = path.join(folder, `${++files}.db`)): Promise<Storage & { file: string }> {
  const storage = await openStorage({ dialect: 'sqlite', file })
  opened.push(storage)
  await migrate(storage)
  return { ...storage, file }
}

describe('The SQLite database', () => {
  after(async () => {
    await Promise.allSettled(opened.map((storage) => storage.close()))
    rmSync(folder, { recursive: true })
  })

  it('runs with a log written ahead, every commit on the disk, references kept and no temporary files', async () => {
    const { db } = await open()
    const pragma = async (name: string) =>
      Object.values((await sql<Record<string, unknown>>`select * from ${sql.raw(`pragma_${name}`)}`.execute(db)).rows[0] ?? {})[0]
    assert.equal(await pragma('journal_mode'), 'wal')
    assert.equal(await pragma('synchronous'), 2)
    assert.equal(await pragma('foreign_keys'), 1)
    assert.equal(await pragma('temp_store'), 2)
    assert.equal(await pragma('cache_size'), -16_384)
  })

  it('is at least 3.51.3, below which its log can be corrupted', async () => {
    const { db } = await open()
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
    const [major = 0, minor = 0, patch = 0] = (rows[0]?.version ?? '').split('.').map(Number)
    assert.ok(major * 1_000_000 + minor * 1_000 + patch >= 3_051_003, rows[0]?.version)
  })

  it('answers all columns of a row once another process has added or removed some', async () => {
    const { db, file } = await open()
    const other = new DatabaseSync(file)
    other.exec('create table notes (a, b); insert into notes values (1, 2)')
    const read = async () => (await sql`select * from notes`.execute(db)).rows
    assert.deepEqual(await read(), [{ a: 1, b: 2 }])
    other.exec('alter table notes add column c default 3')
    assert.deepEqual(await read(), [{ a: 1, b: 2, c: 3 }])
    other.exec('alter table notes drop column a')
    assert.deepEqual(await read(), [{ b: 2, c: 3 }])
    other.close()
  })

  it('takes the right to write at the start of a transaction, so that none fails half way', async () => {
    const { transaction, file } = await open()
    const other = new DatabaseSync(file, { timeout: 0 })
    await transaction(async (tx) => {
      await readSetting(tx, 'a')
      assert.throws(() => other.exec('begin immediate'), /locked/)
    })
    other.exec('begin immediate; rollback')
    other.close()
  })

  it('lets everything else go on while it waits for another writer, inside a transaction and outside', async () => {
    const { db, transaction, file } = await open()
    const other = new DatabaseSync(file, { timeout: 0 })
    other.exec('begin immediate')
    let turns = 0
    const turning = setInterval(() => turns++, 5)
    const written = Promise.all([transaction((tx) => writeSetting(tx, 'a', '1')), writeSetting(db, 'b', '2')])
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.ok(turns >= 10, `${turns} turns of the event loop in 200 ms`)
    other.exec('commit')
    await written
    clearInterval(turning)
    assert.deepEqual([await readSetting(db, 'a'), await readSetting(db, 'b')], ['1', '2'])
    other.close()
  })

  it('has all writers wait for another one together, and lets readers pass', async () => {
    const { db, transaction, file } = await open()
    const other = new DatabaseSync(file, { timeout: 0 })
    other.exec('begin immediate')
    const began = performance.now()
    const write = (at: number) => (at % 2 ? transaction((tx) => writeSetting(tx, `name ${at}`, '1')) : writeSetting(db, `name ${at}`, '1'))
    const writes = Promise.allSettled(Array.from({ length: 10 }, (_, at) => write(at)))
    assert.equal(await readSetting(db, 'name 1'), undefined)
    const readMs = performance.now() - began
    const refused = (await writes).filter(({ status }) => status === 'rejected')
    const writtenMs = performance.now() - began
    other.exec('commit')
    other.close()
    assert.equal(refused.length, 10)
    // Five seconds each, one after the other, would be 50.
    assert.ok(readMs < 2_500 && writtenMs >= 5_000 && writtenMs < 15_000, `read in ${readMs} ms, refused in ${writtenMs} ms`)
    await writeSetting(db, 'name 1', '2')
    assert.equal(await readSetting(db, 'name 1'), '2')
  })

  it('wakes all that wait, also where the one that asked is refused by the database', async () => {
    const { db, file } = await open()
    const other = new DatabaseSync(file, { timeout: 0 })
    other.exec('begin immediate')
    const refused = assert.rejects(sql`insert into settings (name, value) values ('a', null)`.execute(db), /NOT NULL/)
    const written = Promise.all(['b', 'c', 'd'].map((name) => writeSetting(db, name, '1')))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const freed = performance.now()
    other.exec('commit')
    await refused
    await written
    const ms = performance.now() - freed
    assert.ok(ms < 3_000, `written ${ms} ms after the file was free`)
    other.close()
  })

  it('is closed after those that wait for another writer', async () => {
    const storage = await open()
    const other = new DatabaseSync(storage.file, { timeout: 0 })
    other.exec('begin immediate')
    const written = Promise.allSettled(['a', 'b'].map((name) => writeSetting(storage.db, name, '1')))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const closed = storage.close()
    other.exec('commit')
    assert.deepEqual(
      (await written).map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    )
    await closed
    assert.deepEqual(other.prepare("select count(*) as number from settings where name in ('a', 'b')").get()?.number, 2)
    other.close()
  })

  it('shares a file with a second handle of its own process', async () => {
    const first = await open()
    const second = await open(first.file)
    const began = Date.now()
    const write = ({ transaction }: Storage, name: string) =>
      transaction(async (tx) => {
        await readSetting(tx, name)
        await writeSetting(tx, name, '1')
      })
    const names = Array.from({ length: 100 }, (_, at) => `name ${at}`)
    await Promise.all(names.flatMap((name) => [write(first, `${name} of one`), write(second, `${name} of the other`)]))
    assert.ok(Date.now() - began < 4_000, 'each waited for the time-out of the other')
    for (const name of names) assert.equal(await readSetting(first.db, `${name} of the other`), '1')
  })

  it('keeps its locks while the same process opens the file once more, and makes a backup of it', async () => {
    const { db, file } = await open()
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    await writeSetting(db, 'a', '1')
    const again = await open(file)
    await again.close()
    assert.ok(!('refusal' in (await backupSqlite(file, `${file}.copy`))))
    // The last one to close a database removes its log: this one must see that it is not.
    const program = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(process.argv[1]);
      db.prepare('select count(*) from settings').get(); db.close()`
    const { execFileSync } = await import('node:child_process')
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', program, file])
    await writeSetting(db, 'a', '2')
    assert.equal(await readSetting(db, 'a'), '2')
  })

  it('waits for another process that is writing', async () => {
    const { db, file } = await open()
    const other = new DatabaseSync(file, { timeout: 0 })
    const program = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(process.argv[1]); db.exec('begin immediate');
      console.log('locked'); setTimeout(() => { db.exec('commit') }, 700)`
    const { spawn } = await import('node:child_process')
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', program, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    assert.throws(() => other.exec('begin immediate'), /locked/)
    other.close()
    await writeSetting(db, 'a', '1')
    assert.equal(await readSetting(db, 'a'), '1')
  })

  it('that is full says that it is away, rolls back, still answers, and goes on when there is room', async () => {
    const { db, transaction } = await open()
    await writeSetting(db, 'before', '1')
    await sql`pragma max_page_count = 1`.execute(db) // no more than there are
    const big = 'x'.repeat(100_000)
    await assert.rejects(writeSetting(db, 'big', big), isDatabaseAway)
    const both = transaction(async (tx) => {
      await writeSetting(tx, 'before', '2')
      await writeSetting(tx, 'big', big)
    })
    await assert.rejects(both, isDatabaseAway)
    assert.equal(await readSetting(db, 'before'), '1')
    await sql`pragma max_page_count = 1000000`.execute(db)
    await transaction((tx) => writeSetting(tx, 'big', big))
    assert.equal(await readSetting(db, 'big'), big)
    assert.equal((await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)).rows[0]?.integrity_check, 'ok')
  })

  it('is backed up whole while it is written to, and never over another file', async () => {
    const { db, file } = await open()
    const to = path.join(folder, 'backup.db')
    await writeSetting(db, 'before', '1')
    const writing = Promise.all(Array.from({ length: 50 }, (_, i) => writeSetting(db, `while_${i}`, '1')))
    const made = await backupSqlite(file, to)
    assert.ok(!('refusal' in made))
    await writing
    const copy = new DatabaseSync(to, { readOnly: true })
    assert.equal(copy.prepare('pragma integrity_check').get()?.integrity_check, 'ok')
    assert.equal(copy.prepare("select value from settings where name = 'before'").get()?.value, '1')
    copy.close()
    const size = statSync(to).size
    assert.deepEqual(await backupSqlite(file, to), { refusal: 'target_exists' })
    assert.equal(statSync(to).size, size)
    assert.equal(made.bytes, size)
    assert.deepEqual(await backupSqlite(path.join(folder, 'absent.db'), path.join(folder, 'new.db')), { refusal: 'no_database' })
  })

  it('is restored from a sound backup only, not under a running service, and what was there is kept', async () => {
    const { db, file, close } = await open()
    const backup = path.join(folder, 'to-restore.db')
    await writeSetting(db, 'a', 'backed up')
    assert.ok(!('refusal' in (await backupSqlite(file, backup))))
    await writeSetting(db, 'a', 'later')
    assert.equal(await restoreSqlite(backup, file), 'in_use')
    assert.equal(await readSetting(db, 'a'), 'later')
    await close()
    const garbage = path.join(folder, 'garbage.db')
    writeFileSync(garbage, 'no database at all '.repeat(500))
    assert.equal(await restoreSqlite(garbage, file), 'damaged')
    assert.equal(await restoreSqlite(path.join(folder, 'absent.db'), file), 'no_backup')
    const torn = path.join(folder, 'torn.db')
    writeFileSync(torn, readFileSync(backup).subarray(0, 20_000))
    assert.equal(await restoreSqlite(torn, file), 'damaged')
    assert.deepEqual(await restoreSqlite(backup, file), { kept: `${file}.before-restore` })
    assert.equal(await readSetting((await open(file)).db, 'a'), 'backed up')
    assert.equal(await readSetting((await open(`${file}.before-restore`)).db, 'a'), 'later')
  })

  it('overwrites none of the databases that restores before it have kept, and leaves no half a copy', async () => {
    const { db, file, close } = await open()
    const backup = path.join(folder, 'again.db')
    assert.ok(!('refusal' in (await backupSqlite(file, backup))))
    await writeSetting(db, 'a', 'first')
    await close()
    const kept = []
    for (let times = 0; times < 2; times++) {
      const restored = await restoreSqlite(backup, file)
      assert.ok(typeof restored === 'object' && 'kept' in restored && restored.kept !== undefined)
      kept.push(restored.kept)
    }
    assert.equal(new Set(kept).size, 2)
    assert.equal(await readSetting((await open(kept[0] ?? '')).db, 'a'), 'first')
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  it('can not be opened where its file is a folder, or no database', async () => {
    const garbage = path.join(folder, 'none.db')
    writeFileSync(garbage, 'no database at all '.repeat(500))
    await assert.rejects(async () => openStorage({ dialect: 'sqlite', file: garbage }), /not a database/)
    await assert.rejects(async () => openStorage({ dialect: 'sqlite', file: folder }), /unable to open|EISDIR/)
  })

  it('is asked with limits as numbers: with another value bound it would plan the statement anew', async () => {
    const { db } = await open()
    assert.deepEqual(db.selectFrom('settings').select('name').where('name', '>', 'a').limit(7).compile(), {
      ...db.selectFrom('settings').select('name').where('name', '>', 'a').limit(7).compile(),
      sql: 'select "name" from "settings" where "name" > ? limit 7',
      parameters: ['a'],
    })
    assert.match(db.selectFrom('settings').select('name').limit(1.5).compile().sql, /limit \?$/)
  })
})
