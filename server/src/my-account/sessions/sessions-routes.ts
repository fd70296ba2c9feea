import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress, formBody, queryOf } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endOtherSessions, endSession, ownSessionStore } from '../../sessions/index.ts'
import { createGuards, deviceLabel, type GuardDeps, type SignedInUser } from '../../sign-in/index.ts'
import { pageOf } from '../paging.ts'
import { sessionsPage } from './sessions-page.ts'
import { endOtherSessionsSchema, endSessionSchema, sessionsSchema } from './sessions-schemas.ts'

export interface SessionsDeps extends GuardDeps {
  changes: ChangeFeed
}

const PAGE = '/account/sessions'

/** A user's sessions, and ending them elsewhere. It needs no recent authentication: it gives nothing to the thief of a browser. */
export function sessionsRoutes(scope: FastifyInstance, deps: SessionsDeps): void {
  const { requireUser } = createGuards(deps)
  scope.get(PAGE, { schema: sessionsSchema }, requireUser(show))
  scope.post(`${PAGE}/end`, { schema: endSessionSchema }, requireUser(endOne))
  scope.post(`${PAGE}/end-others`, { schema: endOtherSessionsSchema }, requireUser(endOthers))
}

async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: SignedInUser,
  deps: SessionsDeps,
): Promise<FastifyReply> {
  const { storage, now, responses } = deps
  const page = await pageOf(queryOf(request), ({ limit, cursor }) =>
    ownSessionStore(storage.db).listOwn(user.id, { here: session.id, now: now(), limit, cursor }),
  )
  const sessions = await Promise.all(
    page.shown.map(async (one) => {
      const isThisOne = one.id === session.id
      // Opening this page counts as use of the session.
      return { ...one, isThisOne, device: await deviceLabel(one.userAgent), lastSeenAt: isThisOne ? now() : one.lastSeenAt }
    }),
  )
  const context = responses.pageContext(request, reply)
  return responses.page(reply, 200, sessionsPage(context, { sessions, cursor: page.next, isFirst: page.isFirst }))
}

/** Ends one of the user's own sessions. An ended one, or one of another user, changes nothing and looks the same. */
async function endOne(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: SignedInUser,
  deps: SessionsDeps,
): Promise<FastifyReply> {
  const { changes, now, responses } = deps
  const id = formBody(request)?.get('session') ?? ''
  if (id === session.id) return responses.redirect(reply, ownHref('/auth/signout'))
  await changes.transaction(async (tx, announce) => {
    if (!isUuid(id) || !(await ownSessionStore(tx).isOwn(id, user.id))) return
    await endSession(tx, id, 'ended_by_owner', { announce, now })
    const entry = { actor: `user:${user.id}`, action: 'user.end_session', target: user.id, after: { session: id } }
    await recordAudit(tx, { ...entry, ip: clientAddress(request) }, now())
  })
  return responses.redirect(reply, ownHref(PAGE))
}

async function endOthers(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: SignedInUser,
  deps: SessionsDeps,
): Promise<FastifyReply> {
  const { changes, now, responses } = deps
  await changes.transaction(async (tx, announce) => {
    await endOtherSessions(tx, { userId: user.id, keep: session.id }, 'ended_by_owner', { announce, now })
    const entry = { actor: `user:${user.id}`, action: 'user.end_other_sessions', target: user.id, ip: clientAddress(request) }
    await recordAudit(tx, entry, now())
  })
  return responses.redirect(reply, ownHref(PAGE))
}
