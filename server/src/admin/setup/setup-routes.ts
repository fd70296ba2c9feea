import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf } from '../../http/index.ts'
import { normaliseEmail } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { answerForm, answerSignedIn, countMail, newFlow } from '../../sign-in/index.ts'
import { findSignUpErrors, type User, userStore } from '../../users/index.ts'
import { answerSetupGone, SETUP_MOST, type SetupDeps, type SetupLink, withSetupLink } from './setup-guards.ts'
import { type FirstOwner, setUpOwner } from './setup-link.ts'
import { knownAccountPage, setupPage } from './setup-page.ts'
import { setUpSchema, setupPageSchema } from './setup-schemas.ts'

/** `/setup`: the first administrator, by the one-time address. */
export function setupRoutes(scope: FastifyInstance, deps: SetupDeps): void {
  // The secret stands in the page's address. Not no-referrer, with which a form of our own would be posted with `Origin: null`.
  const onSend = async (_request: FastifyRequest, reply: FastifyReply) => void reply.header('referrer-policy', 'strict-origin')
  scope.get('/setup', { schema: setupPageSchema, onSend }, (request, reply) => withSetupLink(request, reply, deps, show))
  scope.post('/setup', { schema: setUpSchema, onSend }, (request, reply) => withSetupLink(request, reply, deps, setUp))
}

async function show(request: FastifyRequest, reply: FastifyReply, link: SetupLink, deps: SetupDeps): Promise<FastifyReply> {
  return answerSetup(request, reply, link, { values: {}, errors: {} }, deps)
}

function answerSetup(
  request: FastifyRequest,
  reply: FastifyReply,
  { token }: SetupLink,
  form: Omit<Parameters<typeof setupPage>[1], 'token'>,
  deps: SetupDeps,
  status = 200,
): FastifyReply {
  const context = deps.responses.pageContext(request, reply, ownHref('/setup', { token }))
  return answerForm(request, reply, { status, page: setupPage(context, { token, ...form }), problem: form.problem }, deps)
}

async function setUp(request: FastifyRequest, reply: FastifyReply, link: SetupLink, deps: SetupDeps): Promise<FastifyReply> {
  const { body } = link
  const input = { name: body.get('name') ?? '', email: (body.get('email') ?? '').trim(), password: body.get('password') ?? '' }
  const again = (status: number, form: Partial<Parameters<typeof answerSetup>[3]>) =>
    answerSetup(request, reply, link, { values: input, errors: {}, ...form }, deps, status)
  const tooMany = await countMail(reply, [{ key: `setup:forms:${networkOf(clientAddress(request))}`, most: SETUP_MOST.forms }], deps)
  if (tooMany) return again(429, { problem: 'too_many_attempts', ...tooMany })
  const user = await userStore(deps.storage.db).findByEmail(normaliseEmail(input.email) ?? '')
  if (user) return setUpKnown(request, reply, { ...link, user, password: input.password }, deps)
  const errors = await findSignUpErrors(input)
  if (errors === 'busy') return again(503, { problem: 'busy' })
  if (Object.keys(errors).length > 0) return again(400, { errors })
  const passwordHash = await deps.passwords.hash(input.password)
  if (passwordHash === 'busy') return again(503, { problem: 'busy' })
  const { name, email } = input
  const answered = await finish(request, reply, { ...link, owner: { kind: 'new', name, email, passwordHash } }, deps)
  return answered ? reply : again(409, { problem: 'account_changed' })
}

type KnownProblem = Parameters<typeof knownAccountPage>[1]['problem']

/** The address has an account: its password shows that the holder of the link is its user, under the same limits as every sign-in. */
async function setUpKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, password, ...link }: SetupLink & { user: User; password: string },
  deps: SetupDeps,
): Promise<FastifyReply> {
  const { email } = user
  const again = (status: number, problem: KnownProblem, retryAfterSeconds?: number) => {
    const context = deps.responses.pageContext(request, reply, ownHref('/setup', { token: link.token }))
    // The form of a new account sent it as a new password: it is not a wrong one yet.
    const isFirstSent = problem === 'wrong_password' && link.body.get('account') !== 'known'
    const page = knownAccountPage(context, { token: link.token, email, problem: isFirstSent ? undefined : problem, retryAfterSeconds })
    return answerForm(request, reply, { status, page, problem }, deps)
  }
  const deviceCookie = deps.cookies.readDevice(request.headers.cookie)
  const factor = await deps.authenticate({ email, password, address: clientAddress(request), deviceCookie })
  if ('refusal' in factor) {
    if (factor.refusal === 'busy') return again(503, 'busy')
    if (factor.refusal !== 'too_many_attempts') return again(401, 'wrong_password')
    reply.header('retry-after', String(factor.retryAfterSeconds))
    return again(429, 'too_many_attempts', factor.retryAfterSeconds)
  }
  const { id, passwordHash = '' } = factor.user
  const answered = await finish(request, reply, { ...link, owner: { kind: 'known', id, passwordHash } }, deps)
  return answered ? reply : again(401, 'wrong_password')
}

/**
 * Uses the link up and signs in, as every sign-in method does. `false` when the account has changed since it was read; then nothing was
 * done.
 */
async function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, owner }: SetupLink & { owner: FirstOwner },
  deps: SetupDeps,
): Promise<boolean> {
  const user = await setUpOwner(token, owner, { ...deps, ip: clientAddress(request) })
  if ('refusal' in user) {
    if (user.refusal === 'link_gone') answerSetupGone(request, reply, deps)
    return user.refusal === 'link_gone'
  }
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  const factor = { kind: 'password', passwordHash: owner.passwordHash } as const
  const answered = await answerSignedIn(
    request,
    reply,
    { user, factor, flow: newFlow(browser, { next: { page: '/admin', query: {} } }) },
    deps,
  )
  if (!answered) deps.responses.redirect(reply, ownHref('/admin/sign-in'))
  return true
}
