import { type Actor, recordAudit } from '../../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../../changes/index.ts'
import { type Now, newId, type Sealer } from '../../../kit/index.ts'
import { grantWithin } from '../../../payment-history/index.ts'
import { inPortions, isUniqueViolation, type Storage, type Transaction } from '../../../storage/index.ts'
import { linkPurchases } from '../../../subscriptions/index.ts'
import { identityStore, importTotp, newUser, noteForeignHash, profileStore, sealTaxId, userStore } from '../../../users/index.ts'
import type { ImportRecord } from './files/import-record.ts'
import { readImportedUser } from './imported-user.ts'
import { createRehearsal, judgeLine, type LineResult, type Read } from './judge-line.ts'
import { type ReadyUser, type Resolve, readReferences } from './references.ts'

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

/**
 * Imports users, a portion of records in a transaction. A line whose address or external id has an account changes nothing, so an
 * interrupted import is run again with the same file. `dry_run` writes nothing, and says what an import would do.
 */
export async function importUsers(
  records: AsyncIterator<ImportRecord>,
  { mode, identities }: { mode: 'write' | 'dry_run'; identities: 'import' | 'leave_out' },
  deps: ImportDeps,
): Promise<ImportCounts> {
  const counts: ImportCounts = { added: 0, known: 0, refused: 0 }
  const importId = newId()
  const record = (after: Record<string, unknown>) =>
    recordAudit(deps.storage.db, { actor: deps.actor, action: 'user.import', target: importId, after }, deps.now())
  const judge = mode === 'dry_run' ? rehearse(deps) : (portion: Read[]) => writePortion(portion, deps)
  const resolve = await readReferences(deps.storage.db, { identities })
  // First, so that an import that is killed leaves its entry too.
  if (mode === 'write') await record({ state: 'begun' })
  await inPortions(async (size) => {
    const read = await take(records, size, { resolve, now: deps.now() })
    for (const result of await judge(read)) {
      counts[result.outcome]++
      deps.onLine(result)
    }
    return read.length
  })
  if (mode === 'write') await record({ state: 'done', ...counts })
  return counts
}

async function take(
  records: AsyncIterator<ImportRecord>,
  size: number,
  { resolve, now }: { resolve: Resolve; now: number },
): Promise<Read[]> {
  const read: Read[] = []
  while (read.length < size) {
    const { done, value } = await records.next()
    if (done) break
    const imported = await readImportedUser(value, now)
    const user = 'refused' in imported ? imported : resolve(imported)
    read.push('refused' in user ? { line: value.line, refused: user.refused } : { line: value.line, user })
  }
  return read
}

function rehearse({ storage, taxIdKey, now }: ImportDeps): (portion: Read[]) => Promise<LineResult[]> {
  const judge = createRehearsal({ db: storage.db, taxIdKey })
  return async (portion) => {
    const results: LineResult[] = []
    for (const read of portion) results.push(await judge(read, now()))
    return results
  }
}

/** All lines in one transaction; each in its own where another transaction took something that only one account may have. */
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
    if (!isRace(error)) throw error
  }
  const results: LineResult[] = []
  for (const read of portion) results.push(...(await writeAll([read]).catch((error: unknown) => again(error, read, writeAll))))
  return results
}

/** Judged again, the line sees who was first. */
function again(error: unknown, read: Read, write: (some: Read[]) => Promise<LineResult[]>): Promise<LineResult[]> {
  if (!isRace(error)) throw error
  return write([read])
}

async function writeLine(tx: Transaction, announce: Announce, read: Read, deps: ImportDeps): Promise<LineResult> {
  const at = deps.now()
  const judged = await judgeLine(read, { db: tx, taxIdKey: deps.taxIdKey, at })
  if (judged.outcome !== 'added' || 'refused' in read) return judged
  const { line, user } = read
  const { email, externalId, name, passwordHash, verified, phone, language } = user
  const known = { id: newId(), email, externalId, name, passwordHash, createdAt: user.createdAt ?? at }
  const made = { ...newUser({ ...known, ...(verified && { emailVerifiedAt: at }) }), phone, language }
  if (!(await userStore(tx).insert(made))) return { line, email, outcome: 'known' }
  if (!(await addUniques(tx, made.id, user, { ...deps, at }))) throw new TakenMeanwhile()
  if (passwordHash !== undefined) await noteForeignHash(tx, passwordHash)
  if (user.totpSecret !== undefined) await importTotp(tx, made, user.totpSecret, deps)
  if (verified) await linkPurchases(tx, made.id, { announce, storage: deps.storage })
  const { plan } = user
  if (plan && (plan.until ?? Number.POSITIVE_INFINITY) > at) {
    const granted = await grantWithin(tx, announce, { ...plan, to: made.id, reason: 'import' }, deps)
    if ('refusal' in granted) throw new Error(`the plan ${plan.slug} can't be given any more: ${granted.refusal}`)
  }
  return judged
}

/** Adds what only one account may have; `false` when another one has it. */
async function addUniques(
  tx: Transaction,
  userId: string,
  { taxId, identities }: ReadyUser,
  { at, ...deps }: Pick<ImportDeps, 'sealer' | 'taxIdKey'> & { at: number },
): Promise<boolean> {
  if (taxId && !(await profileStore(tx).setTaxId(userId, sealTaxId(userId, taxId, deps), at))) return false
  for (const { issuer, subject } of identities)
    if (!(await identityStore(tx).insert({ issuer, subject, userId, email: undefined }, at))) return false
  return true
}

/** Another transaction has taken something since the line was judged: the line is rolled back. */
class TakenMeanwhile extends Error {}

function isRace(error: unknown): boolean {
  return error instanceof TakenMeanwhile || isUniqueViolation(error)
}
