import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { inPortions } from '../../storage/index.ts'
import type { EndReason } from './end-reason.ts'
import { sessionEndStore } from './end-store.ts'
import { recordEnded } from './record-ended.ts'

/**
 * Signs everyone out: ends every session that began before this moment, with what hangs on it, a portion at a time. Every node refuses each
 * within 2 s, and the apps that knew them are notified. The start is recorded first, so an interrupted run can be begun again. Answers how
 * many it ended. `restored`: nobody is served yet, so none of the sessions is too new, whatever clock dated it.
 */
export async function endEverySession({
  changes,
  actor,
  now,
  reason = 'operator',
}: {
  changes: ChangeFeed
  actor: Actor
  now: Now
  reason?: Extract<EndReason, 'operator' | 'restored'>
}): Promise<number> {
  const at = now()
  const begunBy = reason === 'restored' ? Number.MAX_SAFE_INTEGER : at
  await changes.transaction((tx) => recordAudit(tx, { actor, action: 'session.revoke_all', target: 'sessions' }, at))
  let after = ''
  let all = 0
  await inPortions(async (limit) => {
    const { reached, ended } = await changes.transaction(async (tx, announce) => {
      const next = await sessionEndStore(tx).endNext(reason, { at, begunBy, after, limit })
      for (const { id: subject } of next.ended) announce({ kind: 'session_ended', subject })
      await recordEnded(tx, next.ended, reason, { now })
      return next
    })
    for (const { id } of reached) if (id > after) after = id
    all += ended.length
    return reached.length
  })
  return all
}
