import type { Queryable } from '../storage/index.ts'

/** A gateway's payment as it was first told of: its id there, and whose line it belongs to. */
export interface KnownPayment {
  paymentId: string
  lineRef: string
}

/** Under which names a gateway speaks of a payment. */
export function paymentStore(db: Queryable) {
  return {
    async find(gateway: string, productId: string, names: readonly string[]): Promise<KnownPayment | undefined> {
      if (names.length === 0) return undefined
      const row = await db
        .selectFrom('gateway_payments')
        .select(['payment_id', 'line_ref'])
        .where('gateway', '=', gateway)
        .where('product_id', '=', productId)
        .where('alias', 'in', names)
        .limit(1)
        .executeTakeFirst()
      return row && { paymentId: row.payment_id, lineRef: row.line_ref }
    },
    /** Writes under which name a notification waits for its payment or subscription: that of the delivery can be one that no other news has. */
    async waitUnder(notificationId: string, subject: string): Promise<void> {
      await db.updateTable('notifications').set({ subject }).where('id', '=', notificationId).execute()
    },
    /** Remembers the names of a payment; a name that is known stays with the payment it has. */
    async remember(gateway: string, productId: string, names: readonly string[], { paymentId, lineRef }: KnownPayment): Promise<void> {
      if (names.length === 0) return
      await db
        .insertInto('gateway_payments')
        .values(names.map((alias) => ({ gateway, product_id: productId, alias, payment_id: paymentId, line_ref: lineRef })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
  }
}
