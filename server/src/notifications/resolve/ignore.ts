import type { Transaction } from '../../storage/index.ts'
import { ignoreAsked } from '../attempts/ask-gateway.ts'
import type { NotificationOutcome } from '../notification.ts'
import type { HeldNotification } from '../pending/held-store.ts'
import { pendingStore } from '../pending/pending-store.ts'
import { notificationStore } from '../store.ts'
import { addressesIn } from './concerned.ts'
import type { ResolveDeps } from './resolve-deps.ts'

/** Ignores one that waits, or whose gateway is to be asked, or was in vain. Answers whether it was such a one. */
export async function ignore(
  tx: Transaction,
  id: string,
  pending: HeldNotification | undefined,
  { reason, at, approve }: { reason: string; at: number } & Pick<ResolveDeps, 'approve'>,
): Promise<boolean> {
  if (!pending) return ignoreAsked(tx, id, { reason, at })
  await approve?.(tx, { userIds: [], emails: addressesIn(pending.normalized) })
  await notificationStore(tx).process(id, { status: 'ignored', why: reason, at, ...keptOf(pending) })
  if (pending.normalized.stream.by !== 'gateway') await pendingStore(tx).endPending(id)
  return true
}

/** A gateway may send the same event in another notification. The kept event shows then that the operator ignores it. */
function keptOf({ normalized, subscriptionId, mismatch }: HeldNotification): Partial<NotificationOutcome> {
  return {
    ...(normalized.stream.by === 'gateway' && { normalized }),
    ...(subscriptionId !== undefined && { subscriptionId }),
    ...(mismatch && { mismatch }),
  }
}
