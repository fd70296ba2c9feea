import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { copyDatabase, type OnCopied, removeCopy, sizeOf } from './copy-database.ts'
import { hasDamagedFiles, isDamage } from './damage.ts'
import { countRows, isSame } from './row-counts.ts'
import { isSound } from './sound.ts'
import { syncFolder } from './sync-folder.ts'

/** A backup as it was made: the copy has as many rows as the database had at one moment. */
export interface BackupMade {
  bytes: number
  copiedInMs: number
  checkedInMs: number
  tables: number
  rows: number
}

export type BackupRefusal = 'target_exists' | 'no_database' | 'damaged'

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
    const there = await copyDatabase(from, part, { open: openInUse, onCopied })
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
    await removeCopy(part)
  }
}

function openInUse(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
}
