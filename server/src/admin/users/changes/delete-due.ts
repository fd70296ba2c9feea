import { recordAudit, SYSTEM } from '../../../audit/index.ts'
import { isDatabaseAway } from '../../../storage/index.ts'
import { deletionStore, failedSignInStore, type MailJobDeps, queueAccountDeletedMail, userStore } from '../../../users/index.ts'
import { type DeletionDeps, removeUser } from './delete-user.ts'

/** Of one run over due requests; the next is in ten minutes. */
const MAX_DELETIONS = 100

/**
 * Removes the users whose request is due, each in a transaction of its own that begins with the one statement that takes the request. So
 * any number of nodes may run this at once, and a node that dies half way has done nothing. Each user gets a last mail. Answers how many
 * were removed. A fault with one user delays no other, and is thrown in the end.
 */
export async function deleteDue(deps: DueDeps): Promise<number> {
  const due = await deletionStore(deps.storage.db).listDue(deps.now(), MAX_DELETIONS)
  const faults: unknown[] = []
  let gone = 0
  for (const id of due) {
    try {
      gone += await deleteIfDue(id, deps)
    } catch (fault) {
      if (isDatabaseAway(fault)) throw fault
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
  return gone
}

type DueDeps = DeletionDeps & Pick<MailJobDeps, 'sealer'>

async function deleteIfDue(id: string, deps: DueDeps): Promise<0 | 1> {
  const { changes, sealer, storage, now } = deps
  await failedSignInStore(storage.db).forgetOfUser(id)
  return changes.transaction(async (tx, announce) => {
    if (!(await deletionStore(tx).takeDue(id, now()))) return 0
    const user = await userStore(tx).findById(id)
    await removeUser(tx, id, announce, deps)
    if (user) await queueAccountDeletedMail(tx, user, { sealer, at: now() })
    await recordAudit(tx, { actor: SYSTEM, action: 'user.delete', target: id }, now())
    return 1
  })
}
