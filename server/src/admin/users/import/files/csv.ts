import type { ImportRecord, LineRefusal } from './import-record.ts'
import { MAX_LINE, type TextLine } from './text-lines.ts'

const CUT = 'it is the last line and has no line break: the file may have been cut. If it is whole, end it with one'
const UNCLOSED = 'a quote is not closed, or stands within a cell'

/**
 * The rows of a table, as objects with the names of its columns. The first row has the names; the separator is whichever of comma and
 * semicolon it has more of. A cell in quotes may have line breaks. An empty cell is left out. `twice`: of two columns with one name the
 * first one counts, or the table is refused.
 */
export async function readCsv(
  lines: AsyncIterable<TextLine>,
  { twice: ofTwo }: { twice: 'refuse' | 'first' } = { twice: 'refuse' },
): Promise<{ columns: string[]; records: AsyncGenerator<ImportRecord> } | LineRefusal> {
  const rows = createQueue(lines[Symbol.asyncIterator]())
  const head = await rows.next()
  if (head === undefined) return { refused: 'the file is empty' }
  const separator = countOf(head.text, ';') > countOf(head.text, ',') ? ';' : ','
  const columns = splitCells(head.text, separator)?.map((name) => name.trim())
  if (columns === undefined || columns.includes('')) return { refused: 'its first row has no names of columns' }
  const twice = columns.find((name, i) => columns.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== i)
  if (twice !== undefined && ofTwo === 'refuse') return { refused: `its first row has the column ${twice} twice` }
  return { columns, records: readRows(rows, columns, separator) }
}

async function* readRows(rows: Queue, columns: readonly string[], separator: string): AsyncGenerator<ImportRecord> {
  for (let first = await rows.next(); first; first = await rows.next()) {
    if (first.text.trim() === '') continue
    const taken = await takeRow(first, rows)
    const cells = taken && splitCells(taken.text, separator)
    const refused = refusalOf(taken, cells?.length, columns.length)
    if (refused !== undefined) {
      // Only the first line is refused. The lines after it may be users whom a stray quote has swallowed.
      if (taken) rows.putBack(taken.lines.slice(1))
      yield { line: first.number, refused }
    } else
      yield {
        line: first.number,
        value: Object.fromEntries(
          columns.map((name, i) => [name, cells?.[i]]).filter(([name, cell], i) => cell !== '' && columns.indexOf(name ?? '') === i),
        ),
      }
  }
}

interface Row {
  text: string
  lines: TextLine[]
}

/** The lines of a row: a cell in quotes goes on until they are closed. `undefined` where they are not; the lines are put back. */
async function takeRow(first: TextLine, rows: Queue): Promise<Row | undefined> {
  const lines = [first]
  let [text, isOpen] = [first.text, hasOpenQuote(first.text)]
  while (isOpen && text.length <= MAX_LINE) {
    const line = await rows.next()
    if (line === undefined) break
    lines.push(line)
    text += `\n${line.text}`
    if (hasOpenQuote(line.text)) isOpen = false
  }
  if (!isOpen) return { text, lines }
  rows.putBack(lines.slice(1))
  return undefined
}

function refusalOf(row: Row | undefined, cells: number | undefined, columns: number): string | undefined {
  if (row?.lines.at(-1)?.ended === false) return CUT
  if (row === undefined || cells === undefined) return UNCLOSED
  if (row.text.length > MAX_LINE || row.text.includes('\u{fffd}')) return 'it is too long, or its characters are broken'
  return cells === columns ? undefined : `it has ${cells} cells, and the first row has ${columns}`
}

/** `undefined` where a quote stands within a cell that does not begin with one, or something follows the closing one. */
function splitCells(text: string, separator: string): string[] | undefined {
  const cells: string[] = []
  for (let at = 0; ; at++) {
    if (text[at] !== '"') {
      const next = text.indexOf(separator, at)
      const cell = next < 0 ? text.slice(at) : text.slice(at, next)
      if (cell.includes('"')) return undefined
      cells.push(cell)
      at = next
    } else {
      let end = text.indexOf('"', at + 1)
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
      if (end < 0 || (end + 1 < text.length && text[end + 1] !== separator)) return undefined
      cells.push(text.slice(at + 1, end).replaceAll('""', '"'))
      at = end + 1 < text.length ? end + 1 : -1
    }
    if (at < 0) return cells
  }
}

function hasOpenQuote(text: string): boolean {
  return countOf(text, '"') % 2 === 1
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1
}

type Queue = ReturnType<typeof createQueue>

/** Lines that can be put back, to be read again. */
function createQueue(lines: AsyncIterator<TextLine>) {
  const again: TextLine[] = []
  return {
    async next(): Promise<TextLine | undefined> {
      const line = again.shift()
      if (line) return line
      const { done, value } = await lines.next()
      return done ? undefined : value
    },
    putBack(some: readonly TextLine[]): void {
      again.unshift(...some)
    },
  }
}
