import type { Metrics } from '../../http/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import { dailyCountStore, FAILED_SIGN_INS } from './daily-count-store.ts'
import { dayOf } from './days.ts'

/** Ends of a sign-in that are no failure: it succeeded, continues in another way, or the user canceled. */
const NOT_FAILED: ReadonlySet<unknown> = new Set([
  'signed_in',
  'passkey',
  'second_factor',
  'deletion_pending',
  'provider_denied',
  'provider_link_with_password',
  'provider_confirm_address',
  'provider_deletion_pending',
])

/**
 * Answers a function that adds this node's failed sign-ins since its last call to those of the day. They are counted in memory, where an
 * attack costs nothing: a thousand guesses a second write one row a minute.
 */
export function createFailedSignIns({ metrics, storage, now }: { metrics: Metrics; storage: Storage; now: Now }): () => Promise<void> {
  let written = 0
  return async () => {
    const { values } = await metrics.signIns.get()
    const total = values.reduce((sum, { labels, value }) => (NOT_FAILED.has(labels.result) ? sum : sum + value), 0)
    const fresh = total - written
    if (fresh === 0) return
    written = total // at once: a concurrent call must not add the same
    try {
      await dailyCountStore(storage.db).add(dayOf(now()), FAILED_SIGN_INS, fresh)
    } catch (error) {
      written -= fresh
      throw error
    }
  }
}
