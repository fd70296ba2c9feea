import { z } from 'zod'
import { normaliseEmail, type PersonalId, parseTaxId } from '../../../kit/index.ts'
import { isName, nameFrom, parsePhone, readForeignForm } from '../../../users/index.ts'
import type { ImportRecord, LineRefusal } from './files/import-record.ts'

/** A user as the file has them, every value checked. */
export interface ImportedUser {
  email: string
  name: string
  verified: boolean
  phone: string | undefined
  taxId: PersonalId | undefined
  /** As it is stored. */
  passwordHash: string | undefined
  createdAt: number | undefined
}

const EARLIEST = Date.UTC(1990, 0)

/** The form of a record: one object, with no other fields. */
const importedRecord = z.strictObject({
  email: z.string(),
  email_verified: z.boolean().optional(),
  name: z.string().nullish(),
  phone: z.string().nullish(),
  tax_id: z.string().nullish(),
  password_hash: z.string().nullish(),
  created_at: z.iso.datetime({ offset: true }).nullish(),
})

/** Reads a record, or says why it can't be a user. The answer quotes nothing of the record but names of fields. */
export async function readImportedUser(record: ImportRecord, now: number): Promise<ImportedUser | LineRefusal> {
  if ('refused' in record) return record
  const shaped = importedRecord.safeParse(record.value)
  if (!shaped.success) return refuse(shapeFault(shaped.error))
  const line = shaped.data
  const email = normaliseEmail(line.email)
  if (email === undefined) return refuse('email: it is no address')
  const name = line.name?.trim() || nameFrom(email)
  if (!isName(name)) return refuse('name: one line of at most 200 visible characters')
  const phone = line.phone ? await parsePhone(line.phone) : undefined
  if (line.phone && phone === undefined) return refuse('phone: it is no phone number; give it with + and the country code')
  const taxId = line.tax_id ? parseTaxId(line.tax_id) : undefined
  if (line.tax_id && taxId === undefined) return refuse('tax_id: it is no CPF or CNPJ; a digit may have been swapped')
  const hash = readHash(line.password_hash ?? undefined)
  if ('refused' in hash) return hash
  const createdAt = line.created_at ? Date.parse(line.created_at) : undefined
  if (createdAt !== undefined && !(createdAt >= EARLIEST && createdAt <= now)) return refuse('created_at: between 1990 and now')
  return { email, name, verified: line.email_verified === true, phone, taxId, passwordHash: hash.stored, createdAt }
}

function readHash(text: string | undefined): { stored: string | undefined } | LineRefusal {
  if (!text) return { stored: undefined }
  const read = readForeignForm(text)
  if (read === undefined) return refuse('password_hash: its form is not known')
  return typeof read === 'string' ? { stored: read } : refuse(`password_hash: computing it would take too long: ${read.tooDear}`)
}

function shapeFault({ issues }: z.ZodError): string {
  const [issue] = issues
  if (issue?.code === 'unrecognized_keys') return `fields that are not known: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`
  const field = String(issue?.path[0] ?? '')
  return field === '' ? 'it is no JSON object' : `${field}: it is missing or of another form`
}

function refuse(refused: string): LineRefusal {
  return { refused }
}
