import { readCsv } from './csv.ts'
import type { ImportRecord, LineRefusal } from './import-record.ts'
import { readJsonLines } from './json-lines.ts'
import { detectEncoding, readTextLines } from './text-lines.ts'

/** The fields of a user in a file. A table has them as columns. */
const FIELDS = ['email', 'email_verified', 'name', 'phone', 'tax_id', 'password_hash', 'created_at']

/** The words for yes and no that programs and Excel write, Excel in its user's language. */
const TRUTHS: Record<string, boolean> = { true: true, false: false, '1': true, '0': false, verdadeiro: true, falso: false, verdadero: true }

/**
 * The records of a file: JSON lines where it begins with a brace, else a table with comma or semicolon. `open` begins the file anew. A
 * refusal is about the whole file.
 */
export async function readUsersFile(open: () => AsyncIterable<Uint8Array>): Promise<AsyncGenerator<ImportRecord> | LineRefusal> {
  const encoding = await detectEncoding(open())
  if (encoding === undefined) return { refused: 'it is no text in UTF-8 or Latin-1; in Excel, save it as “CSV UTF-8”' }
  if (await isJson(open)) return readJsonLines(readTextLines(open(), 'utf-8'))
  const table = await readCsv(readTextLines(open(), encoding))
  if ('refused' in table) return table
  const unknown = table.columns.filter((name) => !FIELDS.includes(name))
  if (!table.columns.includes('email')) return { refused: 'it is neither JSON lines nor a table whose first row has the column email' }
  if (unknown.length > 0) return { refused: `columns that are not known: ${unknown.slice(0, 5).join(', ').slice(0, 200)}` }
  return typed(table.records)
}

async function isJson(open: () => AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const { text } of readTextLines(open(), 'utf-8')) if (text.trim() !== '') return text.trimStart().startsWith('{')
  return true
}

/** Cells are texts: the two fields that are not get their types. */
async function* typed(records: AsyncIterable<ImportRecord>): AsyncGenerator<ImportRecord> {
  for await (const record of records) {
    if ('refused' in record) yield record
    else {
      const { email_verified: verified, created_at: at, ...rest } = record.value as Record<string, string>
      const day = at !== undefined && /^\d{4}-\d\d-\d\d$/.test(at) ? `${at}T00:00:00Z` : at
      const truth = verified === undefined ? undefined : (TRUTHS[verified.toLowerCase()] ?? verified)
      yield { line: record.line, value: { ...rest, email_verified: truth, created_at: day } }
    }
  }
}
