import { type Digest, digestTable } from './rows.ts'
import type { TableShape } from './shapes.ts'
import type { Sides, Step } from './sides.ts'

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

export interface Comparison {
  table: string
  source: Digest
  target: Digest
}

export function isSame({ source, target }: Comparison): boolean {
  return source.rows === target.rows && source.digest === target.digest
}
