import { type ApplyDeps, type GatewayStream, mergeNormalized, type NormalizedEvent, subjectsOf } from '../../payment-history/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { notificationStore } from '../store.ts'
import { asItWas, heldNotificationStore } from './held-store.ts'
import { lockNames } from './hold-pending.ts'
import { pendingStore } from './pending-store.ts'

/**
 * The oldest notification with the same event of a gateway's payment that was not applied: it waits, or the operator ignores it. Its names
 * stay locked, so nobody else can process it meanwhile.
 */
export async function findDuplicate(
  tx: Transaction,
  source: string,
  normalized: NormalizedEvent,
  deps: Pick<ApplyDeps, 'storage'>,
): Promise<string | undefined> {
  await lockNames(tx, normalized, deps)
  return normalized.stream.by === 'gateway' ? findSingleDuplicate(tx, source, { ...normalized, stream: normalized.stream }) : undefined
}

/** The same without the locks, which the caller has. */
export async function findSingleDuplicate(
  tx: Transaction,
  source: string,
  { stream, event }: NormalizedEvent & { stream: GatewayStream },
): Promise<string | undefined> {
  const [subject] = subjectsOf(stream)
  return subject === undefined
    ? undefined
    : pendingStore(tx).findDuplicate({ source, productId: stream.productId, subject, key: event.key })
}

/**
 * Adds the data of a second copy to a pending notification. It then waits under the new names too, since its payment may come under those.
 */
export async function learnMore(tx: Transaction, id: string, normalized: NormalizedEvent & { stream: GatewayStream }): Promise<void> {
  const held = await heldNotificationStore(tx).holdPending(id)
  if (held?.normalized.stream.by !== 'gateway') return
  const merged = mergeNormalized({ ...held.normalized, stream: held.normalized.stream }, normalized)
  await notificationStore(tx).process(id, { ...asItWas(held), normalized: merged })
  const names = subjectsOf(normalized.stream)
  await pendingStore(tx).wait(id, { source: held.source, productId: normalized.stream.productId, names, key: normalized.event.key })
}
