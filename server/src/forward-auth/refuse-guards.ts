import type { FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../http/index.ts'
import { ownHref } from '../pages/index.ts'
import { forwardedAddress, isNavigation } from './forwarded-request.ts'
import type { ForwardAuthRouteDeps, Head, Judged, Result } from './route-deps.ts'

const wire = {
  proxy_untrusted: { status: 403, error: 'proxy nao confiavel' },
  host_unknown: { status: 403, error: 'host nao registrado' },
  session_missing: { status: 401, error: 'sem sessao' },
  profile_missing: { status: 401, error: 'perfil incompleto' },
  plan_missing: { status: 403, error: 'sem plano' },
  unknown: { status: 503, error: 'Servico indisponivel, tente novamente' },
  shed: { status: 503, error: 'Servico indisponivel, tente novamente' },
} as const satisfies Record<Exclude<Result, 'allowed'>, { status: number; error: string }>

const START = '/auth/forward/start'

/**
 * A refusal. If the browser can put it right at our host, it is sent there: by a redirect, or, for a proxy that asks with `redirect=no`, by
 * the address beside the status. No cookie is set: it would be one of the app's host.
 */
export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { result, host }: Exclude<Judged, { head: Head }>,
  { responses, baseUrl }: Pick<ForwardAuthRouteDeps, 'responses' | 'baseUrl'>,
): FastifyReply {
  const { status, error } = wire[result]
  const isAnswered = result !== 'unknown' && result !== 'shed'
  if (!isAnswered) reply.header('retry-after', '1')
  if (host && isAnswered && isNavigation(request.raw.headers)) {
    const back = forwardedAddress(host, request.raw.headers['x-forwarded-uri'])
    const location = baseUrl + ownHref(START, { redirect_to: back })
    if (queryOf(request).get('redirect') !== 'no') return responses.redirect(reply, location)
    reply.header('location', location)
  }
  return responses.json(reply, status, { error })
}
