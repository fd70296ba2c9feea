import { recordAudit } from '../../../audit/index.ts'
import type { Announce } from '../../../changes/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import type { User, UserRefusal } from '../../../users/index.ts'
import type { OperatorDeps } from './operator-deps.ts'
import { refuseOtherRole } from './refuse-other-role.ts'

interface Doing {
  action: string
  reason?: string
  /** Refuses the action before it begins; it holds the user's row. */
  refuse?: (tx: Transaction, user: User) => Promise<UserRefusal | undefined>
}

/**
 * One transaction for the action and its audit entry; a refused action leaves none. `user` is as the caller was judged by: with another
 * role the action is refused.
 */
export async function onUser<T>(
  user: User,
  doing: string | Doing,
  { changes, now, actor }: OperatorDeps,
  action: (tx: Transaction, announce: Announce) => Promise<T>,
): Promise<T | UserRefusal> {
  const { refuse = refuseOtherRole, ...entry } = typeof doing === 'string' ? { action: doing } : doing
  return changes.transaction(async (tx, announce) => {
    const refused = await refuse(tx, user)
    if (refused) return refused
    const result = await action(tx, announce)
    await recordAudit(tx, { actor, target: user.id, ...entry }, now())
    return result
  })
}
