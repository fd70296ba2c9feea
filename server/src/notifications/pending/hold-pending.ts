import type { ApplyDeps, NormalizedEvent } from '../../payment-history/index.ts'
import { type Transaction, takeLockOnPayment } from '../../storage/index.ts'
import { type HeldNotification, heldNotificationStore } from './held-store.ts'
import { pendingNames } from './pending-for.ts'

/**
 * The normalized event of a pending notification, its row held until the transaction ends; `undefined` when it does not wait. The names of
 * its payment are locked before the row, in the order of a delivery, so no two transactions wait for each other. The event may get more
 * names meanwhile, so this repeats until all are locked.
 */
export async function holdPending(tx: Transaction, id: string, deps: Pick<ApplyDeps, 'storage'>): Promise<HeldNotification | undefined> {
  const notifications = heldNotificationStore(tx)
  const locked = new Set<string>()
  for (;;) {
    const normalized = await notifications.readPending(id)
    const names = normalized ? pendingNames(normalized).filter((name) => !locked.has(name)) : []
    if (names.length === 0) return notifications.holdPending(id)
    for (const name of names) {
      await takeLockOnPayment(tx, name, deps.storage)
      locked.add(name)
    }
  }
}

/**
 * Locks the names of a payment, so a payment and its refund that arrive together see each other. Else the refund could wait for a payment
 * that is there. The order is fixed, so no two transactions wait for each other.
 */
export async function lockNames(tx: Transaction, normalized: NormalizedEvent, { storage }: Pick<ApplyDeps, 'storage'>): Promise<void> {
  for (const name of pendingNames(normalized)) await takeLockOnPayment(tx, name, storage)
}
