import type { FastifyReply } from 'fastify'
import { ownHref } from '../../pages/index.ts'
import type { Flow, LoginNotice } from '../flow/flow.ts'
import type { ProviderDeps } from './provider-deps.ts'

/** The login page of the same flow, with a notice of what happened. */
export function backToLogin(
  reply: FastifyReply,
  flow: Flow,
  { notice: kind, provider }: { notice: LoginNotice['kind']; provider: string },
  { responses, flows }: ProviderDeps,
): FastifyReply {
  return responses.redirect(reply, ownHref('/login', { flow: flows.seal({ ...flow, userId: undefined, notice: { kind, provider } }) }))
}
