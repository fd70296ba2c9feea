import { type Account, accountStore } from '../accounts/index.ts'
import type { House } from '../app.ts'
import { maskTaxId, parseTaxId } from '../kit/index.ts'
import { sessionStore } from '../sessions/index.ts'
import { fields, isoTime, table } from './output.ts'

export interface UserDetails {
  account: Account
  /** Masked; `undefined` while there is none. */
  taxId: string | undefined
  liveSessions: number
}

/** An account with what is kept elsewhere about it. */
export async function readDetails(account: Account, { storage, sealer, now }: House): Promise<UserDetails> {
  const sealed = await accountStore(storage.db).findSealedTaxId(account.id)
  const digits = sealed && sealer.open(sealed.sealed, `users_company.tax_id_sealed.${account.id}`)
  const taxId = digits === undefined ? undefined : parseTaxId(digits)
  const unreadable = sealed ? 'registered, not readable' : undefined
  return {
    account,
    taxId: taxId ? maskTaxId(taxId) : unreadable,
    liveSessions: await sessionStore(storage.db).countLive(account.id, now()),
  }
}

export function userJson(account: Account) {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    verified_at: isoTime(account.emailVerifiedAt),
    role: account.role ?? null,
    disabled_at: isoTime(account.disabledAt),
    is_producer: account.isProducer,
    is_beta: account.beta?.ndaAcceptedAt !== undefined,
    beta: account.beta ? { nda_accepted_at: isoTime(account.beta.ndaAcceptedAt) } : null,
    avatar_url: account.avatarUrl ?? null,
    company_name: account.companyName ?? null,
    rank_name: account.rankName ?? null,
    phone: account.phone ?? null,
    has_password: account.passwordHash !== undefined,
    created_at: isoTime(account.createdAt),
  }
}

export function detailsJson({ account, taxId, liveSessions }: UserDetails) {
  return { ...userJson(account), tax_id: taxId ?? null, live_sessions: liveSessions }
}

export function userTable(accounts: readonly Account[]): string {
  if (accounts.length === 0) return 'No users.'
  return table(
    ['id', 'email', 'name', 'role', 'state'],
    accounts.map((account) => [account.id, account.email, account.name, account.role ?? '', stateOf(account)]),
  )
}

export function userFields({ account, taxId, liveSessions }: UserDetails): string {
  return fields([
    ['id', account.id],
    ['email', `${account.email}${account.emailVerifiedAt === undefined ? ' (not verified)' : ''}`],
    ['name', account.name],
    ['state', stateOf(account)],
    ['role', account.role],
    ['password', account.passwordHash === undefined ? 'none' : 'set'],
    ['live sessions', String(liveSessions)],
    ['producer', account.isProducer ? 'yes' : 'no'],
    ['beta user', account.beta ? betaState(account.beta.ndaAcceptedAt) : 'no'],
    ['tax id', taxId],
    ['phone', account.phone],
    ['company', account.companyName],
    ['rank', account.rankName],
    ['avatar', account.avatarUrl],
    ['verified at', isoTime(account.emailVerifiedAt) ?? undefined],
    ['disabled at', isoTime(account.disabledAt) ?? undefined],
    ['created at', isoTime(account.createdAt) ?? undefined],
  ])
}

function stateOf(account: Account): string {
  return account.disabledAt === undefined ? 'enabled' : 'disabled'
}

function betaState(ndaAcceptedAt: number | undefined): string {
  return ndaAcceptedAt === undefined ? 'yes, NDA not accepted yet' : `yes, NDA accepted ${isoTime(ndaAcceptedAt)}`
}
