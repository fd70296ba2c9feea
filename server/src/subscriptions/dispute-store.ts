import type { Queryable } from '../storage/index.ts'
import type { PaymentKind } from './payment-event.ts'
import type { LineKey } from './subscription.ts'

export function disputeStore(db: Queryable) {
  return {
    /** Whether the newest event of a dispute about a payment is that there is one. */
    async isDisputed({ source, ref }: LineKey, paymentId: string): Promise<boolean> {
      const row = await db
        .selectFrom('subscription_lines')
        .innerJoin('subscription_events', 'subscription_events.line_id', 'subscription_lines.id')
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
