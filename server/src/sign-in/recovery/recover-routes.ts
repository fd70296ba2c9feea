import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf } from '../../http/index.ts'
import { normaliseEmail, sha256Hex } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { beginRecovery } from '../../users/index.ts'
import type { Flow } from '../flow/flow.ts'
import { countMail } from '../guards/count-guards.ts'
import type { FlowForm } from '../guards/flow-guards.ts'
import { answerForm } from '../guards/form-guards.ts'
import { mailFolderFor } from '../guards/mailed-link-guards.ts'
import { recoverPage, recoverySentPage } from './recover-page.ts'
import type { RecoveryDeps } from './recovery-deps.ts'

const MOST = { address: 3, network: 20 } as const

export async function showRecover(request: FastifyRequest, reply: FastifyReply, flow: Flow, deps: RecoveryDeps): Promise<FastifyReply> {
  return answerRecover(request, reply, flow, {}, deps)
}

type RecoverForm = Omit<Parameters<typeof recoverPage>[1], 'flow'>

function answerRecover(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
  form: RecoverForm,
  deps: RecoveryDeps,
  status = 200,
): FastifyReply {
  const sealed = deps.flows.seal(flow)
  const context = deps.responses.pageContext(request, reply, ownHref('/recover', { flow: sealed }))
  return answerForm(request, reply, { status, page: recoverPage(context, { flow: sealed, ...form }), problem: form.problem }, deps)
}

/** The same answer, work and time for every address: the outbox finds out later whether there is an account. */
export async function sendRecovery(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, flow }: FlowForm,
  deps: RecoveryDeps,
): Promise<FastifyReply> {
  const { responses } = deps
  const email = body.get('email') ?? ''
  const normal = normaliseEmail(email)
  if (normal === undefined)
    return answerRecover(request, reply, flow, { email, problem: email.trim() === '' ? 'email_missing' : 'email_invalid' }, deps, 400)
  const counters = [
    { key: `recovery:network:${networkOf(clientAddress(request))}`, most: MOST.network },
    { key: `recovery:address:${sha256Hex(normal)}`, most: MOST.address },
  ]
  const tooMany = await countMail(reply, counters, deps)
  if (tooMany) return answerRecover(request, reply, flow, { email, problem: 'too_many_attempts', ...tooMany }, deps, 429)
  const sealed = deps.flows.seal(flow)
  const context = responses.pageContext(request, reply, ownHref('/recover', { flow: sealed }))
  await beginRecovery(normal, { language: context.language, productId: flow.target?.productId }, deps)
  deps.outbox.wake()
  const sent = { email: normal, signInUrl: ownHref('/login', { flow: sealed }), mailFolder: mailFolderFor(request, deps) }
  return responses.page(reply, 200, recoverySentPage(context, sent))
}
