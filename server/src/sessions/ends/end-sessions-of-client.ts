import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { inPortions } from '../../storage/index.ts'
import type { EndReason } from './end-reason.ts'
import { sessionEndStore } from './end-store.ts'
import { recordEnded } from './record-ended.ts'

/** Ends the sessions of a client that describes itself, a portion at a time; every node refuses each within 2 s. Answers how many. */
export async function endSessionsOfClient(clientId: string, { changes, now }: { changes: ChangeFeed; now: Now }): Promise<number> {
  return inPortions(async (limit) => {
    const ended = await changes.transaction(async (tx, announce) => {
      const next = await sessionEndStore(tx).endNextOfClient(clientId, 'operator' satisfies EndReason, { at: now(), limit })
      for (const { id: subject } of next) announce({ kind: 'session_ended', subject })
      await recordEnded(tx, next, 'operator', { now })
      return next
    })
    return ended.length
  })
}
