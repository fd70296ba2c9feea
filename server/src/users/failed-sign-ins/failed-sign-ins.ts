import { networkOf } from '../../http/index.ts'
import { type Now, newId } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import { type FailedSignInRecord, failedSignInStore } from './failed-sign-in-store.ts'

/** The most rows that a process writes in a minute: for accounts that exist, for all others, for one account and for one network. */
export const MOST_FAILED = { users: 100, strangers: 100, account: 5, network: 20 } as const
/** As much of a browser's name as a session keeps. */
const MAX_USER_AGENT = 400

export type FailedSignIn = Pick<FailedSignInRecord, 'kind' | 'ip' | 'userAgent'> & Partial<Pick<FailedSignInRecord, 'userId' | 'provider'>>

/** Remembers the sign-ins that failed until they are written down, once a minute. */
export interface FailedSignIns {
  note(failed: FailedSignIn): void
  /** Writes the sign-ins that were noted since the last call. When that fails, they are kept for the next call. */
  write(): Promise<void>
}

/**
 * Equal ones of a minute are one row with a count, and a storm is cut off: a guess must cost its guesser more than it costs here. Neither
 * strangers, nor one account, nor one network take the place of all others. What is cut off is in the counts of the day.
 */
export function createFailedSignIns({ storage, now }: { storage: Pick<Storage, 'transaction'>; now: Now }): FailedSignIns {
  let noted = createNotes()
  return {
    note: ({ userId, provider, userAgent, ...failed }) =>
      noted.keep({
        ...{ ...failed, id: newId(), userId, provider, count: 1, failedAt: now() },
        userAgent: userAgent.slice(0, MAX_USER_AGENT),
      }),
    async write() {
      const former = noted
      if (former.list().length === 0) return
      noted = createNotes()
      try {
        await storage.transaction((tx) => failedSignInStore(tx).add(former.list()))
      } catch (error) {
        // First those that came first: an equal one adds to them.
        for (const record of noted.list()) former.keep(record)
        noted = former
        throw error
      }
    },
  }
}

function createNotes() {
  const records = new Map<string, FailedSignInRecord>()
  const rows = new Map<string, number>()
  return {
    list: () => [...records.values()],
    keep(record: FailedSignInRecord): void {
      const { kind, userId, provider, ip } = record
      const network = networkOf(ip)
      const key = JSON.stringify([kind, userId, provider, network])
      const same = records.get(key)
      if (same) {
        same.count += record.count
        return
      }
      const limits = [
        userId === undefined ? (['strangers', MOST_FAILED.strangers] as const) : (['users', MOST_FAILED.users] as const),
        [`network ${network}`, MOST_FAILED.network] as const,
        ...(userId === undefined ? [] : [[`account ${userId}`, MOST_FAILED.account] as const]),
      ]
      if (limits.some(([name, most]) => (rows.get(name) ?? 0) >= most)) return
      for (const [name] of limits) rows.set(name, (rows.get(name) ?? 0) + 1)
      records.set(key, record)
    },
  }
}
