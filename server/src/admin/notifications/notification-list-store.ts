import { firstIdAt } from '../../kit/index.ts'
import { isNotProcessed, isStuck, type Notification, type NotificationStatus, notificationStore } from '../../notifications/index.ts'
import { inPages, type Page, type Queryable } from '../../storage/index.ts'

export interface NotificationListFilter {
  source?: string | undefined
  productId?: string | undefined
  status?: NotificationStatus | undefined
  /** Only those that need somebody. */
  stuck?: true | undefined
  /** The buyer's address. */
  subject?: string | undefined
  /** Received at or after, and before, in ms. */
  since?: number | undefined
  until?: number | undefined
}

/** One page in the order of receipt, which is the order of the ids. */
export async function listNotifications(db: Queryable, filter: NotificationListFilter, page: Page): Promise<Notification[]> {
  const ids = await listNotificationIds(db, filter, page)
  return notificationStore(db).listByIds(ids)
}

/** Only the ids: payloads are up to 256 KiB each. */
async function listNotificationIds(db: Queryable, filter: NotificationListFilter, page: Page): Promise<string[]> {
  const found = await inPages(idsOf(db, filter), { column: 'id', id: 'id', page }).execute()
  return found.map(({ id }) => id)
}

/** The most that is counted: a table of millions is not. */
export const MAX_COUNTED = 1_000

/** How many there are, `MAX_COUNTED` + 1 at most. */
export async function countNotifications(db: Queryable, filter: NotificationListFilter): Promise<number> {
  const some = idsOf(db, filter)
    .orderBy('id', 'desc')
    .limit(MAX_COUNTED + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((e) => e.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function idsOf(db: Queryable, filter: NotificationListFilter) {
  const { source, productId, status, stuck, subject, since, until } = filter
  let query = db.selectFrom('notifications').select('id')
  if (source !== undefined) query = query.where('source', '=', source)
  if (productId !== undefined) query = query.where('product_id', '=', productId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (status !== undefined && status !== 'processed') query = query.where(isNotProcessed())
  if (stuck) query = query.where(isStuck())
  if (subject !== undefined) query = query.where('subject', '=', subject)
  if (since !== undefined) query = query.where('id', '>=', firstIdAt(since))
  if (until !== undefined) query = query.where('id', '<', firstIdAt(until))
  return query
}
