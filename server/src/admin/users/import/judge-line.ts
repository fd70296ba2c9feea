import { hmacSha256, personalIdText } from '../../../kit/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { identityStore, MAX_FOREIGN_COSTS, parseForeignHash, profileStore, userStore } from '../../../users/index.ts'
import type { ReadyUser } from './references.ts'

/** A line of the file, after it was read. */
export type Read = { line: number; user: ReadyUser } | { line: number; refused: string }

/**
 * The outcome of a line. `known`: its address or external id has an account, which stays as it is. `brings`: the fields that the account
 * has from its line.
 */
export type LineResult = { line: number; email?: string } & (
  | { outcome: 'added'; brings: string[] }
  | { outcome: 'known' }
  | { outcome: 'refused'; why: string }
)

interface JudgeDeps {
  db: Queryable
  taxIdKey: Uint8Array
  at: number
}

/** Something that only one account may have. */
interface Unique {
  key: string
  why: string
  isTaken(db: Queryable): Promise<boolean>
}

const TOO_MANY_COSTS = `password_hash: hashes of ${MAX_FOREIGN_COSTS} kinds and costs are stored already, and every sign-in pays for each of them`

/** The outcome of a line, as far as the database knows. */
export async function judgeLine(read: Read, { db, taxIdKey, at }: JudgeDeps): Promise<LineResult> {
  const { line } = read
  if ('refused' in read) return { line, outcome: 'refused', why: read.refused }
  const { user } = read
  const { email, externalId } = user
  if (await userStore(db).findByEmail(email)) return { line, email, outcome: 'known' }
  if (externalId !== undefined && (await userStore(db).findByExternalId(externalId))) return { line, email, outcome: 'known' }
  const cost = costOf(user)
  if (cost !== undefined && isOneMore(cost, new Set(await userStore(db).listForeignCosts())))
    return { line, email, outcome: 'refused', why: TOO_MANY_COSTS }
  for (const { why, isTaken } of uniquesOf(user, taxIdKey)) if (await isTaken(db)) return { line, email, outcome: 'refused', why }
  return { line, email, outcome: 'added', brings: fieldsOf(user, at) }
}

/** Judges lines as an import would, with the lines before them in mind. */
export function createRehearsal(deps: Omit<JudgeDeps, 'at'>): (read: Read, at: number) => Promise<LineResult> {
  const [accounts, taken, costs] = [new Set<string>(), new Set<string>(), new Set<string>()]
  return async (read, at) => {
    const judged = await judgeLine(read, { ...deps, at })
    if (judged.outcome !== 'added' || 'refused' in read) return judged
    const { line, user } = read
    const { email } = user
    const refused = (why: string): LineResult => ({ line, email, outcome: 'refused', why })
    const names = [`email ${email}`, ...(user.externalId === undefined ? [] : [`external ${user.externalId}`])]
    if (names.some((name) => accounts.has(name))) return { line, email, outcome: 'known' }
    const cost = costOf(user)
    if (cost !== undefined) {
      for (const stored of await userStore(deps.db).listForeignCosts()) costs.add(stored)
      if (isOneMore(cost, costs)) return refused(TOO_MANY_COSTS)
    }
    const uniques = uniquesOf(user, deps.taxIdKey)
    const other = uniques.find(({ key }) => taken.has(key))
    if (other) return refused(other.why)
    if (cost !== undefined) costs.add(cost)
    for (const name of names) accounts.add(name)
    for (const { key } of uniques) taken.add(key)
    return judged
  }
}

function uniquesOf(user: ReadyUser, taxIdKey: Uint8Array): Unique[] {
  const hash = user.taxId && hmacSha256(taxIdKey, personalIdText(user.taxId)).toString('hex')
  const taxId: Unique[] =
    hash === undefined
      ? []
      : [{ key: `tax id ${hash}`, why: 'tax_id: another account has it', isTaken: (db) => profileStore(db).isTaxIdTaken(hash) }]
  const identities = user.identities.map(({ providerId, issuer, subject }) => ({
    key: `identity ${issuer} ${subject}`,
    why: `identities: another account has the one of ${providerId}`,
    isTaken: async (db: Queryable) => (await identityStore(db).findUserId(issuer, subject)) !== undefined,
  }))
  return [...taxId, ...identities]
}

function costOf({ passwordHash }: ReadyUser): string | undefined {
  return passwordHash === undefined ? undefined : parseForeignHash(passwordHash)?.cost
}

function isOneMore(cost: string, stored: ReadonlySet<string>): boolean {
  return !stored.has(cost) && stored.size >= MAX_FOREIGN_COSTS
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
