import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { memoryFolder } from '../../../../test/support/memory-folder.ts'
import { backupSqlite, migrate, openStorage, restoreSqlite } from '../../index.ts'

describe('A SQLite database', () => {
  const folder = mkdtempSync(path.join(memoryFolder(), 'portaria-restore-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  // The account `nobody` has to reach the files below.
  chmodSync(folder, 0o755)

  it('is restored from a backup in a folder that may only be read, and nothing is put beside the backup', async () => {
    const { file, close } = await openNew(folder)
    const readOnly = mkdtempSync(path.join(folder, 'read-only-'))
    const backup = path.join(readOnly, 'a backup #1?.db')
    assert.ok(!('refusal' in (await backupSqlite(file, backup))))
    await close()
    const target = path.join(mkdtempSync(path.join(folder, 'restored-')), 'portaria.db')
    after(() => chmodSync(readOnly, 0o700))
    chmodSync(path.dirname(target), 0o777)
    assert.deepEqual(await restoreSqlite(backup, target), { kept: undefined })
    assert.deepEqual(readdirSync(readOnly), ['a backup #1?.db'])
    chmodSync(backup, 0o444)
    chmodSync(readOnly, 0o555)
    rmSync(target)
    assert.deepEqual(await withoutRights(() => restoreSqlite(backup, target)), { kept: undefined })
    assert.deepEqual(readdirSync(readOnly), ['a backup #1?.db'])
  })

  it('is not called damaged where its backup may not be read, or is a folder', async () => {
    const { file, close } = await openNew(folder)
    const backup = path.join(folder, 'unreadable.db')
    assert.ok(!('refusal' in (await backupSqlite(file, backup))))
    await close()
    chmodSync(backup, 0)
    assert.deepEqual(await withoutRights(() => restoreSqlite(backup, file)), { unreadable: 'unable to open database file' })
    const ofFolder = await restoreSqlite(folder, file)
    assert.ok(typeof ofFolder === 'object' && 'unreadable' in ofFolder)
    const other = path.join(folder, 'other-tables.db')
    const handle = new DatabaseSync(other)
    handle.exec('create table notes (text)')
    handle.close()
    assert.equal(await restoreSqlite(other, file), 'damaged')
  })
})

async function openNew(folder: string): Promise<{ file: string; close: () => Promise<void> }> {
  const file = path.join(mkdtempSync(path.join(folder, 'one-')), 'portaria.db')
  const storage = await openStorage({ dialect: 'sqlite', file })
  await migrate(storage)
  return { file, close: storage.close }
}

/** Root may read and write everything: then it is nobody while `work` runs. */
async function withoutRights<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.('nobody')
  try {
    return await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
