import type { Storage } from '../open.ts'
import { type RowsRefusal, refuseRows } from './refuse-rows.ts'
import { continueNumbers, insertPage, keyOf, type Row, readPages } from './rows.ts'
import type { TableShape } from './shapes.ts'
import type { Sides, Step } from './sides.ts'
import { type CopyProgress, noteProgress } from './states.ts'

/**
 * Copies what is not in the target yet, a page in a transaction with the note of how far it has come. Killed anywhere, it goes on there
 * when it is run again.
 */
export async function copyTables(
  { source, target }: Sides,
  tables: readonly TableShape[],
  { progress: from, step }: { progress: CopyProgress; step: Step },
): Promise<CopyProgress | RowsRefusal> {
  let progress = from
  const begun = tables.findIndex(({ name }) => name === from.table)
  for (const [at, shape] of tables.entries()) {
    if (at < begun) continue
    for await (const rows of readPages(source.db, shape, at === begun ? from.after : undefined)) {
      const refused = target.address.dialect === 'postgres' ? refuseRows(rows, shape) : undefined
      if (refused) return refused
      const before: CopyProgress = progress
      const after = { id: from.id, by: from.by, table: shape.name, after: keyOf(rows.at(-1) ?? {}, shape) }
      if (!(await writePage(target, shape, { rows, before, after }))) return { refusal: 'taken_over' }
      progress = after
      step('copy', shape.name, rows.length)
    }
  }
  await target.transaction((tx) => continueNumbers(tx, target.address.dialect))
  return progress
}

class TakenOver extends Error {}

/** The note goes first: it holds its row, so of two processes the later one waits, and then finds that the copy is not its own any more. */
async function writePage(
  target: Storage,
  shape: TableShape,
  { rows, before, after }: { rows: readonly Row[]; before: CopyProgress; after: CopyProgress },
): Promise<boolean> {
  return target
    .transaction(async (tx) => {
      if (!(await noteProgress(tx, before, after))) throw new TakenOver()
      await insertPage(tx, shape, rows, target.address.dialect)
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof TakenOver) return false
      throw error
    })
}
