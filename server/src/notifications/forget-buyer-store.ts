import type { Queryable } from '../storage/index.ts'
import { addressesIn } from './addresses.ts'
import { buyerTermsOf } from './buyer-terms.ts'
import { type NormalizedEvent, normalizedEvent } from './notification.ts'
import { termStore } from './term-store.ts'

export function forgetBuyerStore(db: Queryable) {
  return {
    /** The notifications in which an address stands, whatever has become of them, and the subscriptions they went to. */
    async listAbout(address: string): Promise<Array<{ id: string; subscriptionId: string | undefined }>> {
      const holding = db.selectFrom('notification_terms').select('notification_id').where('term', '=', address)
      const rows = await db
        .selectFrom('notifications')
        .leftJoin('merged_subscriptions', 'merged_subscriptions.id', 'subscription_id')
        .select(['notifications.id', 'subscription_id', 'successor_id'])
        .where((e) => e.or([e('subject', '=', address), e('notifications.id', 'in', holding)]))
        .execute()
      return rows.map((row) => ({ id: row.id, subscriptionId: row.successor_id ?? row.subscription_id ?? undefined }))
    },
    /** The text of a notification and its normalized event while it waits. */
    async read(id: string): Promise<{ payload: string; buyer: string | undefined; normalized: NormalizedEvent | undefined } | undefined> {
      const row = await db.selectFrom('notifications').select(['payload', 'buyer', 'normalized']).where('id', '=', id).executeTakeFirst()
      return (
        row && {
          payload: row.payload,
          buyer: row.buyer ?? undefined,
          normalized: row.normalized === null ? undefined : normalizedEvent.parse(JSON.parse(row.normalized)),
        }
      )
    },
    /** Leaves this of a notification, in the place of what it was. */
    async scrub(
      id: string,
      { payload, normalized }: { payload: string; normalized: NormalizedEvent | undefined },
      before: { payload: string; buyer: string | undefined; normalized: NormalizedEvent | undefined },
    ): Promise<void> {
      const { payload: text, buyer, normalized: normalizedBefore } = before
      await termStore(db).forget(id, [
        ...addressesIn(text, JSON.stringify(normalizedBefore)),
        ...buyerTermsOf(text),
        ...buyerTermsOf(buyer),
      ])
      await db
        .updateTable('notifications')
        .set({ subject: null, payload, buyer: null, normalized: normalized ? JSON.stringify(normalized) : null })
        .where('id', '=', id)
        .execute()
    },
  }
}
