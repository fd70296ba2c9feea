import { z } from 'zod'
import { recordAudit } from '../../audit/index.ts'
import { endEverySession, endSession } from '../../sessions/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { refuseImpersonationOf } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { onePage, readPage, refuseHiddenFilter, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { actionBody, reasonedBody } from '../api/request/reason.ts'
import { refuseOtherRole } from '../users/changes/refuse-other-role.ts'
import { findSession, listSessions } from './session-list-store.ts'
import { sessionExample, sessionJson, sessionListQuery, sessionSchema } from './session-schemas.ts'

const answer = { description: 'The session', schema: sessionSchema, example: sessionExample }

/** Sessions: their users, times and origins; and ending them. */
export function sessionAdminRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/sessions',
    operationId: 'listSessions',
    summary: 'List sessions, those that have ended too, as long as they are kept',
    may: 'sessions:read',
    personal: ['email', 'ip', 'user_agent'],
    query: sessionListQuery,
    answer: onePage(sessionSchema, sessionExample),
    refuses: ['bad_cursor'],
    work: (call) => list(call, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/sessions/:id',
    operationId: 'showSession',
    summary: 'Show a session',
    may: 'sessions:read',
    personal: ['email', 'ip', 'user_agent'],
    answer,
    refuses: ['not_found'],
    work: ({ id }) => show(id, deps),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/sessions/:id/end',
    operationId: 'endSession',
    summary: 'End a session and those of products that came from it',
    description: 'Every node refuses them within two seconds. One that has ended already stays as it is.',
    may: 'sessions:write',
    body: actionBody,
    answer,
    refuses: ['not_found', 'changed_meanwhile'],
    work: (call) => end(call, deps),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/sessions/revoke-all',
    operationId: 'revokeAllSessions',
    summary: 'Sign everyone out, the caller as well',
    description:
      'Ends every session that began before it, of users and of products; every node refuses them within two seconds. One that was cut short can be sent again: it goes on with what is left.',
    may: 'sessions:revoke-all',
    authentication: 'recent',
    body: reasonedBody,
    answer: { description: 'How many ended', schema: z.object({ sessions_ended: z.int() }), example: { sessions_ended: 1204 } },
    work: async ({ actor }) => ({ body: { sessions_ended: await endEverySession({ ...deps, actor }) } }),
  })
}

async function list(
  { query, caller }: Pick<AdminCall<z.output<typeof sessionListQuery>, unknown>, 'query' | 'caller'>,
  { storage, cursors, now }: AdminDeps,
): Promise<AdminAnswer> {
  const hidden = refuseHiddenFilter(caller, query, 'ip')
  if (hidden) return hidden
  const asked = readPage('sessions', query, cursors)
  if ('refusal' in asked) return asked
  const at = now()
  const { user_id: userId, product_id: productId, live, ip, sign_in: signIn, sign_in_method: signInMethod, since, until } = query
  const begun = signIn === undefined ? undefined : ('by_sign_in' as const)
  const filter = { userId, productId, live, ip, begun, signInMethod, since, until }
  const found = await listSessions(storage.db, filter, { page: asked.page, now: at })
  const placeOf = ({ id }: { id: string }) => ({ id, value: id })
  return { body: writePage('sessions', found, query, { cursors, placeOf, json: (session) => sessionJson(session, at) }) }
}

async function show(id: string, { storage, now }: AdminDeps): Promise<AdminAnswer> {
  const session = await findSession(storage.db, id)
  return session ? { body: sessionJson(session, now()) } : { refusal: 'not_found' }
}

/** Not everybody may end an administrator's session, as with the account. The user's row is held before the session's. */
async function end({ id, caller, actor }: AdminCall<unknown, z.output<typeof actionBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { changes, storage, now } = deps
  const session = await findSession(storage.db, id)
  if (!session) return { refusal: 'not_found' }
  const refused = refuseImpersonationOf(caller, session.role)
  if (refused) return refused
  const refusedNow = await changes.transaction(async (tx, announce) => {
    const other = await refuseOtherRole(tx, { id: session.user_id, role: session.role ?? undefined })
    if (other) return other
    if (await endSession(tx, id, 'operator', { announce, now }))
      await recordAudit(tx, { actor, action: 'session.end', target: session.user_id, after: { session: id } }, now())
    return undefined
  })
  return refusedNow ?? show(id, deps)
}
