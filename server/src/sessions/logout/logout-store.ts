import { prepare, type Queryable, slicesOf, type Transaction } from '../../storage/index.ts'

const selectNotifiedProducts = prepare((db: Queryable) =>
  db.selectFrom('products').select('id').where('backchannel_logout_uri', 'is not', null),
)

/** The products that are notified when a session they knew has ended. Mostly none: this is all that a sign-out costs then. */
export async function listNotifiedProducts(tx: Transaction): Promise<string[]> {
  const { rows } = await selectNotifiedProducts(tx, {})
  return rows.map(({ id }) => id)
}

/** Which of these sessions of the domain went to which of these products by redirect. */
export async function listHandedOver(
  tx: Transaction,
  sessionIds: readonly string[],
  productIds: readonly string[],
): Promise<Array<{ sessionId: string; productId: string }>> {
  if (sessionIds.length === 0 || productIds.length === 0) return []
  const found: Array<{ sessionId: string; productId: string }> = []
  for (const slice of slicesOf(sessionIds)) {
    const handedOver = tx.selectFrom('session_products').select(['session_id', 'product_id']).where('session_id', 'in', slice)
    const rows = await handedOver.where('product_id', 'in', productIds).execute()
    found.push(...rows.map(({ session_id, product_id }) => ({ sessionId: session_id, productId: product_id })))
  }
  return found
}

/** Which of these products a user has agreed to share data with. */
export async function listConsented(tx: Transaction, userId: string, productIds: readonly string[]): Promise<string[]> {
  if (productIds.length === 0) return []
  const own = tx.selectFrom('consents').select('product_id').where('user_id', '=', userId).where('product_id', 'in', productIds)
  return (await own.orderBy('product_id').execute()).map(({ product_id }) => product_id)
}

/** Notes that a product receives a session of the domain. The caller holds that session, so that no end of it misses the row. */
export async function putHandedOver(tx: Transaction, sessionId: string, productId: string): Promise<void> {
  const row = { session_id: sessionId, product_id: productId }
  await tx
    .insertInto('session_products')
    .values(row)
    .onConflict((conflict) => conflict.columns(['session_id', 'product_id']).doNothing())
    .execute()
}

export async function findUserOf(tx: Transaction, sessionId: string): Promise<string | undefined> {
  return (await tx.selectFrom('sessions').select('user_id').where('id', '=', sessionId).executeTakeFirst())?.user_id
}
