import { existsSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../sqlite-busy.ts'
import { copyDatabase, type OnCopied, removeCopy } from './copy-database.ts'
import { hasDamagedFiles, isDamage } from './damage.ts'
import { openBackup } from './open-backup.ts'
import { isSound } from './sound.ts'
import { syncFolder } from './sync-folder.ts'

/** `kept`: where the database before it is now, if there was one. */
export interface Restored {
  kept: string | undefined
}

/** `unreadable`: why the backup can't be opened or read, which says nothing about what is in it. */
export type RestoreRefusal = 'no_backup' | 'damaged' | 'in_use' | { unreadable: string }

/**
 * Replaces a SQLite database by a backup, checked first. The service must not be running; the old database is kept beside it as
 * `.before-restore`, with its log as it is where it is damaged: that is what backups are for. `onCopied` is called several times a second.
 */
export async function restoreSqlite(
  from: string,
  to: string,
  { onCopied }: { onCopied?: OnCopied } = {},
): Promise<Restored | RestoreRefusal> {
  if (!existsSync(from)) return 'no_backup'
  const state = examine(from)
  if (state !== 'sound') return state
  const part = `${to}.part`
  try {
    await copyDatabase(from, part, { open: openBackup, onCopied })
    const isThere = existsSync(to)
    if (isThere && isInUse(to)) return 'in_use'
    const kept = isThere ? await keep(to) : undefined
    for (const leftover of ['-wal', '-shm']) await rm(to + leftover, { force: true })
    await rename(part, to)
    syncFolder(dirname(to))
    return { kept }
  } finally {
    // On a full disk what is copied so far must not stay.
    await removeCopy(part)
  }
}

function examine(backup: string): 'sound' | 'damaged' | { unreadable: string } {
  try {
    return isSound(backup) ? 'sound' : 'damaged'
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) }
  }
}

/** Gives the database a second name, which no earlier one has. Until the backup takes its own name, it has both. */
async function keep(file: string): Promise<string> {
  const usual = `${file}.before-restore`
  const kept = existsSync(usual) ? `${usual}-${new Date().toISOString().replaceAll(':', '')}` : usual
  for (const ending of ['-wal', '-shm']) if (existsSync(file + ending)) await rename(file + ending, kept + ending)
  // Some file systems have no links.
  await link(file, kept).catch(() => rename(file, kept))
  return kept
}

/**
 * Writes the log into the file and leaves WAL, which works only while no other process has it open. Damaged files stay as they are: nobody
 * can work with them.
 */
function isInUse(file: string): boolean {
  if (hasDamagedFiles(file)) return false
  const handle = new DatabaseSync(file, { timeout: 500 })
  try {
    return handle.prepare('pragma journal_mode=delete').get()?.journal_mode !== 'delete'
  } catch (error) {
    if (isBusy(error)) return true
    if (isDamage(error)) return false
    throw error
  } finally {
    handle.close()
  }
}
