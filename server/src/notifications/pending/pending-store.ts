import { sql } from 'kysely'
import { type NormalizedEvent, normalizedEvent } from '../../payment-history/index.ts'
import { prepare, prepareWithList, type Queryable } from '../../storage/index.ts'

export interface AccountKey {
  source: string
  productId: string
}

/** The most that are held at once. They take a few dozen ms, during which this node does nothing else. */
export const MAX_HELD = 50

/** A notification that waits, and its normalized event. */
export interface PendingNotification {
  id: string
  normalized: NormalizedEvent
}

/** Notifications that wait, under every name of their payment or subscription. The normalized event stands in the notification itself. */
export function pendingStore(db: Queryable) {
  return {
    /**
     * Writes the names under which a notification waits. The first becomes its subject: a delivery may name one that no other event has.
     */
    async wait(id: string, { source, productId, names, key }: AccountKey & { names: readonly string[]; key: string }): Promise<void> {
      const [subject] = names
      if (subject === undefined) return
      await db.updateTable('notifications').set({ subject }).where('id', '=', id).where('product_id', '=', productId).execute()
      await db
        .insertInto('pending_notifications')
        .values(names.map((name) => ({ gateway: source, product_id: productId, name, key, notification_id: id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    /** It is not found under any name any more. */
    async endPending(id: string): Promise<void> {
      await endPending(db, { id })
    },
    /** The oldest that waits, or is ignored by the operator, under a name of a payment or subscription with events of this key. */
    async findDuplicate({ source, productId, subject, key }: AccountKey & { subject: string; key: string }): Promise<string | undefined> {
      const row = await db
        .selectFrom('pending_notifications')
        // The join leaves out a notification that was removed meanwhile.
        .innerJoin('notifications', 'notifications.id', 'notification_id')
        .select('notification_id')
        .where('name', '=', subject)
        .where('key', '=', key)
        .where('pending_notifications.product_id', '=', productId)
        .where('gateway', '=', source)
        .orderBy('notification_id')
        .limit(1)
        .executeTakeFirst()
      return row?.notification_id
    },
    /** Those of the names under which a notification waits. */
    async addPending({ source, productId }: AccountKey, names: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('pending_notifications')
        .select('name')
        .distinct()
        .where('name', 'in', names)
        .where('product_id', '=', productId)
        .where('gateway', '=', source)
        .execute()
      return rows.map(({ name }) => name)
    },
    /**
     * Notifications that wait under these names, oldest first, after the id `after`, at most `limit` (no more than `MAX_HELD`). Each row is
     * held until the transaction ends. `last`: the id to continue after, if there may be more. A notification that another transaction has
     * just processed is not held, and does not end the search.
     */
    async hold(
      account: AccountKey,
      names: readonly string[],
      { after, limit }: { after: string; limit: number },
    ): Promise<{ held: PendingNotification[]; last: string | undefined }> {
      if (names.length === 0) return { held: [], last: undefined }
      const { rows: pending } = await listPending(db, { ...account, after }, names)
      const ids = pending.slice(0, limit).map(({ notification_id }) => notification_id)
      if (ids.length === 0) return { held: [], last: undefined }
      const rows = await db
        .updateTable('notifications')
        .set((e) => ({ status: e.ref('status') }))
        .where('id', 'in', ids)
        .where('normalized', 'is not', null)
        .where('processed_at', 'is', null)
        .returning(['id', 'normalized'])
        .execute()
      const held = rows.flatMap((row) =>
        row.normalized === null ? [] : [{ id: row.id, normalized: normalizedEvent.parse(JSON.parse(row.normalized)) }],
      )
      return { held: held.sort((a, b) => (a.id < b.id ? -1 : 1)), last: ids.length < limit ? undefined : ids.at(-1) }
    },
  }
}

const endPending = prepare((db, { id }: { id: string }) => db.deleteFrom('pending_notifications').where('notification_id', '=', id))

const listPending = prepareWithList((db, { source, productId, after }: AccountKey & { after: string }, names) =>
  db
    .selectFrom('pending_notifications')
    .innerJoin('notifications', 'notifications.id', 'notification_id')
    .select('notification_id')
    .distinct()
    .where('name', 'in', names)
    .where('pending_notifications.product_id', '=', productId)
    .where('gateway', '=', source)
    .where('notification_id', '>', after)
    .where('normalized', 'is not', null)
    .where('processed_at', 'is', null)
    .orderBy('notification_id')
    // Not a value: SQLite makes a plan for each value of a limit, which here takes longer than all else that is asked for a payment.
    .limit(sql.lit(MAX_HELD)),
)
