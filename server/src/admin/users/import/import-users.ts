import { type Actor, recordAudit } from '../../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../../changes/index.ts'
import { hmacSha256, type Now, newId, personalIdText, type Sealer } from '../../../kit/index.ts'
import { inPortions, isUniqueViolation, type Queryable, type Storage, type Transaction } from '../../../storage/index.ts'
import { linkPurchases } from '../../../subscriptions/index.ts'
import { MAX_FOREIGN_COSTS, newUser, noteForeignHash, parseForeignHash, profileStore, sealTaxId, userStore } from '../../../users/index.ts'
import type { ImportRecord } from './files/import-record.ts'
import { type ImportedUser, readImportedUser } from './imported-user.ts'

/** What becomes of a line. `known`: the address has an account, which stays as it is. */
export type LineResult = { line: number; email?: string } & ({ outcome: 'added' | 'known' } | { outcome: 'refused'; why: string })

export interface ImportCounts {
  added: number
  known: number
  refused: number
}

export interface ImportDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  taxIdKey: Uint8Array
  now: Now
  actor: Actor
  /** Called once for each line, in their order, after its transaction. */
  onLine: (result: LineResult) => void
}

const TAX_ID_TAKEN = 'tax_id: another account has it'
const TOO_MANY_COSTS = `password_hash: hashes of ${MAX_FOREIGN_COSTS} kinds and costs are stored already, and every sign-in pays for each of them`

/**
 * Imports users, a portion of records in a transaction. A line whose address has an account changes nothing, so an interrupted import is
 * run again with the same file. `dry_run` writes nothing, and says what an import would do.
 */
export async function importUsers(
  records: AsyncIterator<ImportRecord>,
  mode: 'write' | 'dry_run',
  deps: ImportDeps,
): Promise<ImportCounts> {
  const counts: ImportCounts = { added: 0, known: 0, refused: 0 }
  const importId = newId()
  const record = (after: Record<string, unknown>) =>
    recordAudit(deps.storage.db, { actor: deps.actor, action: 'user.import', target: importId, after }, deps.now())
  const judge = mode === 'dry_run' ? createRehearsal(deps) : (users: Read[]) => writePortion(users, deps)
  // First, so that an import that is killed leaves its entry too.
  if (mode === 'write') await record({ state: 'begun' })
  await inPortions(async (size) => {
    const read = await take(records, size, deps.now())
    for (const result of await judge(read)) {
      counts[result.outcome]++
      deps.onLine(result)
    }
    return read.length
  })
  if (mode === 'write') await record({ state: 'done', ...counts })
  return counts
}

type Read = { line: number; user: ImportedUser } | { line: number; refused: string }

async function take(records: AsyncIterator<ImportRecord>, size: number, now: number): Promise<Read[]> {
  const read: Read[] = []
  while (read.length < size) {
    const { done, value } = await records.next()
    if (done) break
    const user = await readImportedUser(value, now)
    read.push('refused' in user ? { line: value.line, refused: user.refused } : { line: value.line, user })
  }
  return read
}

/** All lines in one transaction; each in its own where two imports race for a tax id. */
async function writePortion(portion: Read[], deps: ImportDeps): Promise<LineResult[]> {
  const writeAll = (some: Read[]) =>
    deps.changes.transaction(async (tx, announce) => {
      const results: LineResult[] = []
      for (const read of some) results.push(await writeLine(tx, announce, read, deps))
      return results
    })
  try {
    return await writeAll(portion)
  } catch (error) {
    if (!isTaxIdRace(error)) throw error
  }
  const results: LineResult[] = []
  for (const read of portion) {
    try {
      results.push(...(await writeAll([read])))
    } catch (error) {
      if (!isTaxIdRace(error)) throw error
      results.push({ line: read.line, outcome: 'refused', why: TAX_ID_TAKEN })
    }
  }
  return results
}

async function writeLine(tx: Transaction, announce: Announce, read: Read, deps: ImportDeps): Promise<LineResult> {
  const judged = await judgeLine(tx, read, deps)
  if (judged.outcome !== 'added' || 'refused' in read) return judged
  const { line, user } = read
  const at = deps.now()
  const { email, name, passwordHash, phone, taxId, verified } = user
  const made = newUser({
    id: newId(),
    email,
    name,
    createdAt: user.createdAt ?? at,
    passwordHash,
    ...(verified && { emailVerifiedAt: at }),
  })
  if (!(await userStore(tx).insert({ ...made, phone }))) return { line, email, outcome: 'known' }
  if (taxId && !(await profileStore(tx).setTaxId(made.id, sealTaxId(made.id, taxId, deps), at))) throw new TaxIdTaken()
  if (passwordHash !== undefined) await noteForeignHash(tx, passwordHash)
  if (verified) await linkPurchases(tx, made.id, { announce, storage: deps.storage })
  return { line, email, outcome: 'added' }
}

/** Another transaction has taken the tax id since it was judged: the line is rolled back. */
class TaxIdTaken extends Error {}

function isTaxIdRace(error: unknown): boolean {
  return error instanceof TaxIdTaken || isUniqueViolation(error)
}

/** What would become of a line, as far as the database knows. */
async function judgeLine(db: Queryable, read: Read, deps: Pick<ImportDeps, 'taxIdKey'>): Promise<LineResult> {
  const { line } = read
  if ('refused' in read) return { line, outcome: 'refused', why: read.refused }
  const { email, taxId } = read.user
  if (await userStore(db).findByEmail(email)) return { line, email, outcome: 'known' }
  const cost = costOf(read.user)
  const costs = cost === undefined ? [] : await userStore(db).listForeignCosts()
  if (cost !== undefined && !costs.includes(cost) && costs.length >= MAX_FOREIGN_COSTS)
    return { line, email, outcome: 'refused', why: TOO_MANY_COSTS }
  const isTaken = taxId !== undefined && (await profileStore(db).isTaxIdTaken(taxIdHash(read.user, deps) ?? ''))
  return isTaken ? { line, email, outcome: 'refused', why: TAX_ID_TAKEN } : { line, email, outcome: 'added' }
}

/** Judges lines as an import would, with the lines before them in mind. */
function createRehearsal(deps: ImportDeps): (portion: Read[]) => Promise<LineResult[]> {
  const seen = { emails: new Set<string>(), taxIds: new Set<string>(), costs: new Set<string>() }
  const judge = async (read: Read): Promise<LineResult> => {
    const judged = await judgeLine(deps.storage.db, read, deps)
    if (judged.outcome !== 'added' || 'refused' in read) return judged
    const { email } = read.user
    const hash = taxIdHash(read.user, deps)
    if (seen.emails.has(email)) return { ...judged, outcome: 'known' }
    if (hash !== undefined && seen.taxIds.has(hash)) return { line: read.line, email, outcome: 'refused', why: TAX_ID_TAKEN }
    const cost = costOf(read.user)
    if (cost !== undefined) for (const stored of await userStore(deps.storage.db).listForeignCosts()) seen.costs.add(stored)
    if (cost !== undefined && !seen.costs.has(cost) && seen.costs.size >= MAX_FOREIGN_COSTS)
      return { line: read.line, email, outcome: 'refused', why: TOO_MANY_COSTS }
    if (cost !== undefined) seen.costs.add(cost)
    seen.emails.add(email)
    if (hash !== undefined) seen.taxIds.add(hash)
    return judged
  }
  return async (portion) => {
    const results: LineResult[] = []
    for (const read of portion) results.push(await judge(read))
    return results
  }
}

function costOf({ passwordHash }: ImportedUser): string | undefined {
  return passwordHash === undefined ? undefined : parseForeignHash(passwordHash)?.cost
}

function taxIdHash({ taxId }: ImportedUser, { taxIdKey }: Pick<ImportDeps, 'taxIdKey'>): string | undefined {
  return taxId && hmacSha256(taxIdKey, personalIdText(taxId)).toString('hex')
}
