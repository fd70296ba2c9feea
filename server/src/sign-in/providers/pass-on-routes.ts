import type { FastifyReply, FastifyRequest } from 'fastify'
import { formBody } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import { callbackPage } from './callback-page.ts'
import type { ProviderDeps } from './provider-deps.ts'

/**
 * An answer that another site's form posts (`response_mode=form_post`, Apple) comes without our cookies. A page of ours goes on to the same
 * address by GET, as other providers do at once: that request is our own, so the flow's cookie is there and decides. Nothing is read or
 * written here, and what stands beside the answer, as a user's name that nobody has signed, is left out.
 */
export function passOn(request: FastifyRequest, reply: FastifyReply, deps: ProviderDeps): FastifyReply {
  const answer = Object.fromEntries(
    ANSWERED.flatMap((name) => {
      const values = formBody(request)?.getAll(name) ?? []
      return values.length === 1 ? [[name, values[0]?.slice(0, MAX_ANSWERED) ?? '']] : []
    }),
  )
  if (answer.state === undefined) return refuseFlow(request, reply, deps)
  const continueUrl = ownHref('/auth/callback', answer)
  reply.header('refresh', `0; url=${continueUrl}`)
  return deps.responses.page(reply, 200, callbackPage(deps.responses.pageContext(request, reply, ownHref('/login')), { continueUrl }))
}

const ANSWERED = ['state', 'code', 'iss', 'error', 'error_description'] as const
const MAX_ANSWERED = 2_000
