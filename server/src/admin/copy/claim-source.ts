import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { beginCopy, type Copy, isBusy, isReadOnly, untilFree } from '../../storage/index.ts'

/** A service that writes to SQLite without a pause leaves other processes moments, and seldom. */
const TIMEOUT_MS = 120_000

export interface NeverFree {
  refusal: 'never_free'
  seconds: number
}

export interface Waiting {
  /** The longest wait for a moment in which no other process writes to the source, in ms. */
  timeoutMs?: number
  /** Called when that wait begins. */
  onWait: () => void
}

export interface ClaimDeps extends Waiting {
  changes: Pick<ChangeFeed, 'transaction'>
  now: Now
  actor: Actor
}

/** Notes the copy in its source. Of any number of concurrent calls exactly one gets `first`. */
export async function claimSource(
  copy: Copy,
  { changes, now, actor, ...waiting }: ClaimDeps,
): Promise<'first' | 'another_was_first' | NeverFree> {
  const claim = () =>
    changes.transaction(async (tx, announce) => {
      if ((await beginCopy(tx, copy)).id !== copy.id) return 'another_was_first'
      const after = { state: 'begun', to: copy.to }
      await recordAudit(tx, { actor, action: 'database.copy', target: copy.id, after }, now())
      announce({ kind: 'copy_changed', subject: copy.id })
      return 'first'
    })
  try {
    return await inTurn(claim, waiting)
  } catch (error) {
    if (isReadOnly(error)) return 'another_was_first'
    throw error
  }
}

/** Runs a transaction at the first moment that others leave; refuses when there was none. */
export async function inTurn<T>(transaction: () => Promise<T>, { timeoutMs = TIMEOUT_MS, onWait }: Waiting): Promise<T | NeverFree> {
  try {
    return await untilFree(transaction, { forMs: timeoutMs, onWait })
  } catch (error) {
    if (isBusy(error)) return { refusal: 'never_free', seconds: Math.round(timeoutMs / 1_000) }
    throw error
  }
}
