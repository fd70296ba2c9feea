import { z } from 'zod'
import { type User, userVersion } from '../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { ROLES } from '../api/permissions.ts'
import { reason } from '../api/request/reason.ts'
import { findUser } from '../users/changes/find-user.ts'
import { setUser } from '../users/changes/set-user.ts'
import type { UserSort } from '../users/listing/user-filter-store.ts'
import { listUsers, userPlace } from '../users/listing/user-list-store.ts'
import { refuseUser, withUser } from '../users/show-user.ts'
import { userJson } from '../users/user-json.ts'
import { userExample, userSchema } from '../users/user-schemas.ts'

const answer = { description: 'The user', schema: userSchema, example: { ...userExample, role: 'support' } }
const administratorListQuery = listQuery({ sorts: ['created_at', 'email'], usual: 'created_at' }, {})
const roleBody = z.strictObject({ role: z.enum(ROLES), reason: reason.optional() })
const grantBody = roleBody.extend({ email: z.string().describe('of an account that exists') })

/** The administrators and their roles. Only owners with a recent authentication give and take roles, never a script. */
export function administratorRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/administrators',
    operationId: 'listAdministrators',
    summary: 'List everyone who has a role',
    may: 'administrators:read',
    query: administratorListQuery,
    refuses: ['bad_cursor'],
    answer: onePage(userSchema, answer.example),
    work: ({ query }) => list(query, deps),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/administrators',
    operationId: 'addAdministrator',
    summary: 'Give a role to a user',
    description: 'The user gets a mail with the address of the console.',
    may: 'administrators:write',
    authentication: 'recent',
    body: grantBody,
    answer: { ...answer, status: 201 },
    work: (call) => grant(call, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/administrators/:id',
    operationId: 'showAdministrator',
    summary: 'Show somebody who has a role',
    may: 'administrators:read',
    answer,
    refuses: ['not_found'],
    work: ({ id }) => withAdministrator(id, deps, async (user) => show(user)),
  })
  adminRoute(operations, {
    method: 'PATCH',
    path: '/administrators/:id',
    operationId: 'changeAdministrator',
    summary: "Change an administrator's role",
    may: 'administrators:write',
    authentication: 'recent',
    body: roleBody,
    version: 'required',
    answer,
    refuses: ['not_found', 'conflict'],
    work: (call) => setRole(call, call.body.role, deps),
  })
  adminRoute(operations, {
    method: 'DELETE',
    path: '/administrators/:id',
    operationId: 'removeAdministrator',
    summary: "Take an administrator's role away",
    description: 'The account stays, and its sessions: the role is asked for at every call.',
    may: 'administrators:write',
    authentication: 'recent',
    body: z.strictObject({ reason: reason.optional() }),
    answer,
    refuses: ['not_found', 'conflict'],
    work: (call) => setRole(call, null, deps),
  })
}

async function list(query: z.output<typeof administratorListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage<UserSort>('administrators', query, cursors)
  if ('refusal' in asked) return asked
  const found = await listUsers(storage.db, { role: 'any' }, asked.page)
  return { body: writePage('administrators', found, query, { cursors, placeOf: userPlace(query.sort.sort), json: userJson }) }
}

/** For a user of whom only the address was loaded, whatever else changes meanwhile: an outdated read is repeated. */
const MAX_LOOKS = 5

async function grant(
  { body, actor }: Pick<AdminCall<unknown, z.output<typeof grantBody>>, 'body' | 'actor'>,
  deps: AdminDeps,
  left = MAX_LOOKS,
): Promise<AdminAnswer> {
  const user = await findUser(deps.storage.db, body.email)
  if (!user) return { refusal: 'malformed', fields: { email: 'no_such_user' } }
  if (user.role !== undefined) return { refusal: 'malformed', fields: { email: 'has_role' } }
  const changed = await setUser(user, { role: body.role }, { ...deps, actor, seen: userVersion(user) })
  if ('refusal' in changed && changed.refusal === 'changed_meanwhile' && left > 1) return grant({ body, actor }, deps, left - 1)
  if ('refusal' in changed) return refuseUser(changed)
  deps.outbox.wake()
  return show(changed)
}

function setRole(
  { id, actor, seen }: AdminCall<unknown, unknown>,
  role: z.output<typeof roleBody>['role'] | null,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  return withAdministrator(id, deps, async (user) => {
    const changed = await setUser(user, { role }, { ...deps, actor, seen })
    if ('refusal' in changed) return refuseUser(changed)
    deps.outbox.wake()
    return show(changed)
  })
}

function withAdministrator(id: string, deps: AdminDeps, work: (user: User) => Promise<AdminAnswer>): Promise<AdminAnswer> {
  return withUser(id, deps, async (user) => (user.role === undefined ? { refusal: 'not_found' } : work(user)))
}

function show(user: User): AdminAnswer {
  return { body: userJson(user), version: userVersion(user) }
}
