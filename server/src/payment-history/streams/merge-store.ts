import type { Queryable } from '../../storage/index.ts'
import { type Subscription, subscriptionStore } from '../../subscriptions/index.ts'

/** The statements that make one stream a part of another. The caller holds both. */
export function mergeStore(db: Queryable) {
  return {
    async removeSubscriptions(streamId: string): Promise<{ removed: Subscription[]; emailHashes: string[] }> {
      const rows = await db.selectFrom('subscriptions').select('email_hash').where('stream_id', '=', streamId).execute()
      const emailHashes = rows.flatMap(({ email_hash }) => email_hash ?? [])
      return { removed: await subscriptionStore(db).removeFrom(streamId, 0), emailHashes }
    },
    /** Makes a stream, and those that are a part of it, a part of another. The row stays, since other rows name it. */
    async pointTo(streamId: string, whole: string): Promise<void> {
      await db
        .updateTable('event_streams')
        .set({ merged_into: whole })
        .where((e) => e.or([e('id', '=', streamId), e('merged_into', '=', streamId)]))
        .execute()
    },
    /** Closes the stream: no address is added any more. */
    async closeToAddresses(streamId: string, at: number): Promise<void> {
      await db
        .updateTable('event_streams')
        .set((e) => ({ buyer_forgotten_at: e.fn.coalesce('buyer_forgotten_at', e.val(at)) }))
        .where('id', '=', streamId)
        .execute()
    },
    /** Subscriptions that no address links since their buyer was forgotten. Those that the operator closed before are left out. */
    async listForgotten(streamIds: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('subscriptions')
        .innerJoin('event_streams', 'event_streams.id', 'stream_id')
        .select('subscriptions.id')
        .where('stream_id', 'in', streamIds)
        .where('email', 'is', null)
        .where('user_id', 'is', null)
        .whereRef('link_closed_at', '>=', 'buyer_forgotten_at')
        .execute()
      return rows.map(({ id }) => id)
    },
    /** Remembers the successor of subscriptions that are gone. Notifications still name them. */
    async replace(ids: readonly string[], successorId: string): Promise<void> {
      if (ids.length === 0) return
      await db.updateTable('merged_subscriptions').set({ successor_id: successorId }).where('successor_id', 'in', ids).execute()
      await db
        .insertInto('merged_subscriptions')
        .values(ids.map((id) => ({ id, successor_id: successorId })))
        .execute()
    },
    async setLinks(
      id: string,
      {
        userId,
        productUser,
        linkClosedAt,
        emailHash,
      }: Pick<Subscription, 'userId' | 'productUser' | 'linkClosedAt'> & { emailHash: string | undefined },
    ): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set((e) => ({
          user_id: userId ?? null,
          product_user: productUser ?? null,
          link_closed_at: linkClosedAt ?? null,
          email_hash: e.fn.coalesce('email_hash', e.val(emailHash ?? null)),
        }))
        .where('id', '=', id)
        .execute()
    },
  }
}
