import type { ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { addJob, type JobHandler, rewriteJob } from '../../outbox/index.ts'
import { type AddEvent, type ApplyDeps, recordEvents } from '../../payment-history/index.ts'
import { type Storage, type Transaction, takeLockOnPayment } from '../../storage/index.ts'
import { writeOutcomes } from '../outcomes.ts'
import { type Progress, progress } from './pending-progress.ts'
import { processPortion } from './process-pending.ts'

export interface RestDeps {
  sealer: Sealer
}

/** Leaves a job for the rest, which is too much for one transaction. */
export async function leaveRest(tx: Transaction, rest: Progress, { sealer, at }: ApplyDeps & RestDeps): Promise<void> {
  await addJob(tx, { kind: 'process_pending', payload: rest }, { sealer, at })
}

/**
 * The job that processes the rest, one portion in each transaction. Each transaction also writes the progress: names that came with
 * processed notifications are known from nothing else. The job may run any number of times, since a processed notification no longer waits.
 */
export function processPendingJob({
  storage,
  changes,
  sealer,
  now,
}: {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
}): JobHandler {
  return async (given, { id }) => {
    let at: Progress | undefined = progress.parse(given)
    while (at) {
      const from: Progress = at
      at = await changes.transaction(async (tx, announce) => {
        for (const name of from.names.toSorted()) await takeLockOnPayment(tx, name, storage)
        const deps = { announce, storage, at: now() }
        let rest: Progress | undefined
        const processRest = async (add: AddEvent) => {
          rest = await processPortion(tx, add, from)
        }
        const recorded = await recordEvents(tx, processRest, deps)
        await writeOutcomes(tx, recorded, { atOnce: undefined, at: deps.at })
        if (rest) await rewriteJob(tx, id, rest, sealer)
        return rest
      })
    }
  }
}
