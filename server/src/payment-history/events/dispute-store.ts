import type { Queryable } from '../../storage/index.ts'
import type { StreamKey } from '../../subscriptions/index.ts'
import { toEvent } from './event-row.ts'
import { withSource } from './event-store.ts'
import { inOrder, type PaymentEvent, type PaymentKind } from './payment-event.ts'

export function disputeStore(db: Queryable) {
  return {
    /** The events of a payment's disputes, in order. */
    async list({ source, ref }: StreamKey, paymentId: string): Promise<PaymentEvent[]> {
      const stream = db.selectFrom('event_streams').select('id').where('source', '=', source).where('ref', '=', ref)
      const rows = await withSource(db)
        .where('stream_id', 'in', stream)
        .where('payment_id', '=', paymentId)
        .where('kind', 'in', ['disputed', 'dispute_won', 'dispute_lost'] satisfies PaymentKind[])
        .execute()
      return inOrder(rows.map(toEvent))
    },
  }
}
