import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { type Copy, findCopy, forgetCopy, hasFence, isReadOnly, lowerFence, type Storage } from '../../storage/index.ts'
import { inTurn, type NeverFree } from './claim-source.ts'

/** Several processes may be at the same copy. */
const MAX_TRIES = 5

/** There was a fence, and no note of a copy. */
export interface OnlyFence {
  onlyFence: true
}

/**
 * Lets a source be written again. Killed between two tables it goes on when it is run again: the note of the copy goes last. A fence
 * without a note is removed too.
 */
export async function giveUpCopy({
  storage,
  changes,
  now,
  actor,
  ...waiting
}: {
  storage: Storage
  changes: Pick<ChangeFeed, 'transaction'>
  now: Now
  actor: Actor
  timeoutMs?: number
  onWait: () => void
}): Promise<Copy | OnlyFence | { refusal: 'no_copy' } | NeverFree> {
  const copy = await findCopy(storage.db)
  if (!copy && !(await hasFence(storage))) return { refusal: 'no_copy' }
  const forget = () =>
    changes.transaction(async (tx, announce) => {
      if (copy) await forgetCopy(tx)
      const before = copy ? { to: copy.to, done: copy.doneAt !== undefined } : { fence: true }
      await recordAudit(tx, { actor, action: 'database.copy_give_up', target: copy?.id ?? 'database', before }, now())
      if (copy) announce({ kind: 'copy_changed', subject: copy.id })
      return copy ?? { onlyFence: true as const }
    })
  const given = await openAndForget(storage, () => inTurn(forget, waiting))
  // The copy may have fenced a table behind us, and have seen its note then.
  await lowerFence(storage)
  return given
}

/** A copy that is still fencing table after table may fence those of the note behind us. It fences each of them once. */
async function openAndForget<T>(storage: Storage, forget: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await lowerFence(storage)
    try {
      return await forget()
    } catch (error) {
      if (!isReadOnly(error) || attempt === MAX_TRIES) throw error
    }
  }
}
