import { z } from 'zod'
import { orPage, pageFaults, redirectAnswer, refusal } from '../../http/index.ts'
import { lang, tags } from '../flow/schemas.ts'

export const forwardStartSchema = {
  operationId: 'startForwardedSignIn',
  summary: 'Start a sign-in for an app behind a proxy',
  description:
    'A proxy sends the browser here with the address that /auth/forward gave it. A user who is signed in goes on to /auth/continue, and from there back; what the profile lacks is asked on the way. ' +
    'The address gets no parameter: the cookie of the domain is there already. Sets the flow cookie.',
  tags,
  querystring: z.object({ redirect_to: z.url().describe('any address on a host that is registered for a product'), lang }),
  response: {
    302: redirectAnswer('To /login, or to /auth/continue for someone signed in', { 'Set-Cookie': 'The flow cookie' }),
    400: orPage(
      refusal({
        'redirect_to ausente': 'no redirect_to was given',
        'redirect_to nao autorizado': 'the host of the address is not registered for forward auth',
        'parametros invalidos': 'redirect_to was given twice',
      }),
    ),
    403: orPage(refusal({ 'sem plano': 'the rule of the product asks for a plan that the user does not have' })),
    ...pageFaults,
  },
}
