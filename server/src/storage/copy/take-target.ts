import type { Storage } from '../open.ts'
import { rollBackRefusals } from '../transactions/roll-back-refusals.ts'
import { isEmptyTable } from './rows.ts'
import type { TableShape } from './shapes.ts'
import { type CopyProgress, holdProgress, takeTarget } from './states.ts'

export type TargetRefusal = { refusal: 'not_empty'; table: string } | { refusal: 'of_another_copy' }

/**
 * Takes an empty database, or one that an interrupted run of the same copy has left, as the target. It has its tables already. A process
 * that still goes on with the copy ends at its next page.
 */
export async function takeAsTarget(
  target: Storage,
  { id, by }: Pick<CopyProgress, 'id' | 'by'>,
  tables: readonly TableShape[],
): Promise<CopyProgress | TargetRefusal> {
  return rollBackRefusals<CopyProgress, TargetRefusal>((refuse) =>
    target.transaction(async (tx) => {
      const found = await holdProgress(tx)
      // A run that was killed before it had begun left an id that no source knows.
      const before = found?.table === undefined ? undefined : found
      if (before && before.id !== id) refuse({ refusal: 'of_another_copy' })
      const progress = { ...before, id, by }
      await takeTarget(tx, progress)
      // After the note, so that rows are seen that another process has copied since.
      if (!before) for (const { name } of tables) if (!(await isEmptyTable(tx, name))) refuse({ refusal: 'not_empty', table: name })
      return progress
    }),
  )
}
