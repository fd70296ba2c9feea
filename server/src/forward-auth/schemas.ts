import { z } from 'zod'
import { redirectAnswer, refusal } from '../http/index.ts'

const LOCATION = { Location: 'With redirect=no, for a navigation: where its browser can mend that' }

/** Schemas of `GET /auth/forward`, for the API description. */
export const forwardSchema = {
  operationId: 'forwardAuth',
  summary: 'May this request pass to an app behind a proxy?',
  description:
    'For nginx auth_request, Traefik ForwardAuth and Caddy forward_auth, of a trusted proxy (PORTARIA_TRUST_PROXY). Reads the eg_session cookie, X-Forwarded-Host, X-Forwarded-Method and ' +
    'X-Forwarded-Uri. The host is one of a product. Never limited, and no database where the session is in memory. Values of the answer are percent-encoded UTF-8; a header without a value is empty.',
  tags: ['sessions'],
  security: [{ session: [] }],
  querystring: z.object({ redirect: z.literal('no').optional().describe('for nginx, which understands 2xx, 401 and 403 alone') }),
  response: {
    200: {
      description: 'It may pass; no body',
      headers: {
        'Portaria-User': 'The sub of the session',
        'Portaria-Email': 'With read:email',
        'Portaria-Name': 'With read:profile',
        'Portaria-Plan': 'The slug of the plan that counts for this product',
        'Portaria-Impersonator': 'While an administrator acts for the user: who it is',
      },
    },
    302: redirectAnswer('A navigation that can be mended: to /auth/forward/start'),
    401: refusal(
      { 'sem sessao': 'no live session of the domain', 'perfil incompleto': 'the profile lacks what the product requires' },
      { headers: LOCATION },
    ),
    403: refusal(
      {
        'proxy nao confiavel': 'the request does not come from a trusted proxy',
        'host nao registrado': 'X-Forwarded-Host is missing, doubled, or no host of a product',
        'sem plano': 'the rule of the product asks for a plan that the user does not have',
      },
      { headers: LOCATION },
    ),
    503: refusal(
      { 'Servico indisponivel, tente novamente': 'the database is away, and the answer is not in memory' },
      { headers: { 'Retry-After': 'Seconds' } },
    ),
  },
}
