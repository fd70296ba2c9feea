import { DAY_MS } from '../kit/index.ts'
import { type Queryable, type Storage, type Transaction, takeLock } from '../storage/index.ts'
import type { NotificationStatus } from './notification.ts'
import { REMOVED_COLUMNS, removeNotifications } from './remove-store.ts'
import { isNotProcessed, notificationStore, type Received } from './store.ts'

/** The most that are kept, the newest. They show what a sender does wrong, however often it does. */
export const MAX_REFUSED = 100

/** A refused notification is never processed. It is shown to the operator as long as its sender may not have been mended. */
export const REFUSED_LATELY_MS = 7 * DAY_MS

const REFUSED = 'refused' satisfies NotificationStatus

/** The number of refused notifications after a time (ms), and when the first of them came. */
export async function countRefused(db: Queryable, after: number): Promise<{ count: number; since: number | undefined }> {
  const { count, since } = await db
    .selectFrom('notifications')
    .select((e) => [e.fn.countAll().as('count'), e.fn.min('received_at').as('since')])
    .where('status', '=', REFUSED)
    .where(isNotProcessed())
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
        .select(REMOVED_COLUMNS)
        .where('status', '=', REFUSED)
        .where(isNotProcessed())
        .orderBy('id', 'desc')
        .offset(MAX_REFUSED)
        .limit(MAX_REFUSED)
        .execute()
      await removeNotifications(tx, surplus)
    },
  }
}
