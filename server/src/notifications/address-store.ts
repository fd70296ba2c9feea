import { prepareWithList, type Queryable } from '../storage/index.ts'

/** In which notifications which addresses stand, by their hashes. */
export function addressStore(db: Queryable) {
  return {
    async note(notificationId: string, hashes: readonly string[]): Promise<void> {
      if (hashes.length === 0) return
      await noteAddresses(db, { notificationId }, hashes)
    },
    async forget(notificationId: string, hashes: readonly string[]): Promise<void> {
      if (hashes.length === 0) return
      await db
        .deleteFrom('notification_addresses')
        .where('address_hash', 'in', hashes)
        .where('notification_id', '=', notificationId)
        .execute()
    },
  }
}

const noteAddresses = prepareWithList((db, { notificationId }: { notificationId: string }, hashes) =>
  db
    .insertInto('notification_addresses')
    .values(hashes.map((address_hash) => ({ address_hash, notification_id: notificationId })))
    .onConflict((conflict) => conflict.doNothing()),
)
