import { firstIdAt } from '../kit/index.ts'
import { inPortions, type NotificationRow, PORTION_MS, type Queryable, type Storage } from '../storage/index.ts'
import { addressesIn } from './buyers/addresses.ts'
import { buyerTermsOf } from './buyers/buyer-terms.ts'
import { termStore } from './buyers/term-store.ts'
import { NOT_RECEIVED, type NotificationStatus, type Unresolved } from './notification.ts'
import { isNotProcessed } from './store.ts'

/** Reasons of ours for which nothing follows from a notification, and nobody has decided anything. */
const NOTHING_FOLLOWS = [NOT_RECEIVED, 'duplicate' satisfies Unresolved]

/** A payload of some kilobytes is read again for each. */
const FIRST_SIZE = 8

/** A notification with the texts that it is found by. */
export type Removed = Pick<NotificationRow, 'id' | 'payload' | 'query' | 'buyer'>
export const REMOVED_COLUMNS = ['id', 'payload', 'query', 'buyer'] as const satisfies (keyof NotificationRow)[]

/** Removes notifications and what they are found by. */
export async function removeNotifications(tx: Queryable, removed: readonly Removed[]): Promise<void> {
  if (removed.length === 0) return
  const ids = removed.map(({ id }) => id)
  // The terms are deleted one by one: there is no index by notification.
  for (const { id, payload, query, buyer } of removed)
    await termStore(tx).forget(id, [
      ...addressesIn(payload, query ?? undefined, buyer ?? undefined),
      ...buyerTermsOf(payload),
      ...buyerTermsOf(buyer ?? undefined),
    ])
  await tx.deleteFrom('notifications').where('id', 'in', ids).execute()
}

/**
 * Removes tests, and notifications from which nothing follows, that came before a time (ms). What the operator has ignored stays, so that
 * it is ignored when it is sent again; so does what a later notification may still be about.
 */
export async function forgetIgnored({ address, transaction }: Storage, before: number): Promise<void> {
  const isPostgres = address.dialect === 'postgres'
  const portion = (size: number) =>
    transaction(async (tx) => {
      const due = ignoredBefore(tx, before).select(REMOVED_COLUMNS).limit(size)
      const removed = await (isPostgres ? due.forUpdate().skipLocked() : due).execute()
      await removeNotifications(tx, removed)
      return removed.length
    })
  await inPortions(portion, { portionMs: PORTION_MS[address.dialect], firstSize: FIRST_SIZE })
}

function ignoredBefore(tx: Queryable, before: number) {
  return tx
    .selectFrom('notifications')
    .where('status', 'in', ['ignored', 'test'] satisfies NotificationStatus[])
    .where(isNotProcessed())
    .where('id', '<', firstIdAt(before))
    .where('received_at', '<', before)
    .where((e) => e.or([e('why', 'is', null), e('why', 'in', NOTHING_FOLLOWS)]))
}
