import { keyOf, type Row } from './rows.ts'
import type { TableShape } from './shapes.ts'

export type RowsRefusal =
  | { refusal: 'taken_over' }
  | { refusal: 'has_nul'; table: string; key: string }
  | { refusal: 'has_other_type'; table: string; key: string; column: string }

/** The first row that PostgreSQL would refuse. SQLite holds any value in any column, if somebody has written it by hand. */
export function refuseRows(rows: readonly Row[], shape: TableShape): RowsRefusal | undefined {
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
