import { bold, coloured, isState } from './styles.ts'
import { cutText, spacesAfter, textWidth } from './text-width.ts'

/** No column is made narrower than this. */
const LEAST = 10
/** A time is never cut. */
const TIME = /^\d{4}-\d{2}-\d{2} /
/** Read to their end, on as many lines as they take: then nothing beside them is cut. */
const SENTENCES = new Set(['says', 'text', 'detail'])
const GAP = '  '

/**
 * Columns as wide as their widest cell, a heading above. Where that is wider than the terminal, empty columns are left out; then ids stand
 * on lines of their own, whole; then the widest texts are cut.
 */
export function tableWithin(headings: readonly string[], rows: ReadonlyArray<readonly string[]>, columns: number): string {
  const fits = (lines: ReadonlyArray<readonly string[]>) => totalOf(naturalWidths(lines)) <= columns
  if (rows.length === 0 || fits([headings, ...rows])) return linesWithin(headings, rows, columns).join('\n')
  const isFilled = headings.map((_, column) => rows.some((row) => row[column]))
  const filled = (cells: readonly string[]) => cells.filter((_, column) => isFilled[column])
  const id = filled(headings).indexOf('id')
  if (id < 0 || fits([headings, ...rows].map(filled))) return linesWithin(filled(headings), rows.map(filled), columns).join('\n')
  const others = (cells: readonly string[]) => filled(cells).toSpliced(id, 1)
  return linesWithin(others(headings), rows.map(others), columns)
    .map((line, row) => `${line}\n${GAP}${row === 0 ? bold('ID') : filled(rows[row - 1] ?? [])[id]}`)
    .join('\n')
}

function linesWithin(headings: readonly string[], rows: ReadonlyArray<readonly string[]>, columns: number): string[] {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows]
  const widths = headings.some((heading) => SENTENCES.has(heading)) ? naturalWidths(lines) : narrowed(lines, columns)
  const styled = (cell: string, { row, column }: { row: number; column: number }) => {
    if (row === 0) return bold(cell)
    return isState(headings[column]) ? coloured(cell) : cell
  }
  return lines.map((cells, row) =>
    cells
      .map((whole, column) => {
        const width = widths[column] ?? 0
        const cell = cutText(whole, width)
        // Spaces stay outside of the style, so that those at the end can be left out.
        return styled(cell, { row, column }) + spacesAfter(cell, width)
      })
      .join(GAP)
      .trimEnd(),
  )
}

/** The widths at which a table fits, as far as it can: the widest column of text gives first. */
function narrowed(lines: ReadonlyArray<readonly string[]>, columns: number): number[] {
  const widths = naturalWidths(lines)
  const isText = widths.map((_, column) => !lines.some((line) => TIME.test(line[column] ?? '')))
  while (totalOf(widths) > columns) {
    const most = Math.max(...widths.filter((_, column) => isText[column]))
    if (most <= LEAST) break
    widths[widths.findIndex((width, column) => width === most && isText[column])] = most - 1
  }
  return widths
}

function naturalWidths(lines: ReadonlyArray<readonly string[]>): number[] {
  return (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => textWidth(line[column] ?? ''))))
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1))
}
