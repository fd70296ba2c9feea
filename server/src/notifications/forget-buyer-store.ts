import type { Queryable } from '../storage/index.ts'
import { addressStore } from './address-store.ts'
import { hashAddress, hashAddresses } from './addresses.ts'
import { hashBuyer } from './buyer-terms.ts'
import { type Told, told } from './notification.ts'

export function forgetBuyerStore(db: Queryable) {
  return {
    /** The notifications in which an address stands, whatever has become of them, and the subscriptions they went to. */
    async listAbout(address: string): Promise<Array<{ id: string; subscriptionId: string | undefined }>> {
      const holding = db.selectFrom('notification_addresses').select('notification_id').where('address_hash', '=', hashAddress(address))
      const rows = await db
        .selectFrom('notifications')
        .leftJoin('gone_subscriptions', 'gone_subscriptions.id', 'subscription_id')
        .select(['notifications.id', 'subscription_id', 'successor_id'])
        .where((e) => e.or([e('subject', '=', address), e('notifications.id', 'in', holding)]))
        .execute()
      return rows.map((row) => ({ id: row.id, subscriptionId: row.successor_id ?? row.subscription_id ?? undefined }))
    },
    /** The text of a notification and what it tells while it waits. */
    async read(id: string): Promise<{ payload: string; buyer: string | undefined; told: Told | undefined } | undefined> {
      const row = await db.selectFrom('notifications').select(['payload', 'buyer', 'told']).where('id', '=', id).executeTakeFirst()
      return (
        row && {
          payload: row.payload,
          buyer: row.buyer ?? undefined,
          told: row.told === null ? undefined : told.parse(JSON.parse(row.told)),
        }
      )
    },
    /** Leaves this of a notification, in the place of what it was. */
    async scrub(
      id: string,
      { payload, told }: { payload: string; told: Told | undefined },
      before: { payload: string; buyer: string | undefined; told: Told | undefined },
    ): Promise<void> {
      const { payload: text, buyer, told: toldBefore } = before
      await addressStore(db).forget(id, [...hashAddresses(text, JSON.stringify(toldBefore)), ...hashBuyer(text), ...hashBuyer(buyer)])
      await db
        .updateTable('notifications')
        .set({ subject: null, payload, buyer: null, told: told ? JSON.stringify(told) : null })
        .where('id', '=', id)
        .execute()
    },
  }
}
