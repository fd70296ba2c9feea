import { DAY_MS, type Now } from '../../kit/index.ts'
import { subjectsOf } from '../../payment-history/index.ts'
import { inPortions, type Storage, type Transaction } from '../../storage/index.ts'
import { forgetUnkept } from '../buyers/forget-unkept.ts'
import { NOT_RECEIVED, type Unresolved } from '../notification.ts'
import { notificationStore } from '../store.ts'
import { endPendingStore } from './end-pending-store.ts'
import { holdPending } from './hold-pending.ts'
import { type AccountKey, pendingStore } from './pending-store.ts'

/** Every gateway has long stopped to repeat a delivery by then, and half a year was open to reconciliation. */
const MAX_PENDING_MS = 180 * DAY_MS

/**
 * Ends the wait of notifications about payments that never came: most belong to another shop with the same account. A notification that a
 * later one may still resolve waits on, however old it is, and so does one for the operator.
 */
export async function endLongPending({ storage, now }: { storage: Storage; now: Now }): Promise<void> {
  const at = now()
  const before = at - MAX_PENDING_MS
  let after = ''
  await inPortions(async (limit) => {
    const ids = await endPendingStore(storage.db).listForPayment({ before, after, limit })
    for (const id of ids) await storage.transaction((tx) => endOne(tx, id, { storage, before, at }))
    after = ids.at(-1) ?? after
    return ids.length
  })
}

async function endOne(
  tx: Transaction,
  id: string,
  { storage, before, at }: { storage: Storage; before: number; at: number },
): Promise<void> {
  const held = await holdPending(tx, id, { storage })
  if (held?.normalized.stream.by !== 'gateway' || held.why !== ('unknown_payment' satisfies Unresolved)) return
  const { stream } = held.normalized
  if (await isStillPending(tx, { source: held.source, productId: stream.productId }, { names: subjectsOf(stream), before })) return
  await notificationStore(tx).process(id, { status: 'ignored', why: NOT_RECEIVED, at })
  await forgetUnkept(tx, id, held.normalized.email)
  await pendingStore(tx).endPending(id)
}

/** Whether a notification under these names, or under names that those lead to, may still be processed. Then all of them may. */
async function isStillPending(
  tx: Transaction,
  account: AccountKey,
  { names, before }: { names: readonly string[]; before: number },
): Promise<boolean> {
  const known = new Set<string>()
  for (let fresh = names; fresh.length > 0; ) {
    for (const name of fresh) known.add(name)
    const together = await endPendingStore(tx).listTogether(account, fresh)
    if (together.some(({ why, receivedAt }) => why !== ('unknown_payment' satisfies Unresolved) || receivedAt >= before)) return true
    fresh = [...new Set(together.map(({ name }) => name))].filter((name) => !known.has(name))
  }
  return false
}
