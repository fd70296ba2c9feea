import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

/** The bytes that are written, and the part of the whole, from 0 to 1. */
type OnCopied = (bytes: number, part: number) => void

const LOOK_MS = 200
/** More pages than any database has. */
const ALL_PAGES = 2_147_483_647

/**
 * Copies a SQLite database into a new file while it is in use; the copy is complete, checked and readable by its owner only, or absent.
 * Refuses to overwrite a file. `damaged`: the database is, and so would be any copy. `onCopied` is called several times a second.
 */
export async function backupSqlite(
  from: string,
  to: string,
  onCopied?: OnCopied,
): Promise<'done' | 'target_exists' | 'no_database' | 'damaged'> {
  if (!existsSync(from)) return 'no_database'
  if (existsSync(to)) return 'target_exists'
  const part = `${to}.part`
  try {
    await copy(from, part, onCopied)
    if (!isSound(part)) return 'damaged'
    await rename(part, to)
    return 'done'
  } finally {
    await removeAll(part)
  }
}

/**
 * All pages in one step, which node:sqlite does on a thread of its own. Smaller steps would begin anew whenever another connection has
 * written meanwhile, and never end under constant writes. Writers are not blocked: the copy reads from the log while they append to it.
 */
async function copy(from: string, to: string, onCopied?: OnCopied): Promise<void> {
  await rm(to, { force: true })
  closeSync(openSync(to, 'wx', 0o600))
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
  // One step reports nothing on its way: the growing file does.
  const looks = onCopied && setInterval(() => onCopied(sizeOf(to), Math.min(sizeOf(to) / sizeOf(from), 1)), LOOK_MS)
  try {
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    clearInterval(looks)
    source.close()
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
