import type { Queryable } from '../../storage/index.ts'
import type { StreamKey } from '../../subscriptions/index.ts'
import type { PaymentKind } from './payment-event.ts'

export function disputeStore(db: Queryable) {
  return {
    /** Whether the newest event of a dispute about a payment is that there is one. */
    async isDisputed({ source, ref }: StreamKey, paymentId: string): Promise<boolean> {
      const row = await db
        .selectFrom('event_streams')
        .innerJoin('subscription_events', 'subscription_events.stream_id', 'event_streams.id')
        .select('kind')
        .where('source', '=', source)
        .where('ref', '=', ref)
        .where('payment_id', '=', paymentId)
        .where('kind', 'in', ['disputed', 'dispute_won', 'dispute_lost'] satisfies PaymentKind[])
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.kind === ('disputed' satisfies PaymentKind)
    },
  }
}
