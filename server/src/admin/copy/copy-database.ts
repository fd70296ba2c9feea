import { type Comparison, compareTables, copyTables, isSame, migrate, raiseFence, schemaState, shapesOf } from '../../storage/index.ts'
import { beginCopy, type CopyDeps, type CopyRefusal } from './begin-copy.ts'
import { finishCopy } from './finish-copy.ts'

export interface Copied {
  id: string
  tables: Comparison[]
  /** Tables of other programs. */
  leftOut: string[]
}

/**
 * Copies everything into an empty database of the other kind, and compares it there. From its beginning on nothing is written to the
 * source, and not after its end either: whatever a node still wrote there would be lost. Killed anywhere, it goes on when it is run again.
 */
export async function copyDatabase(deps: CopyDeps): Promise<Copied | CopyRefusal> {
  const { storage: source, target, onFenced, step } = deps
  const { newer } = await schemaState(source)
  if (newer[0]) return { refusal: 'newer_tables', version: newer[0].version }
  const migrated = await migrate(target)
  if ('refusal' in migrated) return migrated
  const sides = { source, target }
  const { tables, leftOut } = await shapesOf(sides)
  const begun = await beginCopy(deps, tables)
  if ('refusal' in begun) return begun
  const { copy, progress } = begun
  if (!(await raiseFence(source, copy))) return { refusal: 'given_up' }
  await onFenced(tables.map(({ name }) => name))
  const end = await copyTables(sides, tables, { progress, step })
  if ('refusal' in end) return end
  const compared = await compareTables(sides, tables, step)
  const different = compared.filter((one) => !isSame(one)).map(({ table }) => table)
  if (different.length > 0) return { refusal: 'different', tables: different }
  const finished = await finishCopy(deps, copy, { progress: end, compared })
  return finished ?? { id: copy.id, tables: compared, leftOut }
}
