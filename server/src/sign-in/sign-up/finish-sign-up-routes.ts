import type { FastifyReply, FastifyRequest } from 'fastify'
import { endSessionsOfUser } from '../../sessions/index.ts'
import { type FirstFactor, finishSignUp, readPendingSignUp, type Ticket, type User } from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import type { Flow } from '../flow/flow.ts'
import { answerGone } from '../guards/mailed-link-guards.ts'
import type { SignUpDeps } from './sign-up-deps.ts'

/** The mailbox is verified: the account is made, or an unverified one is claimed, and its user is signed in. */
export async function finishAndSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  ticket: Ticket,
  flow: Flow,
  deps: SignUpDeps,
): Promise<FastifyReply> {
  const { changes, now } = deps
  const finished = await changes.transaction(async (tx, announce) => {
    const result = await finishSignUp(tx, ticket, { announce, now })
    if ('how' in result && result.how === 'claimed') await endSessionsOfUser(tx, result.user.id, 'claimed', { announce, now })
    return result
  })
  if ('refusal' in finished) return answerGone(request, reply, 'sign_up', deps)
  const factor = factorOf(ticket, finished.user)
  const answered = factor && (await answerSignedIn(request, reply, { user: finished.user, factor, flow }, deps))
  return answered ? reply : answerGone(request, reply, 'sign_up', deps)
}

function factorOf(ticket: Ticket, { passwordHash }: User): FirstFactor | undefined {
  if (passwordHash !== undefined) return { kind: 'password', passwordHash }
  const { identity } = readPendingSignUp(ticket)
  return identity && { kind: 'identity', issuer: identity.issuer, subject: identity.subject, saysSecondFactor: false }
}
