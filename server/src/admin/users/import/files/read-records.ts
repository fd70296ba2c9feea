import { readCsv } from './csv.ts'
import type { ImportRecord, LineRefusal } from './import-record.ts'
import { isJsonDocument, readJsonDocument } from './json-document.ts'
import { readJsonLines } from './json-lines.ts'
import { detectEncoding, readTextLines } from './text-lines.ts'

/** Begins the file anew. */
export type Open = () => AsyncIterable<Uint8Array>

export interface Records {
  records: AsyncGenerator<ImportRecord>
  /** The names of its columns, or of the fields of its first user. */
  names: string[]
  isTable: boolean
  total?: number
}

/** The records of a file of JSON lines, of a JSON document, or of a table with comma or semicolon. A refusal is about the whole file. */
export async function readRecords(open: Open, { twice = 'refuse' }: { twice?: 'refuse' | 'first' } = {}): Promise<Records | LineRefusal> {
  const encoding = await detectEncoding(open())
  if (encoding === undefined) return { refused: 'it is no text in UTF-8 or Latin-1; in Excel, save it as “CSV UTF-8”' }
  const first = await firstLine(open)
  if (isJsonDocument(first)) {
    const users = await readJsonDocument(open())
    return 'refused' in users ? users : { records: each(users), names: namesOf(users[0]), isTable: false, total: users.length }
  }
  if (first === '' || first.startsWith('{')) {
    const { value } = await readJsonLines(readTextLines(open(), 'utf-8')).next()
    return { records: readJsonLines(readTextLines(open(), 'utf-8')), names: namesOf(value), isTable: false }
  }
  const table = await readCsv(readTextLines(open(), encoding), { twice })
  return 'refused' in table ? table : { records: table.records, names: table.columns, isTable: true }
}

async function firstLine(open: Open): Promise<string> {
  for await (const { text } of readTextLines(open(), 'utf-8')) if (text.trim() !== '') return text.trim()
  return ''
}

function namesOf(record: ImportRecord | undefined): string[] {
  return record && 'value' in record && typeof record.value === 'object' && record.value !== null ? Object.keys(record.value) : []
}

async function* each(records: ImportRecord[]): AsyncGenerator<ImportRecord> {
  yield* records
}
