import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownHref } from '../../pages/index.ts'
import { createGuards, type SignInAttempt } from '../../sign-in/index.ts'
import { askedScopes, grantedScopes } from '../client.ts'
import { describedPage } from '../client-documents/described-page.ts'
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
  const asked = new URLSearchParams(flow.openid.query)
  const address = deps.documents?.addressOf(asked.get('client_id'))
  const common = {
    user: { name: user.name, email: user.email },
    continueUrl: ownHref(PATHS.authorization, { resume: deps.flows.seal({ ...flow, nativeShown: true }) }),
    signInAgainUrl: ownHref('/login', {
      flow: deps.flows.seal({ ...flow, userId: undefined, nativeShown: false, sharingShown: undefined }),
    }),
  }
  const context = deps.responses.pageContext(request, reply)
  const page = address
    ? describedPage(context, {
        ...common,
        address,
        name: deps.documents?.remembered(address)?.name,
        redirectUri: new URL(target.uri),
        scopes: grantedScopes(target.product).filter((scope) => askedScopes(asked).has(scope)),
      })
    : nativePage(context, { ...common, appName: target.product.name })
  return deps.responses.page(reply, 200, page)
}
