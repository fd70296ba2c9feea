import { searchedTerms } from '../../../kit/index.ts'
import type { User } from '../../../users/index.ts'
import type { Caller } from '../../api/caller.ts'
import type { AdminDeps } from '../../api/deps.ts'
import type { ListFilters, Listing } from '../../api/list.ts'
import type { Refused } from '../../api/refusals.ts'
import { userJson } from '../user-json.ts'
import type { userListQuery } from '../user-schemas.ts'
import type { UserSort } from './user-filter-store.ts'
import { listUsers, userPlace } from './user-list-store.ts'

/** Data by which a user can be reached, found elsewhere or traced. */
export const USER_PERSONAL = ['email', 'external_id', 'phone', 'tax_id', 'avatar_url']

/** Users for a caller. */
export function userListing(
  query: ListFilters<typeof userListQuery>,
  caller: Pick<Caller, 'role'>,
  { storage }: Pick<AdminDeps, 'storage'>,
): Listing<User, UserSort> | Refused {
  const hidden = refuseHiddenOrder(caller, query.sort)
  if (hidden) return hidden
  const { q, role, disabled, producer, beta, created_since: createdSince, created_until: createdUntil } = query
  const filter = {
    terms: q === undefined ? undefined : searchedTerms(q),
    match: matchFor(caller),
    externalId: q,
    role,
    disabled,
    producer,
    beta,
    createdSince,
    createdUntil,
  }
  return { order: query.sort, read: (page) => listUsers(storage.db, filter, page), placeOf: userPlace(query.sort.sort), json: userJson }
}

/** A viewer may not order by address: a user's position among the viewer's own accounts would reveal it, letter by letter. */
export function refuseHiddenOrder({ role }: Pick<Caller, 'role'>, { sort }: { sort: UserSort }): Refused | undefined {
  return role === 'viewer' && sort === 'email' ? { refusal: 'malformed', fields: { sort: 'hidden' } } : undefined
}

/** An address could be read letter by letter through searches for its beginning, so it would not be hidden. */
export function matchFor({ role }: Pick<Caller, 'role'>): 'whole' | 'beginning' {
  return role === 'viewer' ? 'whole' : 'beginning'
}
