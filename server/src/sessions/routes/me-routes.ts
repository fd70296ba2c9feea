import type { FastifyReply, FastifyRequest } from 'fastify'
import { bearerToken } from '../../http/index.ts'
import { livePlanStore } from '../../subscriptions/index.ts'
import { identityStore, userStore } from '../../users/index.ts'
import { sessionStore } from '../store.ts'
import { profileOf, readableBy } from './profile-answer.ts'
import { refuseToken } from './protected-resource-routes.ts'
import type { SessionRouteDeps } from './route-deps.ts'

/** `GET /api/me`: the profile of the user of an access token. */
export async function me(request: FastifyRequest, reply: FastifyReply, deps: SessionRouteDeps): Promise<FastifyReply> {
  const { tokens, sessions, storage, responses, issuer } = deps
  const token = bearerToken(request)
  if (token === undefined) return refuseToken(reply, 'missing', deps)
  const claims = await tokens.verify(token, { type: 'at+jwt', audience: `${issuer}/api` })
  if (!claims) return meByProvider(reply, token, deps)
  const session = await sessions.find(claims.sid)
  if (session && session.userId === claims.sub) {
    const mayRead = await readableBy(claims.clientId, session, deps.products)
    if (!mayRead) return refuseToken(reply, 'invalid', deps)
    return responses.json(reply, 200, profileOf(session, claims.scope?.split(' ') ?? [], mayRead))
  }
  // The sessions of a deleted user went with them. Only in this case is it the user that is missing.
  const isGone = !(await sessionStore(storage.db).exists(claims.sid)) && !(await userStore(storage.db).findById(claims.sub))
  return isGone ? responses.json(reply, 404, { error: 'Usuario nao encontrado' }) : refuseToken(reply, 'invalid', deps)
}

/** With an access token of a provider marked for this: issuer and subject map to a user or to nobody. */
async function meByProvider(reply: FastifyReply, token: string, deps: SessionRouteDeps): Promise<FastifyReply> {
  const { accessTokens, storage, responses, onFault, now } = deps
  const bearer = await accessTokens.verify(token)
  if (!bearer) return refuseToken(reply, 'invalid', deps)
  if ('fault' in bearer) {
    onFault(bearer.fault)
    reply.header('retry-after', '5')
    return responses.json(reply, 503, { error: 'Servico indisponivel, tente novamente' })
  }
  const userId = await identityStore(storage.db).findUserId(bearer.issuer, bearer.subject)
  const user = userId === undefined ? undefined : await userStore(storage.db).findById(userId)
  if (!user) return responses.json(reply, 404, { error: 'Usuario nao encontrado' })
  if (user.disabledAt !== undefined) return refuseToken(reply, 'invalid', deps)
  const { id, email, name, avatarUrl } = user
  const plan = await livePlanStore(storage.db).findLivePlan(id, undefined, now())
  return responses.json(reply, 200, { id, email, name, avatar_url: avatarUrl ?? null, plan: plan?.slug ?? null })
}
