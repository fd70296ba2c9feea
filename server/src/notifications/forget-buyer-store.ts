import type { Queryable } from '../storage/index.ts'
import { type Told, told } from './notification.ts'

export function forgetBuyerStore(db: Queryable) {
  return {
    /** The notifications about an address, and the subscriptions they went to. */
    async listAbout(subject: string): Promise<Array<{ id: string; subscriptionId: string | undefined }>> {
      const rows = await db.selectFrom('notifications').select(['id', 'subscription_id']).where('subject', '=', subject).execute()
      return rows.map((row) => ({ id: row.id, subscriptionId: row.subscription_id ?? undefined }))
    },
    /** The text of a notification and what it tells while it waits. */
    async read(id: string): Promise<{ payload: string; told: Told | undefined } | undefined> {
      const row = await db.selectFrom('notifications').select(['payload', 'told']).where('id', '=', id).executeTakeFirst()
      return row && { payload: row.payload, told: row.told === null ? undefined : told.parse(JSON.parse(row.told)) }
    },
    async scrub(id: string, { payload, told }: { payload: string; told: Told | undefined }): Promise<void> {
      await db
        .updateTable('notifications')
        .set({ subject: null, payload, told: told ? JSON.stringify(told) : null })
        .where('id', '=', id)
        .execute()
    },
  }
}
