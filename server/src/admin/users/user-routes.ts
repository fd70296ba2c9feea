import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { searchedTerms } from '../../kit/index.ts'
import { type User, type UserRefusal, userVersion } from '../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import { type Caller, isStale, refuseImpersonationOf } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { answerPage, type ListFilters, type Listing, pageSchema } from '../api/list.ts'
import type { Refused } from '../api/refusals.ts'
import { setUser } from './change-users.ts'
import { readUserDetails, userDetailsJson, userJson } from './user-json.ts'
import { listUsers, type UserSort, userPlace } from './user-list-store.ts'
import { changeUserBody, userAnswer, userExample, userListQuery, userSchema } from './user-schemas.ts'

/** Data by which a user can be reached, found elsewhere or traced. */
export const USER_PERSONAL = ['email', 'external_id', 'phone', 'tax_id', 'avatar_url']

/** Users: listed, shown, changed. */
export function userRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    summary: 'List users',
    description: 'A viewer finds whole words alone, where others find their beginnings.',
    may: 'users:read',
    personal: USER_PERSONAL,
    query: userListQuery,
    body: nothing,
    answer: {
      description: 'One page',
      schema: pageSchema(userSchema),
      example: { data: [userExample], next_cursor: null },
    },
    refuses: ['bad_cursor'],
    work: ({ query, caller }) => answerPage('users', query, userListing(query, caller, deps), deps.cursors),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/users/:id',
    operationId: 'showUser',
    summary: 'Show a user',
    may: 'users:read',
    personal: USER_PERSONAL,
    query: nothing,
    body: nothing,
    answer: userAnswer,
    refuses: ['not_found'],
    work: ({ id }) => withUser(id, deps, (user) => show(user, deps)),
  })
  adminRoute(scope, deps, {
    method: 'PATCH',
    path: '/users/:id',
    operationId: 'changeUser',
    summary: 'Change what the operator says of a user',
    description:
      'To vouch for an address asks for recent authentication. Only owners change a user with a role, with recent authentication.',
    may: 'users:write',
    query: nothing,
    body: changeUserBody,
    version: 'required',
    answer: userAnswer,
    refuses: ['not_found'],
    work: (call) => withUser(call.id, deps, (user) => change(user, call, deps)),
  })
}

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

export async function show(user: User, deps: AdminDeps): Promise<AdminAnswer> {
  const details = await readUserDetails(user, deps)
  const body = { ...userDetailsJson(details), tax_id_readable: details.isTaxIdReadable }
  return { body, version: userVersion(user) }
}

/** The user after an action. */
export function showAgain({ id }: User, deps: AdminDeps): Promise<AdminAnswer> {
  return withUser(id, deps, (user) => show(user, deps))
}

async function change(user: User, call: AdminCall<unknown, z.output<typeof changeUserBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const {
    name,
    avatar_url: avatarUrl,
    company_name: companyName,
    rank_name: rankName,
    is_producer: isProducer,
    beta: isBeta,
    verified,
  } = call.body
  const wanted = {
    ...(name !== undefined && { name }),
    ...(avatarUrl !== undefined && { avatarUrl: avatarUrl || null }),
    ...(companyName !== undefined && { companyName: companyName || null }),
    ...(rankName !== undefined && { rankName: rankName || null }),
    ...(isProducer !== undefined && { isProducer }),
    ...(isBeta !== undefined && { isBeta }),
    ...(verified !== undefined && { verified }),
  }
  // A verified address brings its user the purchases made with it.
  if (verified === true && isStale(call.caller)) return { refusal: 'authentication_too_old' }
  const refused = refuseImpersonationOf(call.caller, user.role)
  if (refused) return refused
  const changed = await setUser(user, wanted, { ...deps, actor: call.actor, seen: call.seen })
  return 'refusal' in changed ? refuse(changed) : show(changed, deps)
}

export async function withUser(id: string, { users }: AdminDeps, work: (user: User) => Promise<AdminAnswer>): Promise<AdminAnswer> {
  const user = await users.findById(id)
  return user ? work(user) : { refusal: 'not_found' }
}

/** The same for actions: not everybody may act on administrators. */
export function withTarget(
  call: Pick<AdminCall<unknown, unknown>, 'id' | 'caller'>,
  deps: AdminDeps,
  work: (user: User) => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  return withUser(call.id, deps, async (user) => refuseImpersonationOf(call.caller, user.role) ?? work(user))
}

/** A refusal of an action on a user, on the wire. */
export function refuse({ refusal }: UserRefusal): Refused {
  return userRefusals[refusal]
}

const userRefusals = {
  email_malformed: { refusal: 'malformed', fields: { email: 'email_malformed' } },
  email_taken: { refusal: 'malformed', fields: { email: 'email_taken' } },
  name_malformed: { refusal: 'malformed', fields: { name: 'name_malformed' } },
  avatar_malformed: { refusal: 'malformed', fields: { avatar_url: 'avatar_malformed' } },
  not_found: { refusal: 'not_found' },
  last_owner: { refusal: 'conflict', reason: 'last_owner' },
  changed_meanwhile: { refusal: 'changed_meanwhile' },
} as const satisfies Record<UserRefusal['refusal'], Refused>
