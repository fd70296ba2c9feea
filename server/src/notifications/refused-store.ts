import { DAY_MS } from '../kit/index.ts'
import { type Queryable, type Storage, type Transaction, takeLock } from '../storage/index.ts'
import { addressesIn } from './buyers/addresses.ts'
import { buyerTermsOf } from './buyers/buyer-terms.ts'
import { termStore } from './buyers/term-store.ts'
import type { NotificationStatus } from './notification.ts'
import { notificationStore, type Received } from './store.ts'

/** So many of the newest are kept: enough to see what a sender does wrong, however often it does. */
export const MAX_REFUSED = 100

/** Nothing processes one, so it is a matter for the operator's attention as long as its sender may not have been fixed. */
export const REFUSED_LATELY_MS = 7 * DAY_MS

/** How many that came after a time (ms) are kept, and when the first of them came. */
export async function countRefused(db: Queryable, after: number): Promise<{ count: number; since: number | undefined }> {
  const { count, since } = await db
    .selectFrom('notifications')
    .select((e) => [e.fn.countAll().as('count'), e.fn.min('received_at').as('since')])
    .where('status', '=', 'refused' satisfies NotificationStatus)
    .where('received_at', '>', after)
    .executeTakeFirstOrThrow()
  return { count: Number(count), since: since ?? undefined }
}

/** Deliveries with the valid signature or token that could not be read. */
export function refusedStore(tx: Transaction, storage: Pick<Storage, 'address'>) {
  return {
    /**
     * Keeps one, and of all no more than `MAX_REFUSED`, the newest. Its digest is its own: the same text may yet be taken, by a version
     * that can read it.
     */
    async keep(refused: Omit<Received, 'status'>): Promise<void> {
      await takeLock(tx, 'refusedNotifications', storage)
      const status = 'refused' satisfies NotificationStatus
      const isNew = await notificationStore(tx).add({ ...refused, digest: `refused ${refused.digest}`, status })
      if (!isNew) return
      const surplus = await tx
        .selectFrom('notifications')
        .select(['id', 'payload'])
        .where('status', '=', status)
        .orderBy('id', 'desc')
        .offset(MAX_REFUSED)
        .limit(MAX_REFUSED)
        .execute()
      if (surplus.length === 0) return
      // By their terms: there is no index of the notifications in which they stand.
      for (const { id, payload } of surplus) await termStore(tx).forget(id, [...addressesIn(payload), ...buyerTermsOf(payload)])
      await tx
        .deleteFrom('notifications')
        .where(
          'id',
          'in',
          surplus.map(({ id }) => id),
        )
        .execute()
    },
  }
}
