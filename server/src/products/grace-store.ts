import { prepare, type Queryable } from '../storage/index.ts'
import { METHODS, type PaymentMethod } from './payment-methods.ts'

/** A product's days of grace after an unpaid end, by payment method; a missing method has the usual days. */
export type GraceDays = Partial<Record<PaymentMethod['method'], number>>

const MAX_GRACE_DAYS = 60

/** Reads `pix=10`; `undefined` for an unknown method, and unless the days are a whole number from 0 to 60. */
export function parseGrace(text: string): { method: PaymentMethod['method']; days: number } | undefined {
  const match = /^([a-z]+)=(\d{1,2})$/.exec(text)
  const method = METHODS.find((name) => name === match?.[1])
  const days = Number(match?.[2])
  return method && days <= MAX_GRACE_DAYS ? { method, days } : undefined
}

export async function listGraceDays(db: Queryable, productId: string): Promise<GraceDays> {
  const { rows } = await readGraceDays(db, { productId })
  return Object.fromEntries(METHODS.flatMap((method) => rows.filter((row) => row.method === method).map(({ days }) => [method, days])))
}

const readGraceDays = prepare((db, { productId }: { productId: string }) =>
  db.selectFrom('product_grace_days').select(['method', 'days']).where('product_id', '=', productId),
)

/** Sets the days of the given methods; the others stay as they are. */
export async function setGraceDays(db: Queryable, productId: string, graceDays: GraceDays): Promise<void> {
  const rows = Object.entries(graceDays).map(([method, days]) => ({ product_id: productId, method, days }))
  await db
    .insertInto('product_grace_days')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['product_id', 'method']).doUpdateSet((e) => ({ days: e.ref('excluded.days') })))
    .execute()
}
