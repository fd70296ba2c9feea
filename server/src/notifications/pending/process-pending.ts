import { type AddEvent, aliasSource, resolveEvent, subjectsOf } from '../../payment-history/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { PendingFor } from './pending-for.ts'
import type { Progress } from './pending-progress.ts'
import { MAX_HELD, type PendingNotification, pendingStore } from './pending-store.ts'

/**
 * Adds the notifications that wait under these names, each once, and those under names that they bring. A notification that still lacks
 * something waits on. The search is repeated as long as it processes anything: the plan or the stream of the next one may have come with
 * it. Answers the rest that is left after one portion.
 */
export function processPendingFor(tx: Transaction, add: AddEvent, { source, productId, names }: PendingFor): Promise<Progress | undefined> {
  return processPortion(tx, add, { source, productId, names: [...names], after: '', hasProcessed: false })
}

export async function processPortion(tx: Transaction, add: AddEvent, from: Progress): Promise<Progress | undefined> {
  let at: Progress | undefined = from
  for (let room = MAX_HELD; at && room > 0; ) {
    const { held, last }: { held: PendingNotification[]; last: string | undefined } = await pendingStore(tx).hold(at, at.names, {
      after: at.after,
      limit: room,
    })
    const processed: PendingNotification[] = []
    for (const one of held) if (await tryOne(tx, add, from.source, one)) processed.push(one)
    at = await goOn(tx, at, { last, processed })
    room -= Math.max(1, held.length)
  }
  return at
}

/** The next step: the following notifications, or, at the end, the first ones again if this round processed any. */
async function goOn(
  tx: Transaction,
  at: Progress,
  { last, processed }: { last: string | undefined; processed: readonly PendingNotification[] },
): Promise<Progress | undefined> {
  const given = [...new Set(processed.flatMap(({ normalized: { stream } }) => (stream.by === 'gateway' ? subjectsOf(stream) : [])))]
  const fresh = given.filter((name) => !at.names.includes(name))
  const names = fresh.length === 0 ? at.names : [...at.names, ...(await pendingStore(tx).addPending(at, fresh))]
  const hasProcessed = at.hasProcessed || processed.length > 0
  if (last !== undefined) return { ...at, names, after: last, hasProcessed }
  return hasProcessed ? { ...at, names, after: '', hasProcessed: false } : undefined
}

async function tryOne(tx: Transaction, add: AddEvent, by: string, { id, normalized }: PendingNotification): Promise<boolean> {
  const source = aliasSource(by, normalized)
  const found = await resolveEvent(tx, source, normalized)
  if ('unresolved' in found || (normalized.isApplied && found.isPlanMissing)) return false
  await add({ notificationId: id, source, normalized }, found)
  if (!found.isPlanMissing) await pendingStore(tx).endPending(id)
  return true
}
