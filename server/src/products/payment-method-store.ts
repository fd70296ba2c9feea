import type { Queryable } from '../storage/index.ts'
import { GATEWAYS, METHODS, type PaymentMethod } from './payment-methods.ts'

/** The gateway of each payment method of a product. */
export function paymentMethodStore(db: Queryable) {
  return {
    async setPaymentMethods(productId: string, methods: readonly PaymentMethod[]): Promise<void> {
      await db.deleteFrom('product_payment_methods').where('product_id', '=', productId).execute()
      if (methods.length === 0) return
      await db
        .insertInto('product_payment_methods')
        .values(methods.map((entry) => ({ ...entry, product_id: productId })))
        .execute()
    },
    async listPaymentMethods(productId: string): Promise<PaymentMethod[]> {
      const rows = await db
        .selectFrom('product_payment_methods')
        .select(['method', 'gateway'])
        .where('product_id', '=', productId)
        .execute()
      return METHODS.flatMap((method) => {
        const gateway = GATEWAYS.find((name) => rows.some((row) => row.method === method && row.gateway === name))
        return gateway ? [{ method, gateway }] : []
      })
    },
  }
}
