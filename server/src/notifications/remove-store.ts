import type { ExpressionBuilder } from 'kysely'
import { firstIdAt } from '../kit/index.ts'
import { inPortions, type NotificationRow, PORTION_MS, type Schema, type Storage, type Transaction } from '../storage/index.ts'
import type { AttemptKind, AttemptOutcome } from './attempts/attempt-store.ts'
import { addressesIn } from './buyers/addresses.ts'
import { buyerTermsOf } from './buyers/buyer-terms.ts'
import { termStore } from './buyers/term-store.ts'
import { NOT_RECEIVED, type NotificationStatus, type Unresolved } from './notification.ts'
import { isNotProcessed } from './store.ts'

/** Reasons of ours for which nothing follows from a notification, and nobody has decided anything. */
const NOTHING_FOLLOWS = [NOT_RECEIVED, 'duplicate' satisfies Unresolved]

/** A payload of some kilobytes is read again for each. */
const FIRST_SIZE = 8
/** In one round: some seconds of work. The next round goes on. */
const MOST = 20_000

/** A notification with the texts that it is found by. */
export type Removed = Pick<NotificationRow, 'id' | 'payload' | 'query' | 'buyer'>
export const REMOVED_COLUMNS = ['id', 'payload', 'query', 'buyer'] as const satisfies (keyof NotificationRow)[]

/** Removes notifications and what they are found by. */
export async function removeNotifications(tx: Transaction, removed: readonly Removed[]): Promise<void> {
  if (removed.length === 0) return
  const ids = removed.map(({ id }) => id)
  // The terms are deleted one by one: there is no index by notification.
  for (const { id, payload, query, buyer } of removed)
    await termStore(tx).forget(id, [
      ...addressesIn(payload, query ?? undefined, buyer ?? undefined),
      ...buyerTermsOf(payload),
      ...buyerTermsOf(buyer ?? undefined),
    ])
  await tx.deleteFrom('pending_notifications').where('notification_id', 'in', ids).execute()
  await tx.deleteFrom('notifications').where('id', 'in', ids).execute()
}

/**
 * Removes tests, and notifications from which nothing follows, that came before a time (ms): so many at most. What an operator has ignored
 * stays, so that it is ignored when it is sent again; so does what a later notification may still be about.
 */
export async function forgetIgnored({ address, transaction }: Storage, before: number): Promise<void> {
  let left = MOST
  for (const status of ['ignored', 'test'] as const) {
    let after = ''
    const portion = async (size: number) => {
      const removed = await transaction(async (tx) => {
        const due = dueAfter(tx, after, { status, before }).limit(Math.min(size, left))
        const rows = await (address.dialect === 'postgres' ? due.forUpdate('notifications').skipLocked() : due).execute()
        await removeNotifications(tx, rows)
        return rows
      })
      after = removed.at(-1)?.id ?? after
      left -= removed.length
      return removed.length
    }
    await inPortions(portion, { portionMs: PORTION_MS[address.dialect], firstSize: FIRST_SIZE })
  }
}

function dueAfter(tx: Transaction, after: string, { status, before }: { status: NotificationStatus; before: number }) {
  return tx
    .selectFrom('notifications')
    .select(REMOVED_COLUMNS)
    .where('status', '=', status)
    .where(isNotProcessed())
    .where('id', '>', after)
    .where('id', '<', firstIdAt(before))
    .where('received_at', '<', before)
    .where((e) => e.or([e('why', 'is', null), e('why', 'in', NOTHING_FOLLOWS)]))
    .where((e) => e.not(e.exists(isIgnoredByOperator(e))))
    .orderBy('id')
}

/** An operator’s reason may read like one of ours. */
function isIgnoredByOperator(e: ExpressionBuilder<Schema, 'notifications'>) {
  return e
    .selectFrom('notification_attempts')
    .select('notification_attempts.id')
    .whereRef('notification_id', '=', 'notifications.id')
    .where('kind', '=', 'resolution' satisfies AttemptKind)
    .where('outcome', '=', 'ignored' satisfies AttemptOutcome)
}
