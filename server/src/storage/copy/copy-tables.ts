import type { Storage } from '../open.ts'
import { rollBackRefusals } from '../transactions/roll-back-refusals.ts'
import { continueNumbers, type Digest, digestTable, insertPage, isEmptyTable, keyOf, type Row, readPages } from './rows.ts'
import { readShapes, type Shapes, type TableShape } from './shapes.ts'
import { type CopyProgress, holdProgress, noteProgress, takeTarget } from './states.ts'

/** The two databases of a copy: one is SQLite, the other PostgreSQL. The source has its fence, so nothing changes in it meanwhile. */
export interface Sides {
  source: Storage
  target: Storage
}

/** Called after each page, with the number of its rows. */
export type Step = (does: 'copy' | 'compare', table: string, rows: number) => void

export type TargetRefusal = { refusal: 'not_empty'; table: string } | { refusal: 'of_another_copy' }
export type RowsRefusal =
  | { refusal: 'taken_over' }
  | { refusal: 'has_nul'; table: string; key: string }
  | { refusal: 'has_other_type'; table: string; key: string; column: string }

export function shapesOf({ source, target }: Sides): Promise<Shapes> {
  return readShapes(source.address.dialect === 'sqlite' ? { sqlite: source, postgres: target } : { sqlite: target, postgres: source })
}

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

/** The first row that PostgreSQL would refuse. SQLite holds any value in any column, if somebody has written it by hand. */
function refuseRows(rows: readonly Row[], shape: TableShape): RowsRefusal | undefined {
  for (const row of rows) {
    const at = { table: shape.name, key: keyOf(row, shape).join(', ') }
    if (hasNul(row)) return { refusal: 'has_nul', ...at }
    const column = shape.columns.find((name) => !isOfType(row[name] ?? null, shape.numbers.get(name)))
    if (column !== undefined) return { refusal: 'has_other_type', ...at, column }
  }
  return undefined
}

function isOfType(value: unknown, most: number | undefined): boolean {
  if (value === null) return true
  return most === undefined ? typeof value === 'string' : Number.isInteger(value) && Math.abs(Number(value)) <= most
}

/** PostgreSQL stores no text with U+0000. */
function hasNul(row: Row): boolean {
  return Object.values(row).some((value) => typeof value === 'string' && value.includes('\0'))
}

export interface Comparison {
  table: string
  source: Digest
  target: Digest
}

/** Reads both databases to their ends, and answers each table's counts and digests. */
export async function compareTables(
  { source, target }: Sides,
  tables: readonly TableShape[],
  step: Step = () => {},
): Promise<Comparison[]> {
  const compared: Comparison[] = []
  for (const shape of tables) {
    const [ofSource, ofTarget] = [
      await digestTable(source.db, shape, (rows) => step('compare', shape.name, rows)),
      await digestTable(target.db, shape),
    ]
    compared.push({ table: shape.name, source: ofSource, target: ofTarget })
  }
  return compared
}

export function isSame({ source, target }: Comparison): boolean {
  return source.rows === target.rows && source.digest === target.digest
}
