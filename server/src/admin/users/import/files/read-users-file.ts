import type { Fields } from './export-values.ts'
import type { ImportRecord, LineRefusal } from './import-record.ts'
import { OTHER_SYSTEMS, type OtherSystemName, recogniseSystem } from './other-systems.ts'
import { type Open, readRecords } from './read-records.ts'
import type { ExportParts } from './systems/other-system.ts'

/** The fields of a user in a file. A table has them as columns. */
const FIELDS = [
  ...['email', 'external_id', 'email_verified', 'name', 'phone', 'tax_id', 'language', 'created_at'],
  ...['password_hash', 'totp_secret', 'identities', 'plan', 'plan_product', 'plan_until'],
]

/** The words for yes and no that programs and Excel write, Excel in its user's language. */
const TRUTHS: Record<string, boolean> = { true: true, false: false, '1': true, '0': false, verdadeiro: true, falso: false, verdadero: true }

interface UsersFile {
  records: AsyncGenerator<ImportRecord>
  /** The system whose export it is; absent for our own form. */
  from?: OtherSystemName
  /** How many records there are, where that is known before they are read. */
  total?: number
}

/**
 * The records of a file in our own form: JSON lines, a JSON document, or a table with comma or semicolon. The export of another system is
 * read where `from` names it, or where its fields are no other's. A refusal is about the whole file.
 */
export async function readUsersFile(
  open: Open,
  { from, ...parts }: { from?: OtherSystemName | undefined } & ExportParts = {},
): Promise<UsersFile | LineRefusal> {
  const read = await readRecords(open)
  if ('refused' in read) return read
  const { records, names, isTable } = read
  const total = read.total === undefined ? {} : { total: read.total }
  const system = from ?? recogniseSystem(names)
  if (system) return { records: readExport(records, system, parts), from: system, ...total }
  if (!isTable) return { records, ...total }
  const columns = names.map((name) => name.toLowerCase())
  const unknown = columns.filter((name) => !FIELDS.includes(name))
  if (!columns.includes('email')) return { refused: 'it is neither JSON nor a table whose first row has the column email' }
  if (unknown.length > 0) return { refused: `columns that are not known: ${unknown.slice(0, 5).join(', ').slice(0, 200)}` }
  return { records: typed(records) }
}

async function* readExport(
  records: AsyncIterable<ImportRecord>,
  system: OtherSystemName,
  parts: ExportParts,
): AsyncGenerator<ImportRecord> {
  for await (const record of records) {
    if ('refused' in record) yield record
    else if (typeof record.value !== 'object' || record.value === null) yield { line: record.line, refused: 'it is no JSON object' }
    else {
      const read: Fields | LineRefusal = OTHER_SYSTEMS[system].read(record.value as Fields, parts)
      const { email, user_email: ofWordpress, primary_email_address: ofClerk } = record.value as Fields
      const address = [email, ofWordpress, ofClerk].find((one) => typeof one === 'string')
      yield typeof read.refused === 'string'
        ? { line: record.line, refused: read.refused, email: address }
        : { line: record.line, value: read }
    }
  }
}

/** Cells are texts: the fields that are not get their types. Links to providers are `provider:subject`, with spaces between them. */
async function* typed(records: AsyncIterable<ImportRecord>): AsyncGenerator<ImportRecord> {
  for await (const record of records) {
    if ('refused' in record) yield record
    else {
      const cells = Object.entries(record.value as Record<string, string>).map(([name, cell]) => [name.toLowerCase(), cell])
      const { email_verified: verified, created_at: at, identities, ...rest } = Object.fromEntries(cells) as Record<string, string>
      const day = at !== undefined && /^\d{4}-\d\d-\d\d$/.test(at) ? `${at}T00:00:00Z` : at
      const truth = verified === undefined ? undefined : (TRUTHS[verified.toLowerCase()] ?? verified)
      const links = identities === undefined ? {} : { identities: identities.split(/\s+/).filter(Boolean).map(linkOf) }
      yield { line: record.line, value: { ...rest, email_verified: truth, created_at: day, ...links } }
    }
  }
}

/** The provider is an id, or an issuer, which has a colon of its own. */
function linkOf(text: string): Fields {
  return { ...(/^(?<provider>(?:https:)?[^:]*):(?<subject>.*)$/.exec(text)?.groups ?? { provider: '', subject: '' }) }
}
