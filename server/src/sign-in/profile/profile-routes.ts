import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, originOf } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { mintSessionToken } from '../../sessions/index.ts'
import { linkPurchases } from '../../subscriptions/index.ts'
import { acceptNda, type ProfileInput, saveProfile } from '../../users/index.ts'
import type { Flow } from '../flow/flow.ts'
import { pendingStep, requirementsOf, resumeAttempt, type SignInAttempt } from '../flow/sign-in-attempt.ts'
import { refuseAttempt, refuseFlow } from '../guards/attempt-guards.ts'
import { createGuards } from '../guards/guards.ts'
import type { ProfileDeps } from './profile-deps.ts'
import { profileSchema, saveProfileSchema } from './profile-schemas.ts'
import { answerNda, answerProfile, answerStep, canSkip } from './profile-step-routes.ts'

export function profileRoutes(scope: FastifyInstance, deps: ProfileDeps): void {
  const { requireAttempt } = createGuards(deps)
  scope.get('/complete-profile', { schema: profileSchema }, requireAttempt('any', answerStep))
  scope.post('/complete-profile', { schema: saveProfileSchema }, (request, reply) => save(request, reply, deps))
}

/** Takes the form of the step that is next, whatever was posted, so a step can be neither skipped nor repeated. */
async function save(request: FastifyRequest, reply: FastifyReply, deps: ProfileDeps): Promise<FastifyReply> {
  if (originOf(request, deps.baseUrl) === 'foreign') return deps.responses.refuse(request, reply, 403, 'origem nao permitida')
  const body = formBody(request)
  const attempt = await resumeAttempt(body?.get('flow'), request.headers.cookie, deps)
  if ('refusal' in attempt) return refuseAttempt(request, reply, attempt, deps)
  if (!body) return refuseFlow(request, reply, deps)
  switch (pendingStep(attempt)) {
    case 'profile':
      if (canSkip(attempt) && body.get('profile_skip') === '1') return goOn(reply, { ...attempt.flow, profileSkipped: true }, attempt, deps)
      return saveFields(request, reply, attempt, readInput(body), deps)
    case 'nda':
      return saveNda(request, reply, attempt, body, deps)
    case 'done':
      return answerStep(request, reply, attempt, deps)
  }
}

async function saveFields(
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: SignInAttempt,
  input: ProfileInput,
  deps: ProfileDeps,
): Promise<FastifyReply> {
  const { storage } = deps
  const saved = await saveProfile(attempt.user, input, {
    ...deps,
    requirements: requirementsOf(attempt.target),
    address: clientAddress(request),
    alsoOnSave: (tx, userId, announce) => linkPurchases(tx, userId, { announce, storage }),
  })
  if ('saved' in saved) return goOn(reply, attempt.flow, attempt, deps)
  if (!request.headers.accept?.includes('text/html')) {
    const error = Object.values(saved.errors).includes('unusable') ? 'Nao foi possivel usar este numero' : 'campos invalidos'
    return deps.responses.json(reply, 400, { error, fields: saved.errors })
  }
  return answerProfile(request, reply, attempt, { values: input, errors: saved.errors, status: 400 }, deps)
}

async function saveNda(
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: SignInAttempt,
  body: URLSearchParams,
  deps: ProfileDeps,
): Promise<FastifyReply> {
  if (body.get('nda_decline') === '1') return goOn(reply, { ...attempt.flow, ndaDeclined: true }, attempt, deps)
  if (body.get('nda_accept') !== '1') {
    if (!request.headers.accept?.includes('text/html')) return deps.responses.json(reply, 400, { error: 'nda_accept ausente' })
    return answerNda(request, reply, attempt, deps, 400)
  }
  await acceptNda(attempt.user.id, { ip: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' }, deps)
  return goOn(reply, attempt.flow, attempt, deps)
}

/** The next step, or the splash, with a session cookie that already includes what was just saved. */
async function goOn(reply: FastifyReply, flow: Flow, attempt: SignInAttempt, deps: ProfileDeps): Promise<FastifyReply> {
  const user = await deps.users.findById(attempt.user.id)
  const session = await deps.sessions.find(attempt.session.id)
  if (session)
    reply.header('set-cookie', deps.cookies.session(await mintSessionToken(session, { tokens: deps.tokens, issuer: deps.baseUrl })))
  const isDone = user === undefined || pendingStep({ ...attempt, flow, user }) === 'done'
  return deps.responses.redirect(reply, ownHref(isDone ? '/auth/welcome' : '/complete-profile', { flow: deps.flows.seal(flow) }))
}

function readInput(body: URLSearchParams): ProfileInput {
  const text = (name: string) => body.get(name) ?? ''
  return {
    fullName: text('full_name'),
    taxId: text('tax_id'),
    phone: text('phone'),
    companyName: text('company_name'),
    foreign: { kind: text('document_kind'), country: text('document_country'), number: text('document_number') },
    hasNoTaxId: body.get('no_tax_id') === '1',
  }
}
