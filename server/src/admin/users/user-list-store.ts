import { type SelectQueryBuilder, sql } from 'kysely'
import { firstIdAt } from '../../kit/index.ts'
import { inPages, type Page, type PageAfter, type Queryable, type Schema } from '../../storage/index.ts'
import { searchTermStore, type User, userStore } from '../../users/index.ts'

export type UserSort = 'created_at' | 'email'

type Match = 'beginning' | 'whole'

/** The users with the rare terms, if any, and with the common ones. */
interface Searched {
  named: string[] | undefined
  common: string[]
}

export interface UserFilter {
  /** The typed words: each is the beginning of one of the user's terms, or one of them. No words find nobody. */
  terms?: readonly string[] | undefined
  match?: Match | undefined
  /** Finds the one user who had this id in another system, in place of the terms. */
  externalId?: string | undefined
  role?: NonNullable<User['role']> | 'any' | undefined
  disabled?: boolean | undefined
  producer?: boolean | undefined
  beta?: boolean | undefined
  /** Ms. */
  createdSince?: number | undefined
  createdUntil?: number | undefined
}

const columns = { created_at: 'users.id', email: 'users.email' } as const satisfies Record<UserSort, string>

/** Up to this many are read completely, which is quicker than searching all users for the first page of them. */
const FEW = 2_000

/** One page of users. Ids are made in the order of time, so their order is that of `created_at`. */
export async function listUsers(db: Queryable, filter: UserFilter, page: Page<UserSort>): Promise<User[]> {
  return userStore(db).listByIds(await listUserIds(db, filter, page))
}

async function listUserIds(
  db: Queryable,
  { terms, match = 'beginning', externalId, ...others }: UserFilter,
  page: Page<UserSort>,
): Promise<string[]> {
  const imported = externalId === undefined ? undefined : await userStore(db).findByExternalId(externalId)
  if (!imported && terms?.length === 0) return []
  const searched = imported ? { named: [imported.id], common: [] } : await search(db, terms ?? [], match)
  if (searched.named?.length === 0) return []
  const isAll = searched.common.length === 0 && Object.values(others).every((value) => value === undefined)
  if (searched.named && isAll && page.sort === 'created_at') return pageOfIds(searched.named, page)
  const query = withTerms(withFilters(db.selectFrom('users').select('users.id'), db, others), searched, match)
  const isFew = page.sort === 'email' && (searched.named !== undefined || (await areFew(db, others)))
  const paged = isFew
    ? inPages(apart(db, query), { column: 'email', id: 'id', page })
    : inPages(query, { column: columns[page.sort], id: 'users.id', page })
  return (await paged.execute()).map(({ id }) => id)
}

/** The page of these, by an index. */
function pageOfIds(ids: readonly string[], { direction, after, limit }: Page): string[] {
  const sorted = ids.toSorted()
  const ordered = direction === 'asc' ? sorted : sorted.toReversed()
  return ordered.filter((id) => !after || (direction === 'asc' ? id > after.id : id < after.id)).slice(0, limit)
}

/** All of them are found first and then ordered: a database that searches for the first page at once may scan all users in that order. */
function apart(db: Queryable, query: Users) {
  return db
    .with(
      (few) => few('few').materialized(),
      () => query.select('users.email'),
    )
    .selectFrom('few')
    .select('id')
}

type Users = SelectQueryBuilder<Schema, 'users', { id: string }>

function withFilters(users: Users, db: Queryable, { role, disabled, producer, beta, ...created }: UserFilter): Users {
  let query = createdWithin(users, created)
  // Worded as in the partial indexes, so that a database uses them.
  if (role !== undefined) query = query.where('users.role', 'is not', null)
  if (role !== undefined && role !== 'any') query = query.where('users.role', '=', role)
  if (disabled !== undefined) query = query.where('users.disabled_at', disabled ? 'is not' : 'is', null)
  if (producer !== undefined) query = query.where('users.id', producer ? 'in' : 'not in', producers(db))
  if (beta !== undefined) query = query.where('users.id', beta ? 'in' : 'not in', betaUsers(db))
  return query
}

function createdWithin(users: Users, { createdSince, createdUntil }: Pick<UserFilter, 'createdSince' | 'createdUntil'>): Users {
  let query = users
  if (createdSince !== undefined) query = query.where('users.id', '>=', firstIdAt(createdSince))
  if (createdUntil !== undefined) query = query.where('users.id', '<', firstIdAt(createdUntil))
  return query
}

const producers = (db: Queryable) => db.selectFrom('users_company').select('user_id').where('is_producer', '=', sql.lit(1))
const betaUsers = (db: Queryable) => db.selectFrom('beta_users').select('user_id')

function withTerms(users: Users, { named, common }: Searched, match: Match): Users {
  let query = named ? users.where('users.id', 'in', named) : users
  for (const term of common) {
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('user_search_terms')
          .whereRef('user_id', '=', 'users.id')
          .where((w) => (match === 'whole' ? w('term', '=', term) : w.and([w('term', '>=', term), w('term', '<', `${term}\u{10ffff}`)])))
          .select('user_id'),
      ),
    )
  }
  return query
}

/** Whether a filter lets only few pass, and has no index in the order of addresses. */
async function areFew(db: Queryable, { producer, beta, ...created }: UserFilter): Promise<boolean> {
  if (producer === true && (await isShort(producers(db)))) return true
  if (beta === true && (await isShort(betaUsers(db)))) return true
  const isTimed = created.createdSince !== undefined || created.createdUntil !== undefined
  return isTimed && isShort(createdWithin(db.selectFrom('users').select('users.id'), created))
}

async function isShort<TB extends keyof Schema>(query: SelectQueryBuilder<Schema, TB, object>): Promise<boolean> {
  return (await query.limit(1).offset(FEW).executeTakeFirst()) === undefined
}

/** The values by which a user is found again in a list of this order. */
export function userPlace(sort: UserSort): (user: User) => PageAfter {
  return ({ id, email }) => ({ id, value: sort === 'email' ? email : id })
}

/** Rare terms identify users directly; common ones are searched among the newest users, where they are found soon. */
async function search(db: Queryable, terms: readonly string[], match: Match): Promise<Searched> {
  const common: string[] = []
  let named: string[] | undefined
  for (const term of terms) {
    const found = await (match === 'whole' ? searchTermStore(db).findByTerm(term) : searchTermStore(db).findByPrefix(term))
    if (found === 'common') common.push(term)
    else named = both(named, new Set(found))
  }
  return { named, common }
}

function both(named: readonly string[] | undefined, found: ReadonlySet<string>): string[] {
  return named === undefined ? [...found] : named.filter((id) => found.has(id))
}
