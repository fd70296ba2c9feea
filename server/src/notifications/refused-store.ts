import { sql } from 'kysely'
import { DAY_MS } from '../kit/index.ts'
import { type Queryable, type Storage, type Transaction, takeLock } from '../storage/index.ts'
import { addressesIn } from './buyers/addresses.ts'
import { buyerTermsOf } from './buyers/buyer-terms.ts'
import { termStore } from './buyers/term-store.ts'
import type { NotificationStatus } from './notification.ts'
import { notificationStore, type Received } from './store.ts'

/** The most that are kept, the newest. They show what a sender does wrong, however often it does. */
export const MAX_REFUSED = 100

/** A refused notification is never processed. It is shown to the operator as long as its sender may not have been mended. */
export const REFUSED_LATELY_MS = 7 * DAY_MS

const REFUSED = 'refused' satisfies NotificationStatus
/** Worded as in the partial index over statuses: without it all notifications are read. */
const isNotProcessed = sql<boolean>`status != 'processed'`

/** The number of refused notifications after a time (ms), and when the first of them came. */
export async function countRefused(db: Queryable, after: number): Promise<{ count: number; since: number | undefined }> {
  const { count, since } = await db
    .selectFrom('notifications')
    .select((e) => [e.fn.countAll().as('count'), e.fn.min('received_at').as('since')])
    .where('status', '=', REFUSED)
    .where(isNotProcessed)
    .where('received_at', '>', after)
    .executeTakeFirstOrThrow()
  return { count: Number(count), since: since ?? undefined }
}

/** Deliveries with the valid signature or token that could not be read. */
export function refusedStore(tx: Transaction, storage: Pick<Storage, 'address'>) {
  return {
    /**
     * Keeps a refused notification, and `MAX_REFUSED` of all, the newest. Its digest is its own: a later version may be able to read the
     * same text.
     */
    async keep(refused: Omit<Received, 'status'>): Promise<void> {
      await takeLock(tx, 'refusedNotifications', storage)
      const isNew = await notificationStore(tx).add({ ...refused, digest: `refused ${refused.digest}`, status: REFUSED })
      if (!isNew) return
      const surplus = await tx
        .selectFrom('notifications')
        .select(['id', 'payload'])
        .where('status', '=', REFUSED)
        .where(isNotProcessed)
        .orderBy('id', 'desc')
        .offset(MAX_REFUSED)
        .limit(MAX_REFUSED)
        .execute()
      if (surplus.length === 0) return
      // The terms are deleted one by one: there is no index by notification.
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
