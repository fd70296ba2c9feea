import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * Opens a file to which nobody writes. SQLite would make a log and an index beside it, which a folder that may only be read refuses and
 * which nobody would remove. A file that has a log, or a journal that has to be rolled back, is opened as usual.
 */
export function openBackup(file: string): DatabaseSync {
  const location = pathToFileURL(file)
  if (!['-wal', '-journal'].some((ending) => existsSync(file + ending))) location.searchParams.set('immutable', '1')
  return new DatabaseSync(location, { readOnly: true, timeout: 5_000 })
}
