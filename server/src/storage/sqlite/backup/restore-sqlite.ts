import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { copyDatabase, type OnCopied } from './copy-database.ts'
import { isSound } from './sound.ts'
import { syncFolder } from './sync-folder.ts'

/**
 * Replaces a SQLite database by a backup, checked first. The service must not be running; the old database is kept beside it as
 * `.before-restore`. `onCopied` is called several times a second.
 */
export async function restoreSqlite(
  from: string,
  to: string,
  { onCopied }: { onCopied?: OnCopied } = {},
): Promise<'done' | 'no_backup' | 'damaged' | 'in_use'> {
  if (!existsSync(from)) return 'no_backup'
  if (!isSound(from)) return 'damaged'
  const part = `${to}.part`
  await copyDatabase(from, part, onCopied)
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
