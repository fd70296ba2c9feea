import { isDamage } from './damage.ts'
import { openBackup } from './open-backup.ts'

/** Whether a file is a whole database, and one of ours. Throws where it can't be read. */
export function isSound(file: string): boolean {
  const handle = openBackup(file)
  try {
    return (
      handle.prepare('pragma integrity_check').get()?.integrity_check === 'ok' &&
      handle.prepare("select 1 from sqlite_schema where name = 'signing_keys'").get() !== undefined
    )
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  } finally {
    handle.close()
  }
}
