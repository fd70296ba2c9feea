import type { ImportRecord } from './import-record.ts'
import { MAX_LINE, type TextLine } from './text-lines.ts'

/** The records of a file of JSON lines. Empty lines are none. */
export async function* readJsonLines(lines: AsyncIterable<TextLine>): AsyncGenerator<ImportRecord> {
  let before: TextLine | undefined
  for await (const line of lines) {
    if (line.text.trim() === '') continue
    if (before) yield readLine(before, 'it is no JSON')
    before = line
  }
  if (before) yield readLine(before, 'it is no JSON; it is the last line: the file may have been cut')
}

function readLine({ number, text }: TextLine, refused: string): ImportRecord {
  if (text.length > MAX_LINE || text.includes('\u{fffd}')) return { line: number, refused }
  try {
    return { line: number, value: JSON.parse(text) }
  } catch {
    return { line: number, refused }
  }
}
