import type { Queryable } from '../../storage/index.ts'
import { nameFrom, type User } from '../user.ts'

/** Users with all that is shown of them, which stands in four tables. */
export function usersWithProfile(db: Queryable) {
  return db
    .selectFrom('users')
    .leftJoin('users_company', 'users_company.user_id', 'users.id')
    .leftJoin('beta_users', 'beta_users.user_id', 'users.id')
    .leftJoin('deletion_requests', 'deletion_requests.user_id', 'users.id')
    .selectAll('users')
    .select(['name', 'avatar_url', 'is_producer', 'company_name', 'rank_name', 'phone', 'tax_id_kind', 'nda_accepted_at'])
    .select(['beta_users.user_id as beta_id', 'requested_at', 'due_at'])
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof usersWithProfile>['executeTakeFirst']>>>

export function toUserIfAny(row: Row | undefined): User | undefined {
  return row && toUser(row)
}

export function toUser(row: Row): User {
  return {
    id: row.id,
    email: row.email,
    emailVerifiedAt: row.email_verified_at ?? undefined,
    passwordHash: row.password_hash ?? undefined,
    role: row.role === 'owner' || row.role === 'support' || row.role === 'viewer' ? row.role : undefined,
    disabledAt: row.disabled_at ?? undefined,
    // If the operator has disabled the account since, its user can't open it again.
    leavesAt: row.requested_at !== null && row.requested_at === row.disabled_at ? (row.due_at ?? undefined) : undefined,
    createdAt: row.created_at,
    externalId: row.external_id ?? undefined,
    name: row.name ?? nameFrom(row.email),
    avatarUrl: row.avatar_url ?? undefined,
    isProducer: row.is_producer === 1,
    companyName: row.company_name ?? undefined,
    rankName: row.rank_name ?? undefined,
    taxIdKind: TAX_ID_KINDS.find((kind) => kind === row.tax_id_kind),
    phone: row.phone ?? undefined,
    language: row.language ?? undefined,
    beta: row.beta_id === null ? undefined : { ndaAcceptedAt: row.nda_accepted_at ?? undefined },
  }
}

const TAX_ID_KINDS = ['cpf', 'cnpj', 'passport', 'foreign_tax_id', 'none'] as const

export function userColumns(user: User) {
  return {
    id: user.id,
    email: user.email,
    email_verified_at: user.emailVerifiedAt ?? null,
    password_hash: user.passwordHash ?? null,
    role: user.role ?? null,
    language: user.language ?? null,
    disabled_at: user.disabledAt ?? null,
    created_at: user.createdAt,
    updated_at: user.createdAt,
    external_id: user.externalId ?? null,
    password_changed_at: null,
  }
}

export function companyColumns(user: User) {
  return {
    name: user.name,
    avatar_url: user.avatarUrl ?? null,
    is_producer: user.isProducer ? 1 : 0,
    company_name: user.companyName ?? null,
    rank_name: user.rankName ?? null,
  }
}
