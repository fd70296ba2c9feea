import { hmacSha256, personalIdText } from '../../../kit/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { identityStore, importedUserStore, MAX_FOREIGN_COSTS, parseForeignHash, passwordStore, taxIdStore } from '../../../users/index.ts'
import type { ReadyUser } from './references.ts'

/** A line of the file, after it was read. */
export type Read = { line: number; user: ReadyUser } | { line: number; refused: string; email?: string | undefined }

/**
 * The outcome of a line. `known`: its address or external id has an account, which stays as it is. `brings`: the fields that the account
 * has from its line.
 */
export type LineResult = { line: number; email?: string } & (
  | { outcome: 'added'; brings: string[] }
  | { outcome: 'known' }
  | { outcome: 'refused'; why: string }
)

/** Something that only one account may have. */
interface Unique {
  key: string
  why: string
}

/** The values, among those that lines name, that are taken: by accounts, or by earlier lines. */
interface Taken {
  /** Addresses and external ids. */
  accounts: Set<string>
  uniques: Set<string>
  costs: Set<string>
}

const TOO_MANY_COSTS = `password_hash: hashes of ${MAX_FOREIGN_COSTS} kinds and costs are stored already, and every sign-in pays for each of them`

/**
 * Judges lines, a portion at a time. Each line is judged with the earlier ones in mind, which the judge remembers. In a rehearsal one judge
 * sees all portions. In an import each portion has a judge of its own, since earlier portions are in the database by then.
 */
export function createJudge(
  taxIdKey: Uint8Array,
): (portion: readonly Read[], deps: { db: Queryable; at: number }) => Promise<LineResult[]> {
  const seen: Taken = { accounts: new Set(), uniques: new Set(), costs: new Set() }
  return async (portion, { db, at }) => {
    const stored = await readTaken(db, portion, taxIdKey)
    for (const cost of stored.costs) seen.costs.add(cost)
    return portion.map((read) => judge(read, { stored, seen, taxIdKey, at }))
  }
}

function judge(read: Read, { stored, seen, taxIdKey, at }: { stored: Taken; seen: Taken; taxIdKey: Uint8Array; at: number }): LineResult {
  const { line } = read
  if ('refused' in read) return { line, ...(read.email !== undefined && { email: read.email }), outcome: 'refused', why: read.refused }
  const { user } = read
  const { email } = user
  const names = accountNames(user)
  if (names.some((name) => stored.accounts.has(name) || seen.accounts.has(name))) return { line, email, outcome: 'known' }
  const cost = costOf(user)
  if (cost !== undefined && !seen.costs.has(cost) && seen.costs.size >= MAX_FOREIGN_COSTS)
    return { line, email, outcome: 'refused', why: TOO_MANY_COSTS }
  const uniques = uniquesOf(user, taxIdKey)
  const other = uniques.find(({ key }) => stored.uniques.has(key) || seen.uniques.has(key))
  if (other) return { line, email, outcome: 'refused', why: other.why }
  if (cost !== undefined) seen.costs.add(cost)
  for (const name of names) seen.accounts.add(name)
  for (const { key } of uniques) seen.uniques.add(key)
  return { line, email, outcome: 'added', brings: fieldsOf(user, at) }
}

async function readTaken(db: Queryable, portion: readonly Read[], taxIdKey: Uint8Array): Promise<Taken> {
  const users = portion.flatMap((read) => ('user' in read ? [read.user] : []))
  const externalIds = users.flatMap(({ externalId }) => externalId ?? [])
  const accounts = await importedUserStore(db).listKnown({ emails: users.map(({ email }) => email), externalIds })
  const taxIds = await taxIdStore(db).listTakenTaxIds(users.flatMap((user) => taxIdHash(user, taxIdKey) ?? []))
  const identities = await identityStore(db).listTaken(users.flatMap((user) => user.identities))
  return {
    accounts: new Set(accounts.flatMap(accountNames)),
    uniques: new Set([...taxIds.map(taxIdName), ...identities.map(identityName)]),
    costs: new Set(await passwordStore(db).listForeignCosts()),
  }
}

function accountNames({ email, externalId }: Pick<ReadyUser, 'email' | 'externalId'>): string[] {
  return [`email ${email}`, ...(externalId === undefined ? [] : [`external ${externalId}`])]
}

function uniquesOf(user: ReadyUser, taxIdKey: Uint8Array): Unique[] {
  const hash = taxIdHash(user, taxIdKey)
  return [
    ...(hash === undefined ? [] : [{ key: taxIdName(hash), why: 'tax_id: another account has it' }]),
    ...user.identities.map((identity) => ({
      key: identityName(identity),
      why: `identities: another account has the one of ${identity.providerId}`,
    })),
  ]
}

const taxIdName = (hash: string) => `tax id ${hash}`
const identityName = ({ issuer, subject }: { issuer: string; subject: string }) => `identity ${issuer} ${subject}`

function taxIdHash({ taxId }: ReadyUser, taxIdKey: Uint8Array): string | undefined {
  return taxId && hmacSha256(taxIdKey, personalIdText(taxId)).toString('hex')
}

function costOf({ passwordHash }: ReadyUser): string | undefined {
  return passwordHash === undefined ? undefined : parseForeignHash(passwordHash)?.cost
}

function fieldsOf(user: ReadyUser, at: number): string[] {
  const { verified, externalId, phone, taxId, language, passwordHash, totpSecret, identities, plan, createdAt } = user
  const has = { email_verified: verified, external_id: externalId, phone, tax_id: taxId, language, password_hash: passwordHash }
  const more = { totp_secret: totpSecret, created_at: createdAt }
  return [
    ...Object.entries({ ...has, ...more }).flatMap(([field, value]) => (value === undefined || value === false ? [] : [field])),
    ...identities.map(({ providerId }) => `identity of ${providerId}`),
    ...(plan ? [planText(plan, at)] : []),
  ]
}

function planText({ slug, until }: NonNullable<ReadyUser['plan']>, at: number): string {
  if (until === undefined) return `plan ${slug}`
  const end = new Date(until).toISOString()
  return until <= at ? `no plan, since ${slug} ended ${end}` : `plan ${slug} until ${end}`
}
