import { sql } from 'kysely'
import { firstIdAt } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { NotificationStatus, Unresolved } from '../notification.ts'

const IS_ASKED = { status: 'unresolved' satisfies NotificationStatus, why: 'awaiting_gateway' satisfies Unresolved } as const

/** Notifications whose gateways are to be asked, or were asked in vain. */
export function failedStore(db: Queryable) {
  return {
    /**
     * Makes a notification wait for its gateway, and holds its row until the transaction ends. It was given up, or waits already. Answers
     * whom to ask, or `undefined`.
     */
    async reopen(id: string): Promise<{ source: string; productId: string; wasFailed: boolean } | undefined> {
      const open = db.updateTable('notifications').where('id', '=', id).where('product_id', 'is not', null)
      const again = open.set({ ...IS_ASKED, processed_at: null }).returning(['source', 'product_id'])
      const failed = await again.where('status', '=', 'failed' satisfies NotificationStatus).executeTakeFirst()
      const row = failed ?? (await again.where('status', '=', IS_ASKED.status).where('why', '=', IS_ASKED.why).executeTakeFirst())
      return row?.product_id ? { source: row.source, productId: row.product_id, wasFailed: failed !== undefined } : undefined
    },
    /** Whether a notification waits for its gateway. Its row is held until the transaction ends. */
    async holdAwaiting(id: string): Promise<boolean> {
      const hold = db.updateTable('notifications').set((e) => ({ status: e.ref('status') }))
      const { numUpdatedRows } = await hold
        .where('id', '=', id)
        .where((e) => e.and(IS_ASKED))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Ignores a notification: of any number of concurrent calls exactly one gets `true`. */
    async ignore(id: string, { why, at }: { why: string; at: number }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('notifications')
        .set({ status: 'ignored' satisfies NotificationStatus, why, processed_at: at })
        .where('id', '=', id)
        .where((e) => e.or([e('status', '=', 'failed' satisfies NotificationStatus), e.and(IS_ASKED)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /**
     * Notifications that have waited for their gateways since before a time (ms), after an id. Each says whether a job is to ask: one of
     * its own id, or one that an earlier version has left. By id, `limit` at most.
     */
    async listAsked({ before, after, limit }: { before: number; after: string; limit: number }): Promise<AskedNotification[]> {
      const rows = await db
        .selectFrom('notifications as n')
        .select(['n.id', 'n.source', 'n.product_id'])
        .select((e) => {
          const living = e.selectFrom('outbox as o').select('o.id').where('o.dead_at', 'is', null)
          const former = living.innerJoin('notification_attempts as a', 'a.job_id', 'o.id').whereRef('a.notification_id', '=', 'n.id')
          return [e.exists(living.whereRef('o.id', '=', 'n.id')).as('has_own'), e.exists(former).as('has_former')]
        })
        .where('n.status', '=', IS_ASKED.status)
        .where('n.why', '=', IS_ASKED.why)
        .where(sql<boolean>`n.status != 'processed'`)
        .where('n.id', '>', after)
        .where('n.id', '<', firstIdAt(before))
        .orderBy('n.id')
        .limit(limit)
        .execute()
      return rows.map(({ id, source, product_id, has_own, has_former }) => ({
        id,
        source,
        productId: product_id ?? undefined,
        hasJob: Boolean(has_own) || Boolean(has_former),
      }))
    },
  }
}

export interface AskedNotification {
  id: string
  source: string
  productId: string | undefined
  hasJob: boolean
}
