import { sql } from 'kysely'
import { type Account, accountStore, wordStore } from '../../accounts/index.ts'
import { firstIdAt } from '../../kit/index.ts'
import { inPages, type Page, type PageAfter, type Queryable } from '../../storage/index.ts'

export type UserSort = 'created_at' | 'email'

export interface UserFilter {
  /** What support types: each word begins one of the person's. */
  words?: readonly string[] | undefined
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
  const { words = [], role, disabled, producer, beta } = filter
  const searched = await search(db, words)
  if (searched.named) query = query.where('users.id', 'in', searched.named.length === 0 ? [''] : searched.named)
  for (const word of searched.common) {
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('user_words')
          .whereRef('user_id', '=', 'users.id')
          .where('word', '>=', word)
          .where('word', '<', `${word}\u{10ffff}`)
          .select('user_id'),
      ),
    )
  }
  if (role !== undefined) query = role === 'any' ? query.where('users.role', 'is not', null) : query.where('users.role', '=', role)
  if (disabled !== undefined) query = query.where('users.disabled_at', disabled ? 'is not' : 'is', null)
  if (filter.createdSince !== undefined) query = query.where('users.id', '>=', firstIdAt(filter.createdSince))
  if (filter.createdUntil !== undefined) query = query.where('users.id', '<', firstIdAt(filter.createdUntil))
  // The few are found by an index of them alone, whose own word for them is this literal; the many are met at once.
  const producers = db.selectFrom('users_company').select('user_id').where('is_producer', '=', sql.lit(1))
  const betaUsers = db.selectFrom('beta_users').select('user_id')
  if (producer !== undefined) query = query.where('users.id', producer ? 'in' : 'not in', producers)
  if (beta !== undefined) query = query.where('users.id', beta ? 'in' : 'not in', betaUsers)
  const ids = await inPages(query, { column: columns[page.sort], id: 'users.id', page }).execute()
  return accountStore(db).listByIds(ids.map(({ id }) => id))
}

/** By what a person is found again in a list of this order. */
export function userPlace(sort: UserSort): (account: Account) => PageAfter {
  return ({ id, email }) => ({ id, value: sort === 'email' ? email : id })
}

/** Rare words name people outright; common ones are left to be looked for among the newest, where they are met soon. */
async function search(db: Queryable, words: readonly string[]): Promise<{ named: string[] | undefined; common: string[] }> {
  const common: string[] = []
  let named: string[] | undefined
  for (const word of words) {
    const found = await wordStore(db).findByPrefix(word)
    if (found === 'common') common.push(word)
    else named = both(named, new Set(found))
  }
  return { named, common }
}

function both(named: readonly string[] | undefined, found: ReadonlySet<string>): string[] {
  return named === undefined ? [...found] : named.filter((id) => found.has(id))
}
