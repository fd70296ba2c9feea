import { inPages, type Page, type PageAfter, type Queryable } from '../../../storage/index.ts'
import { searchTermStore, type User, userStore } from '../../../users/index.ts'
import { areFew, type Match, type UserFilter, type UserSort, type Users, withFilters } from './user-filter-store.ts'

/** The users with the rare terms, if any, and with the common ones. */
interface Searched {
  named: string[] | undefined
  common: string[]
}

const columns = { created_at: 'users.id', email: 'users.email' } as const satisfies Record<UserSort, string>

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
