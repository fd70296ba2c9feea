import { isDatabaseAway, isReadOnly } from './faults.ts'
import type { Storage } from './open.ts'
import { writeSetting } from './settings.ts'

/** Anyone may ask whether the service is ready; the database is written to no more often than this. */
const EVERY_MS = 2_000
/** A commit that takes longer hangs: on a lock, on a standby, or on a disk. */
const TIMEOUT_MS = 2_000
const SETTING = 'last_write_probe'

export interface WriteProbe {
  /**
   * Whether the database takes writes, by a write of the last two seconds: of any number of concurrent calls exactly one writes. A database
   * that is read-only because it is copied counts as writable, since that was the operator's wish. Throws a fault that says nothing about
   * its state.
   */
  find(): Promise<'writable' | 'unwritable'>
}

/** Proves by writing that the database can be written to; reading says nothing about a full disk or a standby. */
export function createWriteProbe({ db }: Pick<Storage, 'db'>): WriteProbe {
  let last: Promise<'writable' | 'unwritable'> | undefined
  let writing: Promise<void> | undefined
  let beganAt = Number.NEGATIVE_INFINITY
  const write = () => {
    writing = writeSetting(db, SETTING, String(Date.now())).finally(() => (writing = undefined))
    const timeout = Promise.withResolvers<'unwritable'>()
    const late = setTimeout(() => timeout.resolve('unwritable'), TIMEOUT_MS)
    const written = writing.then(() => 'writable' as const, stateOf)
    return Promise.race([written, timeout.promise]).finally(() => clearTimeout(late))
  }
  return {
    find() {
      const at = performance.now()
      if (last && at - beganAt < EVERY_MS) return last
      // A write that still hangs is not followed by another: each would hold a connection.
      if (last && writing) return Promise.resolve('unwritable')
      beganAt = at
      last = write()
      return last
    },
  }
}

function stateOf(error: unknown): 'writable' | 'unwritable' {
  if (isReadOnly(error)) return 'writable'
  if (isDatabaseAway(error)) return 'unwritable'
  throw error
}
