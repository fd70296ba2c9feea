import type { Queryable } from '../../storage/index.ts'
import type { NotificationStatus, Unresolved } from '../notification.ts'

/** Notifications whose gateways were asked in vain. */
export function failedStore(db: Queryable) {
  return {
    /**
     * Sets one back that was given up, so that its gateway is asked. Of any number of calls exactly one gets whom to ask; `already`: it is
     * being asked.
     */
    async reopen(id: string): Promise<{ source: string; productId: string } | 'already' | undefined> {
      const row = await db
        .updateTable('notifications')
        .set({ status: 'unresolved' satisfies NotificationStatus, why: 'awaiting_gateway' satisfies Unresolved, processed_at: null })
        .where('id', '=', id)
        .where('status', '=', 'failed' satisfies NotificationStatus)
        .where('product_id', 'is not', null)
        .returning(['source', 'product_id'])
        .executeTakeFirst()
      if (row?.product_id) return { source: row.source, productId: row.product_id }
      const asked = await db
        .selectFrom('notifications')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'unresolved' satisfies NotificationStatus)
        .where('why', '=', 'awaiting_gateway' satisfies Unresolved)
        .executeTakeFirst()
      return asked && 'already'
    },
    /** Of any number of calls exactly one gets `true`. */
    async ignore(id: string, { why, at }: { why: string; at: number }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('notifications')
        .set({ status: 'ignored' satisfies NotificationStatus, why, processed_at: at })
        .where('id', '=', id)
        .where('status', '=', 'failed' satisfies NotificationStatus)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
