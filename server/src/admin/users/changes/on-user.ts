import { recordAudit } from '../../../audit/index.ts'
import type { Announce } from '../../../changes/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import type { User } from '../../../users/index.ts'
import type { OperatorDeps } from './operator-deps.ts'

/** One transaction for the action and its audit entry; a refused action leaves none. */
export async function onUser<T>(
  user: User,
  doing: string | { action: string; reason?: string },
  { changes, now, actor }: OperatorDeps,
  action: (tx: Transaction, announce: Announce) => Promise<T>,
): Promise<T> {
  const entry = typeof doing === 'string' ? { action: doing } : doing
  return changes.transaction(async (tx, announce) => {
    const result = await action(tx, announce)
    if (isRefusal(result)) return result
    await recordAudit(tx, { actor, target: user.id, ...entry }, now())
    return result
  })
}

function isRefusal(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'refusal' in result
}
