import { recordAudit } from '../../audit/index.ts'
import type { Announce } from '../../changes/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { askAgain } from '../attempts/ask-gateway.ts'
import { attemptStore } from '../attempts/attempt-store.ts'
import { stopwatch } from '../attempts/attempts.ts'
import { statusOf } from '../notification.ts'
import { holdPending } from '../pending/hold-pending.ts'
import { process } from '../process.ts'
import { addressesIn, listenTo } from './concerned.ts'
import { nameOf, type ResolveDeps, type ResolveRefusal } from './resolve-deps.ts'

/** `asked`: its gateway is being asked, and says later what comes of it. */
export type Reprocessed = { subscriptionId: string } | { asked: true } | ResolveRefusal

/**
 * Tries a notification again: a pending one, as after a plan was made, or one that was given up or waits for its gateway: that is asked at
 * once. Audited when it comes to something.
 */
export function reprocessNotification(id: string, deps: ResolveDeps): Promise<Reprocessed> {
  return deps.changes.transaction((tx, announce) => reprocessInside(tx, announce, id, deps))
}

/** The same inside a transaction of the caller's. */
export async function reprocessInside(
  tx: Transaction,
  announce: Announce,
  id: string,
  { storage, sealer, now, actor, approve, runId }: Omit<ResolveDeps, 'changes'>,
): Promise<Reprocessed> {
  const at = now()
  const elapsed = stopwatch()
  const pending = await holdPending(tx, id, { storage })
  if (!pending) {
    const asked = await askAgain(tx, id, { actor: nameOf(actor), runId }, { sealer, at })
    if (asked === undefined) return { refusal: 'not_pending' }
    if (asked === 'asked') await recordAudit(tx, { actor, action: 'notification.reprocess', target: id, after: { asked: true } }, at)
    return { asked: true }
  }
  const { source, normalized } = pending
  const { recordingAnnounce, userIds } = listenTo(announce)
  const processed = await process(tx, { id, source, normalized, processedAt: at }, { announce: recordingAnnounce, storage, sealer, at })
  await approve?.(tx, { userIds: [...userIds], emails: addressesIn(normalized) })
  const attempt = { kind: 'retry', at, actor: nameOf(actor), runId } as const
  if ('unresolved' in processed) {
    const { unresolved: why } = processed
    await attemptStore(tx).note(id, { ...attempt, ms: elapsed(), outcome: statusOf(why), why })
    return { refusal: 'still_unresolved', why }
  }
  await attemptStore(tx).note(id, { ...attempt, ms: elapsed(), outcome: 'processed' })
  await recordAudit(tx, { actor, action: 'notification.reprocess', target: id }, at)
  return processed
}
