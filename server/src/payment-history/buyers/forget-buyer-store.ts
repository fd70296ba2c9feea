import type { Queryable } from '../../storage/index.ts'
import type { StreamKey } from '../../subscriptions/index.ts'

/** A buyer, with the streams that may hold their data. */
export interface Buyer {
  userId: string
  /** The account's address, if it is verified. A purchase with any other address is another buyer's. */
  email: string | undefined
}

export interface BoughtRow {
  id: string
  streamId: string
  number: number
  productId: string | undefined
  userId: string | undefined
  email: string | undefined
}

export function forgetBuyerStore(db: Queryable) {
  return {
    /** The address of an account if it is verified. Its row is held until the transaction ends. */
    async holdVerifiedAddress(userId: string): Promise<string | undefined> {
      const row = await db
        .updateTable('users')
        .set((e) => ({ role: e.ref('role') }))
        .where('id', '=', userId)
        .returning(['email', 'email_verified_at'])
        .executeTakeFirst()
      return row && row.email_verified_at !== null ? row.email : undefined
    },
    /**
     * The streams with a subscription of the buyer's, or that a product links to the account's own id, or of `subscriptionIds`, held until
     * the transaction ends.
     */
    async holdStreams({ userId, email }: Buyer, subscriptionIds: readonly string[]): Promise<Array<{ id: string; ref: string }>> {
      const bought = db.selectFrom('subscriptions').select('stream_id')
      const products = db.selectFrom('products').select('id') // the index finds a product's user by these
      return db
        .updateTable('event_streams')
        .set((e) => ({ source: e.ref('source') }))
        .where((e) =>
          e.or([
            e('id', 'in', bought.where('user_id', '=', userId)),
            e('id', 'in', bought.where('product_id', 'in', products).where('product_user', '=', userId)),
            ...(email === undefined ? [] : [e('id', 'in', bought.where('email', '=', email))]),
            ...(subscriptionIds.length === 0 ? [] : [e('id', 'in', bought.where('id', 'in', subscriptionIds))]),
          ]),
        )
        .returning(['id', 'ref'])
        .execute()
    },
    /** The subscriptions of a stream, oldest first. */
    async listOfStream(streamId: string): Promise<BoughtRow[]> {
      const rows = await db
        .selectFrom('subscriptions')
        .select(['id', 'stream_id', 'number', 'product_id', 'user_id', 'email'])
        .where('stream_id', '=', streamId)
        .orderBy('number')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        streamId: row.stream_id,
        number: row.number,
        productId: row.product_id ?? undefined,
        userId: row.user_id ?? undefined,
        email: row.email ?? undefined,
      }))
    },
    /** Streams that became a part of another. */
    listMergedStreams(streamId: string): Promise<Array<{ id: string; ref: string }>> {
      return db.selectFrom('event_streams').select(['id', 'ref']).where('merged_into', '=', streamId).execute()
    },
    /** The former ids of subscriptions that became a part of these. */
    async listMergedSubscriptions(ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('merged_subscriptions').select('id').where('successor_id', 'in', ids).execute()
      return rows.map(({ id }) => id)
    },
    /** Leaves the keyed hash where the address was; no address will claim it again. */
    async forgetAddress(subscriptionId: string, emailHash: string | undefined, at: number): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set((e) => ({
          email: null,
          link_closed_at: e.fn.coalesce('link_closed_at', e.val(at)),
          ...(emailHash !== undefined && { email_hash: emailHash }),
        }))
        .where('id', '=', subscriptionId)
        .execute()
    },
    /** Takes what products have linked to the account's own id from it: an id that is nobody's any more opens nothing. */
    async unlinkUserId(streamId: string, userId: string): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set({ product_user: null })
        .where('stream_id', '=', streamId)
        .where('product_user', '=', userId)
        .execute()
    },
    /** Closes the stream: later events are kept without an address. */
    async forgetStream(id: string, ref: string, at: number): Promise<void> {
      await db
        .updateTable('event_streams')
        .set((e) => ({ ref, buyer_forgotten_at: e.fn.coalesce('buyer_forgotten_at', e.val(at)) }))
        .where('id', '=', id)
        .execute()
    },
    /** Takes an address, or all of them, out of a stream's events; answers which notifications brought that events. */
    async forgetInEvents(streamId: string, email: string | undefined): Promise<string[]> {
      let update = db.updateTable('subscription_events').set({ email: null }).where('stream_id', '=', streamId)
      if (email !== undefined) update = update.where('email', '=', email)
      const rows = await update.returning('notification_id').execute()
      return rows.flatMap(({ notification_id }) => (notification_id === null ? [] : [notification_id]))
    },
    async isForgotten({ source, ref }: StreamKey): Promise<boolean> {
      const row = await db
        .selectFrom('event_streams as part')
        .innerJoin('event_streams as whole', (join) => join.on((e) => e('whole.id', '=', e.fn.coalesce('part.merged_into', 'part.id'))))
        .select('whole.buyer_forgotten_at')
        .where('part.source', '=', source)
        .where('part.ref', '=', ref)
        .executeTakeFirst()
      return row !== undefined && row.buyer_forgotten_at !== null
    },
  }
}
