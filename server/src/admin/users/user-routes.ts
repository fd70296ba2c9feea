import type { z } from 'zod'
import type { User } from '../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { isStale, refuseImpersonationOf } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { answerPage, onePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { setUser } from './changes/set-user.ts'
import { USER_PERSONAL, userListing } from './listing/user-listing.ts'
import { refuseUser, showUser, withUser } from './show-user.ts'
import { changeUserBody } from './user-bodies.ts'
import { userAnswer, userExample, userListQuery, userSchema } from './user-schemas.ts'

/** Users: listed, shown, changed. */
export function userRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    summary: 'List users',
    description: 'A viewer finds whole words alone, where others find their beginnings.',
    may: 'users:read',
    personal: USER_PERSONAL,
    query: userListQuery,
    answer: onePage(userSchema, userExample),
    refuses: ['bad_cursor'],
    work: ({ query, caller }) => answerPage('users', query, userListing(query, caller, deps), deps.cursors),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/users/:id',
    operationId: 'showUser',
    summary: 'Show a user',
    may: 'users:read',
    personal: USER_PERSONAL,
    answer: userAnswer,
    refuses: ['not_found'],
    work: ({ id }) => withUser(id, deps, (user) => showUser(user, deps)),
  })
  adminRoute(operations, {
    method: 'PATCH',
    path: '/users/:id',
    operationId: 'changeUser',
    summary: 'Change what the operator says of a user',
    description:
      'To vouch for an address asks for recent authentication. Only owners change a user with a role, with recent authentication.',
    may: 'users:write',
    body: changeUserBody,
    version: 'required',
    answer: userAnswer,
    refuses: ['not_found'],
    work: (call) => withUser(call.id, deps, (user) => change(user, call, deps)),
  })
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
  return 'refusal' in changed ? refuseUser(changed) : showUser(changed, deps)
}
