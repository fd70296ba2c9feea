import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { type Copy, findCopy, forgetCopy, lowerFence, type Storage } from '../../storage/index.ts'
import { inTurn, type NeverFree } from './claim-source.ts'

/** Lets a source be written again. Killed between two tables it goes on when it is run again: the note of the copy goes last. */
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
}): Promise<Copy | { refusal: 'no_copy' } | NeverFree> {
  const copy = await findCopy(storage.db)
  if (!copy) return { refusal: 'no_copy' }
  await lowerFence(storage)
  const forget = () =>
    changes.transaction(async (tx, announce) => {
      await forgetCopy(tx)
      const before = { to: copy.to, done: copy.doneAt !== undefined }
      await recordAudit(tx, { actor, action: 'database.copy_give_up', target: copy.id, before }, now())
      announce({ kind: 'copy_changed', subject: copy.id })
      return copy
    })
  return inTurn(forget, waiting)
}
