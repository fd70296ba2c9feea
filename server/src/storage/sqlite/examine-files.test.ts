import assert from 'node:assert/strict'
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { openStorage, readSetting } from '../index.ts'

/** More than Node reads at once. */
const LARGE = 2_200 * 1024 ** 2
const MOST_MEMORY_KIB = 64 * 1024

describe('A log of more than two gigabytes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-large-log-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** A database with everything in its log, as a process that was killed leaves it. */
  const left = (name: string): string => {
    const [live, file] = [path.join(folder, `${name}-live.db`), path.join(folder, `${name}.db`)]
    const handle = new DatabaseSync(live)
    handle.exec('pragma journal_mode=wal; pragma wal_autocheckpoint=0; create table settings (name text primary key, value text)')
    for (let n = 0; n < 300; n++) handle.prepare('insert into settings values (?, ?)').run(`s${n}`, 'x'.repeat(5_000))
    for (const ending of ['', '-wal']) copyFileSync(live + ending, file + ending)
    handle.close()
    truncateSync(`${file}-wal`, LARGE)
    return file
  }

  it('is opened with all of its commits, and little memory', async () => {
    const file = left('sound')
    const before = process.resourceUsage().maxRSS
    const storage = await openStorage({ dialect: 'sqlite', file })
    assert.equal((await readSetting(storage.db, 's299'))?.length, 5_000)
    await storage.close()
    const more = process.resourceUsage().maxRSS - before
    assert.ok(more < MOST_MEMORY_KIB, `${more} KiB`)
  })

  it('is refused where it is damaged in its middle', async () => {
    const file = left('damaged')
    const log = openSync(`${file}-wal`, 'r+')
    writeSync(log, Buffer.alloc(8, 0xff), 0, 8, 500_000)
    closeSync(log)
    await assert.rejects(openStorage({ dialect: 'sqlite', file }), /-wal is cut or damaged behind frame \d+/)
    assert.equal(statSync(`${file}-wal`).size, LARGE)
  })
})
