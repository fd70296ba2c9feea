import type { Actor } from '../../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../../changes/index.ts'
import { type Now, newId, type Sealer } from '../../../kit/index.ts'
import { grantWithin } from '../../../payment-history/index.ts'
import { isUniqueViolation, type Storage, type Transaction } from '../../../storage/index.ts'
import { linkPurchases, linkStore } from '../../../subscriptions/index.ts'
import {
  identityStore,
  importedUserStore,
  importTotp,
  newUser,
  noteForeignHash,
  parseForeignHash,
  sealTaxId,
  type User,
} from '../../../users/index.ts'
import { createJudge, type LineResult, type Read } from './judge-line.ts'
import type { ReadyUser } from './references.ts'

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

/** All lines in one transaction; each in its own where another transaction took something that only one account may have. */
export async function writePortion(portion: Read[], deps: ImportDeps): Promise<LineResult[]> {
  const write = (some: Read[]) => deps.changes.transaction((tx, announce) => writeLines(tx, announce, some, deps))
  try {
    return await write(portion)
  } catch (error) {
    if (!isRace(error)) throw error
  }
  const results: LineResult[] = []
  for (const read of portion) results.push(...(await write([read]).catch((error: unknown) => again(error, read, write))))
  return results
}

/** Judged again, the line sees who was first. */
function again(error: unknown, read: Read, write: (some: Read[]) => Promise<LineResult[]>): Promise<LineResult[]> {
  if (!isRace(error)) throw error
  return write([read])
}

async function writeLines(tx: Transaction, announce: Announce, portion: Read[], deps: ImportDeps): Promise<LineResult[]> {
  const at = deps.now()
  const results = await createJudge(deps.taxIdKey)(portion, { db: tx, at })
  const added = portion.flatMap((read, i) => (results[i]?.outcome === 'added' && 'user' in read ? [toAccount(read.user, at)] : []))
  const rows = added.map(({ user, line }) => ({ user, taxId: line.taxId && sealTaxId(user.id, line.taxId, deps) }))
  if (!(await importedUserStore(tx).insertAll(rows))) throw new TakenMeanwhile()
  for (const hash of onePerCost(added.map(({ line }) => line))) await noteForeignHash(tx, hash)
  for (const { user, line } of added) await addRest(tx, announce, { user, line }, { ...deps, at })
  await linkBought(tx, announce, added, deps)
  return results
}

interface Added {
  user: User
  line: ReadyUser
}

function toAccount(line: ReadyUser, at: number): Added {
  const { email, externalId, name, passwordHash, verified, phone, language } = line
  const known = { id: newId(), email, externalId, name, passwordHash, createdAt: line.createdAt ?? at }
  return { user: { ...newUser({ ...known, ...(verified && { emailVerifiedAt: at }) }), phone, language }, line }
}

function onePerCost(lines: readonly ReadyUser[]): Iterable<string> {
  return new Map(lines.flatMap(({ passwordHash }) => (passwordHash ? [[parseForeignHash(passwordHash)?.cost, passwordHash]] : []))).values()
}

async function addRest(tx: Transaction, announce: Announce, { user, line }: Added, deps: ImportDeps & { at: number }): Promise<void> {
  const { identities, plan, totpSecret } = line
  for (const { issuer, subject } of identities) {
    const isNew = await identityStore(tx).insert({ issuer, subject, userId: user.id, email: undefined }, deps.at)
    if (!isNew) throw new TakenMeanwhile()
  }
  if (totpSecret !== undefined) await importTotp(tx, user, totpSecret, deps)
  if (plan && (plan.until ?? Number.POSITIVE_INFINITY) > deps.at) {
    // By the same time as above: a plan that ends while its portion is written must not end the import.
    const granted = await grantWithin(tx, announce, { ...plan, to: user.id, reason: 'import' }, { ...deps, now: () => deps.at })
    if ('refusal' in granted) throw new Error(`the plan ${plan.slug} can't be given any more: ${granted.refusal}`)
  }
}

/** Few have bought before: only those are linked one by one. A purchase of this very moment is linked when its user signs in. */
async function linkBought(tx: Transaction, announce: Announce, added: readonly Added[], { storage }: ImportDeps): Promise<void> {
  const verified = added.filter(({ line }) => line.verified)
  const guests = new Set(await linkStore(tx).listGuests(verified.map(({ user }) => user.email)))
  for (const { user } of verified) if (guests.has(user.email)) await linkPurchases(tx, user.id, { announce, storage })
}

/** Another transaction has taken something since the line was judged: the line is rolled back. */
class TakenMeanwhile extends Error {}

function isRace(error: unknown): boolean {
  return error instanceof TakenMeanwhile || isUniqueViolation(error)
}
