import type { Queryable } from '../../storage/index.ts'
import type { Notification } from '../notification.ts'
import { type Attempt, attemptStore } from './attempt-store.ts'

/** An attempt as it is shown. `outcome`: `undefined` where nobody has kept it. */
export type ShownAttempt = Pick<Attempt, 'kind' | 'at' | 'ms' | 'why' | 'actor'> & { outcome: Attempt['outcome'] | undefined }

/**
 * All attempts with a notification, the oldest first. A receipt that left nothing to do, or a question for its gateway, stands in the
 * notification's own row alone, so that it costs no second one (docs/decisions/0179).
 */
export async function listAttempts(db: Queryable, notification: Notification): Promise<ShownAttempt[]> {
  const attempts: ShownAttempt[] = await attemptStore(db).list(notification.id)
  return attempts.some(({ kind }) => kind === 'receipt') ? attempts : [receiptOf(notification, attempts), ...attempts]
}

function receiptOf({ receivedAt, tookMs, status, why, processedAt }: Notification, later: readonly ShownAttempt[]): ShownAttempt {
  const receipt = { kind: 'receipt', at: receivedAt, ms: tookMs, why: undefined, actor: undefined } as const
  // Nothing but its receipt has its gateway asked for the first time.
  if (later[0]?.kind === 'fetch' || (later.length === 0 && why === 'awaiting_gateway')) return { ...receipt, outcome: 'asked' }
  // While nothing has happened since, its status is that of its receipt.
  return later.length === 0 && processedAt === undefined ? { ...receipt, outcome: status, why } : { ...receipt, outcome: undefined }
}

/** Begins to measure an attempt; answers its duration in whole ms. */
export function stopwatch(): () => number {
  const begun = performance.now()
  return () => Math.round(performance.now() - begun)
}
