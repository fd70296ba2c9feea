import type { Transaction } from '../../storage/index.ts'
import { listHearing, recordEvent } from '../event-store.ts'
import { removeReportedUser, scrubEventsOf } from './forget-user-store.ts'

/**
 * Reports that a user is gone to all who hear of them, and scrubs what is stored of the events about them, in the transaction that removes
 * the user: events and answers, and what waits. A scrubbed delivery is over, and `user.deleted` says all that is left to say.
 */
export async function forgetUserInEvents(tx: Transaction, userId: string, at: number): Promise<void> {
  // First: it waits for a look that is under way, whose event the scrubbing has to find.
  const known = await removeReportedUser(tx, userId)
  await scrubEventsOf(tx, userId)
  if (known.length === 0) return
  const hearing = new Set(await listHearing(tx, 'user.deleted'))
  for (const { productId, sequence: before } of known) {
    if (!hearing.has(productId)) continue
    const sequence = Math.max(before + 1, at)
    const data = { sequence, product_id: productId ?? null, user_id: userId }
    await recordEvent(tx, { type: 'user.deleted', productId, subject: userId, sequence, data }, at)
  }
}
