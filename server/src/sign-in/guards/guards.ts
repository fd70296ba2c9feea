import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ticket } from '../../users/index.ts'
import type { Flow } from '../flow/flow.ts'
import type { SignedInUser } from '../flow/recent-auth.ts'
import type { SignInAttempt } from '../flow/sign-in-attempt.ts'
import { requireAttempt } from './attempt-guards.ts'
import { type FlowForm, withFlow, withFlowForm } from './flow-guards.ts'
import type { GuardDeps, Step } from './guard-deps.ts'
import { type MailedLink, withMailedLink } from './mailed-link-guards.ts'
import { countChange, requireRecentAuth, requireUser } from './recent-auth-guards.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Binds the guards to their deps, once for each route file. Its handlers then receive results: a user, a flow, a form, a mailed link, an
 * attempt.
 */
export function createGuards<Deps extends GuardDeps>(deps: Deps) {
  return {
    requireUser:
      (step: Step<SignedInUser, Deps>): Handler =>
      (request, reply) =>
        requireUser(request, reply, deps, step),
    requireRecentAuth:
      (step: Step<SignedInUser, Deps>): Handler =>
      (request, reply) =>
        requireRecentAuth(request, reply, deps, step),
    countChange: (step: Step<SignedInUser, Deps>): Step<SignedInUser, Deps> => countChange(step),
    requireAttempt:
      (profile: 'complete' | 'any', step: Step<SignInAttempt, Deps>): Handler =>
      (request, reply) =>
        requireAttempt(request, reply, deps, profile, step),
    flowPage:
      (step: Step<Flow, Deps>): Handler =>
      (request, reply) =>
        withFlow(request, reply, deps, step),
    flowForm:
      (step: Step<FlowForm, Deps>): Handler =>
      (request, reply) =>
        withFlowForm(request, reply, deps, step),
    mailedLink:
      (purpose: Ticket['purpose'], step: Step<MailedLink, Deps>): Handler =>
      (request, reply) =>
        withMailedLink(request, reply, purpose, deps, step),
  }
}
