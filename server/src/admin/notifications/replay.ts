import { type ResolveRefusal, reprocessNotification, type Unresolved } from '../../notifications/index.ts'
import type { Caller } from '../api/caller.ts'
import { listNotificationIds } from './notification-list-store.ts'
import { resolveFor } from './resolve-for.ts'

type Deps = Parameters<typeof reprocessNotification>[1]

/** Of one call. Each is a transaction of its own, so a later fault undoes none. */
const MOST = 500

/**
 * Processes every pending notification received since then (ms) again, the oldest first. Answers how many were processed, and why the
 * others are still pending; `not_allowed`: the caller may not act on the purchase's user.
 */
export async function reprocessPending(
  since: number | undefined,
  caller: Caller,
  deps: Deps,
): Promise<{ processed: number; pending: number; why: Partial<Record<Unresolved | 'not_allowed', number>> }> {
  const page = { sort: 'received_at', direction: 'asc', after: undefined, limit: MOST } as const
  const ids = await listNotificationIds(deps.storage.db, { status: 'unresolved', since }, page)
  const why = new Map<Unresolved | 'not_allowed', number>()
  let processed = 0
  for (const id of ids) {
    const done = await resolveFor(caller, async (approve) => ({ processed: await reprocessNotification(id, { ...deps, approve }) }))
    const reason = 'refusal' in done ? 'not_allowed' : isPending(done.processed) ? done.processed.why : undefined
    if (reason !== undefined) why.set(reason, (why.get(reason) ?? 0) + 1)
    else if ('processed' in done && !('refusal' in done.processed)) processed++
  }
  const pending = [...why.values()].reduce((sum, count) => sum + count, 0)
  return { processed, pending, why: Object.fromEntries(why) }
}

function isPending(processed: { subscriptionId: string } | ResolveRefusal): processed is { refusal: 'still_unresolved'; why: Unresolved } {
  return 'refusal' in processed && processed.refusal === 'still_unresolved'
}
