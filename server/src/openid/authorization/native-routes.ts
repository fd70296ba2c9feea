import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownHref } from '../../pages/index.ts'
import { createGuards, type SignInAttempt } from '../../sign-in/index.ts'
import type { OpenIdDeps } from '../deps.ts'
import { PATHS } from '../paths.ts'
import { hidden } from '../schemas.ts'
import { nativePage } from './native-page.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The page between a native app's request and its code. The link on it is sealed for this browser: no program can know it. */
export function nativeRoutes(scope: FastifyInstance, onlyOn: (work: Handler) => Handler, deps: OpenIdDeps): void {
  const { requireAttempt } = createGuards(deps)
  scope.get(PATHS.native, { schema: hidden }, onlyOn(requireAttempt('complete', ask)))
}

async function ask(request: FastifyRequest, reply: FastifyReply, attempt: SignInAttempt, deps: OpenIdDeps): Promise<FastifyReply> {
  const { flow, user, target } = attempt
  if (!flow.openid || !target) return deps.responses.redirect(reply, ownHref('/auth/continue', { flow: deps.flows.seal(flow) }))
  const page = nativePage(deps.responses.pageContext(request, reply), {
    appName: target.product.name,
    user: { name: user.name, email: user.email },
    continueUrl: ownHref(PATHS.authorization, { resume: deps.flows.seal({ ...flow, nativeShown: true }) }),
    signInAgainUrl: ownHref('/login', { flow: deps.flows.seal({ ...flow, userId: undefined, nativeShown: false, sharingShown: false }) }),
  })
  return deps.responses.page(reply, 200, page)
}
