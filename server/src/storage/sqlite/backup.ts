import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { backup, DatabaseSync } from 'node:sqlite'
import { DamagedFiles, refuseDamagedFiles } from './examine-files.ts'

/** The bytes that are written, and the part of the whole, from 0 to 1. */
type OnCopied = (bytes: number, part: number) => void

/** A backup as it was made: the copy has as many rows as the database had at one moment. */
export interface BackupMade {
  bytes: number
  copiedInMs: number
  checkedInMs: number
  tables: number
  rows: number
}

export type BackupRefusal = 'target_exists' | 'no_database' | 'damaged'

const LOOK_MS = 200
/** More pages than any database has. */
const ALL_PAGES = 2_147_483_647
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE = [11, 26]

/**
 * Copies a SQLite database into a new file while it is in use; the copy is complete, checked, on the disk and readable by its owner
 * only, or absent. It has what was committed before the call, and nothing from a later moment of its own. Refuses to overwrite a file.
 * `damaged`: the database is, and so would be any copy. `onCopied` is called several times a second, `onCheck` when the copy is about to be
 * checked.
 */
export async function backupSqlite(
  from: string,
  to: string,
  { onCopied, onCheck }: { onCopied?: OnCopied; onCheck?: () => void } = {},
): Promise<BackupMade | { refusal: BackupRefusal }> {
  if (!existsSync(from)) return { refusal: 'no_database' }
  if (existsSync(to)) return { refusal: 'target_exists' }
  if (hasDamagedFiles(from)) return { refusal: 'damaged' }
  const part = `${to}.part`
  try {
    const begun = performance.now()
    const there = await copy(from, part, onCopied)
    const copied = performance.now()
    onCheck?.()
    const here = isSound(part) ? countRows(part) : undefined
    if (here === undefined || !isSame(here, there)) return { refusal: 'damaged' }
    const bytes = sizeOf(part)
    await rename(part, to)
    syncFolder(dirname(to))
    const rows = [...here.values()].reduce((sum, n) => sum + n, 0)
    return { bytes, copiedInMs: copied - begun, checkedInMs: performance.now() - copied, tables: here.size, rows }
  } catch (error) {
    if (isDamage(error)) return { refusal: 'damaged' }
    throw error
  } finally {
    await removeAll(part)
  }
}

/**
 * All pages in one step, which node:sqlite does on a thread of its own. Smaller steps would begin anew whenever another connection has
 * written meanwhile, and never end under constant writes. Writers are not blocked: the copy reads from the log while they append to it.
 * The copy and the numbers of rows that are answered are of one snapshot, that of the open transaction.
 */
async function copy(from: string, to: string, onCopied?: OnCopied): Promise<ReadonlyMap<string, number>> {
  await rm(to, { force: true })
  closeSync(openSync(to, 'wx', 0o600))
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
  // One step reports nothing on its way: the growing file does.
  const looks = onCopied && setInterval(() => onCopied(sizeOf(to), Math.min(sizeOf(to) / sizeOf(from), 1)), LOOK_MS)
  try {
    source.exec('begin; select count(*) from sqlite_schema')
    await backup(source, to, { rate: ALL_PAGES })
    return rowsOf(source)
  } finally {
    clearInterval(looks)
    source.close()
  }
}

function countRows(file: string): ReadonlyMap<string, number> {
  const handle = new DatabaseSync(file, { readOnly: true })
  try {
    return rowsOf(handle)
  } finally {
    handle.close()
  }
}

/** The number of rows of each table. */
function rowsOf(handle: DatabaseSync): ReadonlyMap<string, number> {
  const tables = handle.prepare("select name from sqlite_schema where type = 'table'").all()
  const count = (name: string) => Number(handle.prepare(`select count(*) as n from "${name.replaceAll('"', '""')}"`).get()?.n)
  return new Map(tables.map(({ name }) => [String(name), count(String(name))]))
}

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([table, rows]) => other.get(table) === rows)
}

function hasDamagedFiles(file: string): boolean {
  try {
    refuseDamagedFiles(file)
    return false
  } catch (error) {
    if (error instanceof DamagedFiles) return true
    throw error
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && DAMAGE.includes(error.errcode & 0xff)
}

/** Else a loss of power could take the new name with it. A folder can't be synced on Windows. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

async function removeAll(file: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm', '-journal']) await rm(file + ending, { force: true })
}

/**
 * Replaces a SQLite database by a backup, checked first. The service must not be running; the old database is kept beside it as
 * `.before-restore`.
 */
export async function restoreSqlite(from: string, to: string): Promise<'done' | 'no_backup' | 'damaged' | 'in_use'> {
  if (!existsSync(from)) return 'no_backup'
  if (!isSound(from)) return 'damaged'
  const part = `${to}.part`
  await copy(from, part)
  if (existsSync(to)) {
    if (!closeLog(to)) {
      await rm(part, { force: true })
      return 'in_use'
    }
    await rename(to, `${to}.before-restore`)
  }
  for (const leftover of ['-wal', '-shm']) await rm(to + leftover, { force: true })
  await rename(part, to)
  syncFolder(dirname(to))
  return 'done'
}

function isSound(file: string): boolean {
  const handle = tryOpen(file)
  if (!handle) return false
  try {
    return (
      handle.prepare('pragma integrity_check').get()?.integrity_check === 'ok' &&
      handle.prepare('select count(*) as n from signing_keys').get() !== undefined
    )
  } catch {
    return false // not a database, or not one of ours
  } finally {
    handle.close()
  }
}

/** Writes the log into the file and leaves WAL, which works only while no other process has it open. */
function closeLog(file: string): boolean {
  const handle = new DatabaseSync(file, { timeout: 500 })
  try {
    return handle.prepare('pragma journal_mode=delete').get()?.journal_mode === 'delete'
  } catch {
    return false // locked: another process has it open
  } finally {
    handle.close()
  }
}

function tryOpen(file: string): DatabaseSync | undefined {
  try {
    return new DatabaseSync(file, { readOnly: true })
  } catch {
    return undefined // not readable as a file at all
  }
}
