import { z } from 'zod'
import { normaliseEmail, type PersonalId, parseTaxId } from '../../../kit/index.ts'
import { type Language, languageOf } from '../../../pages/index.ts'
import { parseGrantEnd } from '../../../payment-history/index.ts'
import { isName, nameFrom, parsePhone, parseTotpSecret, readForeignForm } from '../../../users/index.ts'
import type { ImportRecord, LineRefusal } from './files/import-record.ts'

/** A user as the file has them, every value checked. */
export interface ImportedUser {
  email: string
  externalId: string | undefined
  name: string
  verified: boolean
  phone: string | undefined
  taxId: PersonalId | undefined
  language: Language | undefined
  /** As it is stored. */
  passwordHash: string | undefined
  /** In base32. */
  totpSecret: string | undefined
  /** At providers by their ids here, or by their issuers. */
  identities: ReadonlyArray<{ provider: string; subject: string }>
  plan: { slug: string; product: string | undefined; until: number | undefined } | undefined
  createdAt: number | undefined
}

const EARLIEST = Date.UTC(1990, 0)
const LATEST = Date.UTC(9_998, 0)
const MAX_IDENTITIES = 20

/** The form of a record: one object, with no other fields. */
const importedRecord = z.strictObject({
  email: z.string(),
  external_id: z.string().nullish(),
  email_verified: z.boolean().optional(),
  name: z.string().nullish(),
  phone: z.string().nullish(),
  tax_id: z.string().nullish(),
  language: z.string().nullish(),
  password_hash: z.string().nullish(),
  totp_secret: z.string().nullish(),
  identities: z
    .array(z.strictObject({ provider: z.string().min(1), subject: z.string() }))
    .max(MAX_IDENTITIES)
    .nullish(),
  plan: z.string().nullish(),
  plan_product: z.string().nullish(),
  plan_until: z.string().nullish(),
  created_at: z.iso.datetime({ offset: true }).nullish(),
})
type Line = z.output<typeof importedRecord>

/** Thrown within this file alone: a line has one reason to be refused. */
class Refused extends Error {}

/** Reads a record, or says why it can't be a user. The answer quotes nothing of the record but names of fields. */
export async function readImportedUser(record: ImportRecord, now: number): Promise<ImportedUser | LineRefusal> {
  if ('refused' in record) return record
  const shaped = importedRecord.safeParse(record.value)
  if (!shaped.success) return { refused: shapeFault(shaped.error) }
  try {
    return await readLine(shaped.data, now)
  } catch (fault) {
    if (fault instanceof Refused) return { refused: fault.message }
    throw fault
  }
}

async function readLine(line: Line, now: number): Promise<ImportedUser> {
  const email = normaliseEmail(line.email) ?? refuse('email: it is no address')
  const name = line.name?.trim() || nameFrom(email)
  if (!isName(name)) refuse('name: one line of at most 200 visible characters')
  const externalId = line.external_id?.trim() || undefined
  if (externalId !== undefined && !isName(externalId)) refuse('external_id: one line of at most 200 visible characters')
  const createdAt = line.created_at ? Date.parse(line.created_at) : undefined
  if (createdAt !== undefined && !(createdAt >= EARLIEST && createdAt <= now)) refuse('created_at: between 1990 and now')
  return {
    email,
    externalId,
    name,
    verified: line.email_verified === true,
    phone: line.phone
      ? ((await parsePhone(line.phone)) ?? refuse('phone: it is no phone number; give it with + and the country code'))
      : undefined,
    taxId: line.tax_id ? (parseTaxId(line.tax_id) ?? refuse('tax_id: it is no CPF or CNPJ; a digit may have been swapped')) : undefined,
    language: line.language ? (languageOf(line.language) ?? refuse('language: pt-BR, en or es')) : undefined,
    passwordHash: line.password_hash ? readHash(line.password_hash) : undefined,
    totpSecret: line.totp_secret ? readTotp(line.totp_secret) : undefined,
    identities: line.identities ?? [],
    plan: readPlan(line),
    createdAt,
  }
}

function readHash(text: string): string {
  const read = readForeignForm(text) ?? refuse('password_hash: its form is not known')
  return typeof read === 'string' ? read : refuse(`password_hash: computing it would take too long: ${read.tooDear}`)
}

function readTotp(text: string): string {
  const read = parseTotpSecret(text)
  if ('secret' in read) return read.secret
  if (read.refused === 'malformed') return refuse('totp_secret: base32 of 10 to 128 bytes, or otpauth://totp/…')
  return refuse('totp_secret: its codes are not of six digits each 30 seconds by SHA-1, and no others can be asked for here')
}

function readPlan({ plan: slug, plan_product: product, plan_until: end }: Line): ImportedUser['plan'] {
  if (!slug) return product || end ? refuse('plan: it is missing, beside plan_product or plan_until') : undefined
  const until = end ? parseGrantEnd(end) : undefined
  if (end && (until === undefined || until >= LATEST)) refuse('plan_until: a day like 2027-01-31, or a time with its zone')
  return { slug, product: product || undefined, until }
}

function shapeFault({ issues }: z.ZodError): string {
  const [issue] = issues
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0)
    return `fields that are not known: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`
  const field = String(issue?.path[0] ?? '')
  return field === '' ? 'it is no JSON object' : `${field}: it is missing or of another form`
}

function refuse(why: string): never {
  throw new Refused(why)
}
