import { type Now, newId } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import { type FailedSignInRecord, failedSignInStore } from './failed-sign-in-store.ts'

/** The most rows that a node writes at once for accounts that exist, and as many for all others. */
export const MOST_FAILED_AT_ONCE = 100

export type FailedSignIn = Pick<FailedSignInRecord, 'kind' | 'ip' | 'userAgent'> & Partial<Pick<FailedSignInRecord, 'userId' | 'provider'>>

/** Remembers the sign-ins that failed until they are written down, once a minute. */
export interface FailedSignIns {
  note(failed: FailedSignIn): void
  /** What was noted since the last call. When the database takes nothing, it is remembered for the next call. */
  write(): Promise<void>
}

/**
 * Equal ones of a minute are one row with a count, and a storm is cut off: a guess must cost its guesser more than it costs here. Strangers
 * who guess have a part of their own, so that they crowd out no user who is asked about. What is cut off is in the counts of the day.
 */
export function createFailedSignIns({ storage, now }: { storage: Pick<Storage, 'db'>; now: Now }): FailedSignIns {
  let noted = new Map<string, FailedSignInRecord>()
  const parts = { users: 0, strangers: 0 }
  const keep = (record: FailedSignInRecord) => {
    const { kind, userId, provider, ip } = record
    const key = JSON.stringify([kind, userId, provider, ip])
    const same = noted.get(key)
    if (same) {
      same.count += record.count
      return
    }
    const part = userId === undefined ? 'strangers' : 'users'
    if (parts[part] >= MOST_FAILED_AT_ONCE) return
    parts[part]++
    noted.set(key, record)
  }
  return {
    note: ({ userId, provider, ...failed }) => keep({ ...failed, id: newId(), userId, provider, count: 1, failedAt: now() }),
    async write() {
      if (noted.size === 0) return
      const records = [...noted.values()]
      noted = new Map()
      Object.assign(parts, { users: 0, strangers: 0 })
      try {
        await failedSignInStore(storage.db).add(records)
      } catch (error) {
        for (const record of records) keep(record)
        throw error
      }
    },
  }
}
