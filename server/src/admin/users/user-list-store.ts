import { type Account, accountStore } from '../../accounts/index.ts'
import { inPages, type Page, type PageAfter, type Queryable } from '../../storage/index.ts'

export type UserSort = 'created_at' | 'email'

export interface UserFilter {
  /** The beginning of an address. */
  email?: string | undefined
  role?: NonNullable<Account['role']> | 'any' | undefined
  disabled?: boolean | undefined
  producer?: boolean | undefined
  beta?: boolean | undefined
  /** Ms. */
  createdSince?: number | undefined
  createdUntil?: number | undefined
}

const columns = { created_at: 'users.id', email: 'users.email' } as const satisfies Record<UserSort, string>

/** One page of people. Ids are made in the order of time, so the order of `created_at` is theirs. */
export async function listUsers(db: Queryable, filter: UserFilter, page: Page<UserSort>): Promise<Account[]> {
  let query = db.selectFrom('users').select('users.id')
  const { email, role, disabled, producer, beta } = filter
  if (email !== undefined) query = query.where('users.email', '>=', email).where('users.email', '<', `${email}\u{10ffff}`)
  if (role !== undefined) query = role === 'any' ? query.where('users.role', 'is not', null) : query.where('users.role', '=', role)
  if (disabled !== undefined) query = query.where('users.disabled_at', disabled ? 'is not' : 'is', null)
  if (filter.createdSince !== undefined) query = query.where('users.created_at', '>=', filter.createdSince)
  if (filter.createdUntil !== undefined) query = query.where('users.created_at', '<', filter.createdUntil)
  if (producer !== undefined)
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('users_company')
          .whereRef('user_id', '=', 'users.id')
          .where('is_producer', '=', producer ? 1 : 0)
          .select('user_id'),
      ),
    )
  if (beta !== undefined) {
    query = query.where((e) => {
      const isBeta = e.exists(e.selectFrom('beta_users').whereRef('user_id', '=', 'users.id').select('user_id'))
      return beta ? isBeta : e.not(isBeta)
    })
  }
  const ids = await inPages(query, { column: columns[page.sort], id: 'users.id', page }).execute()
  return accountStore(db).listByIds(ids.map(({ id }) => id))
}

/** By what a person is found again in a list of this order. */
export function userPlace(sort: UserSort): (account: Account) => PageAfter {
  return ({ id, email }) => ({ id, value: sort === 'email' ? email : id })
}
