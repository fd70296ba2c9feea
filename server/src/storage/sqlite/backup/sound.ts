import { DatabaseSync } from 'node:sqlite'

export function isSound(file: string): boolean {
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

function tryOpen(file: string): DatabaseSync | undefined {
  try {
    return new DatabaseSync(file, { readOnly: true })
  } catch {
    return undefined // not readable as a file at all
  }
}
