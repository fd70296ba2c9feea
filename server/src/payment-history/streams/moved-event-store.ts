import type { Queryable } from '../../storage/index.ts'
import { isMore, joined, type PlanBy } from '../events/merge-events-store.ts'

/** The events of streams that become one. The caller holds both. */
export function movedEventStore(db: Queryable) {
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
        'period_price',
        'purchase_amount',
        'method',
        'period_start',
        'period_end',
        'period_stated_at',
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
  }
}
