import type { Queryable, Transaction } from '../../storage/index.ts'
import { OPERATOR } from './mark-store.ts'

const PERSONAL = ['user.created', 'user.updated'] as const

/**
 * Scrubs the personal data of the events about a user, ends their deliveries, and forgets what the apps have answered; of one product's
 * events where that one is given.
 */
export async function scrubEventsOf(tx: Transaction, userId: string, productId?: string): Promise<void> {
  const about = (db: Queryable) => {
    const all = db.selectFrom('app_events').select('id').where('subject', '=', userId)
    return productId === undefined ? all : all.where('product_id', '=', productId)
  }
  // The deliveries first: an attempt that is being written down holds its row, so none comes in behind the scrubbing.
  const ended = tx.updateTable('event_deliveries').set({ state: 'scrubbed', next_at: null })
  await ended
    .where('event_id', 'in', about(tx).where('type', 'in', PERSONAL))
    .where('state', '!=', 'delivered')
    .execute()
  const scrubbed = tx.updateTable('app_events').set({ data: null })
  await scrubbed.where('id', 'in', about(tx).where('type', 'in', PERSONAL)).execute()
  await tx.updateTable('event_attempts').set({ answer: null }).where('event_id', 'in', about(tx)).where('answer', 'is not', null).execute()
}

/** Answers who knew the user; `undefined`: the operator. */
export async function removeReportedUser(
  tx: Transaction,
  userId: string,
): Promise<Array<{ productId: string | undefined; sequence: number }>> {
  const rows = await tx.deleteFrom('reported_users').where('user_id', '=', userId).returning(['product_id', 'sequence']).execute()
  return rows.map(({ product_id, sequence }) => ({ productId: product_id === OPERATOR ? undefined : product_id, sequence }))
}
