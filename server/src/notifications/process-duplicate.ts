import { mergeNormalized, resolveEvent } from '../payment-history/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Unresolved } from './notification.ts'
import { learnMore } from './pending/duplicates.ts'
import { holdPending } from './pending/hold-pending.ts'
import { type ProcessDeps, type Processing, process } from './process.ts'

/**
 * Processes a pending notification with the data of both copies; `undefined` when it does not wait. The second copy must be clear by
 * itself, as a delivery of it would have to be. Else a subscription from one copy and a plan from the other would make a payment of two
 * events that can't begin one.
 */
export async function processDuplicate(
  tx: Transaction,
  { id, source, normalized, processedAt }: Processing,
  deps: ProcessDeps,
): Promise<{ subscriptionId: string } | { unresolved: Unresolved } | undefined> {
  const { normalized: known } = (await holdPending(tx, id, deps)) ?? {}
  if (known?.stream.by !== 'gateway' || normalized.stream.by !== 'gateway') return undefined
  const again = { ...normalized, stream: normalized.stream }
  const alone = await resolveEvent(tx, source, normalized)
  if ('unresolved' in alone) {
    await learnMore(tx, id, again)
    return { unresolved: alone.unresolved }
  }
  const joined = mergeNormalized({ ...known, stream: known.stream }, again)
  const isClear = 'ref' in (await resolveEvent(tx, source, joined))
  return process(
    tx,
    { id, source, normalized: isClear ? joined : { ...joined, plan: normalized.plan }, ...(processedAt !== undefined && { processedAt }) },
    deps,
  )
}
