import { sql } from 'kysely'
import type { Queryable, Transaction } from '../../storage/index.ts'

/** A user as one product, or the operator (empty), knows them. */
export interface Known {
  productId: string
  userId: string
}

/** The state that was last reported: empty for none, `undefined` where it is not known. */
export interface Reported {
  sequence: number
  state: string | undefined
}

export async function listDue(db: Queryable, limit: number): Promise<Known[]> {
  const due = db.selectFrom('reported_users').select(['product_id', 'user_id']).where('due', 'is not', null)
  const rows = await due.orderBy('product_id').orderBy('user_id').limit(limit).execute()
  return rows.map(({ product_id: productId, user_id: userId }) => ({ productId, userId }))
}

/** Takes a due user, and holds the row until the transaction ends: of any number of nodes exactly one gets it. */
export async function takeDue(tx: Transaction, { productId, userId }: Known): Promise<Reported | undefined> {
  const row = await tx
    .updateTable('reported_users')
    .set({ due: null })
    .where('product_id', '=', productId)
    .where('user_id', '=', userId)
    .where('due', 'is not', null)
    .returning(['sequence', 'state'])
    .executeTakeFirst()
  return row && { sequence: row.sequence, state: row.state ?? undefined }
}

export async function putReported(tx: Transaction, { productId, userId }: Known, { sequence, state }: { sequence: number; state: string }) {
  const own = tx.updateTable('reported_users').set({ sequence, state }).where('product_id', '=', productId)
  await own.where('user_id', '=', userId).execute()
}

export async function removeReported(tx: Transaction, { productId, userId }: Known): Promise<void> {
  await tx.deleteFrom('reported_users').where('product_id', '=', productId).where('user_id', '=', userId).execute()
}

/** Whether anybody hears of users. */
export async function isAnyHearing(db: Queryable): Promise<boolean> {
  const { rows } = await sql`select 1 from event_endpoints where types like '%user.%' limit 1`.execute(db)
  return rows.length > 0
}
