import type { Queryable } from '../../storage/index.ts'
import { type Subscription, subscriptionStore } from '../../subscriptions/index.ts'
import { isMore, joined, type PlanBy } from '../events/merge-events-store.ts'

/** The statements that make one stream a part of another. The caller holds both. */
export function mergeStore(db: Queryable) {
  return {
    /** Every address in the events of streams, in an order of its own. */
    async listAddresses(streamIds: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('subscription_events')
        .select('email')
        .distinct()
        .where('stream_id', 'in', streamIds)
        .where('email', 'is not', null)
        .execute()
      return rows.flatMap(({ email }) => email ?? []).sort()
    },
    /** Moves the events of a stream to another. An event that both have stays once. */
    async moveEvents(from: string, to: string, planBy: PlanBy): Promise<void> {
      const columns = [
        'key',
        'kind',
        'at',
        'plan_id',
        'email',
        'payment_id',
        'amount',
        'foreign_amount',
        'method',
        'period_start',
        'period_end',
        'notification_id',
        'recorded_at',
      ] as const
      await db
        .insertInto('subscription_events')
        .columns(['stream_id', ...columns])
        .expression((e) =>
          e
            .selectFrom('subscription_events')
            .select(({ val }) => [val(to).as('stream_id'), ...columns])
            .where('stream_id', '=', from),
        )
        .onConflict((conflict) => conflict.columns(['stream_id', 'key']).doUpdateSet(joined[planBy]).where(isMore(joined[planBy])))
        .execute()
      await db.deleteFrom('subscription_events').where('stream_id', '=', from).execute()
    },
    /** One pair of payments of two streams that an event, recorded in both, shows to be one. */
    async findSamePayment(streamId: string, otherId: string): Promise<[string, string] | undefined> {
      const row = await db
        .selectFrom('subscription_events as one')
        .innerJoin('subscription_events as other', 'other.key', 'one.key')
        .select(['one.payment_id as one_id', 'other.payment_id as other_id'])
        .where('one.stream_id', '=', streamId)
        .where('other.stream_id', '=', otherId)
        .whereRef('one.payment_id', '!=', 'other.payment_id')
        .limit(1)
        .executeTakeFirst()
      return row && row.one_id !== null && row.other_id !== null ? [row.one_id, row.other_id] : undefined
    },
    /** Payments of a stream with this time (ms) and without a name. */
    async listUnnamed(streamId: string, at: number): Promise<string[]> {
      const rows = await db
        .selectFrom('subscription_events')
        .select('key')
        .where('stream_id', '=', streamId)
        .where('at', '=', at)
        .where('kind', '=', 'paid')
        .whereRef('payment_id', '=', 'key')
        .execute()
      return rows.map(({ key }) => key)
    },
    /** Gives several names of a payment one id, in the events of these streams. */
    async renamePayments(streamIds: readonly string[], paymentIds: readonly string[], paymentId: string): Promise<void> {
      await db
        .updateTable('subscription_events')
        .set({ payment_id: paymentId })
        .where('stream_id', 'in', streamIds)
        .where('payment_id', 'in', paymentIds)
        .execute()
    },
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
