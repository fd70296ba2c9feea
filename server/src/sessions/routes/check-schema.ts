import { z } from 'zod'

/** The user of the examples. */
export const ANA = { sub: '019a9f3c-5d1e-7c61-b0a4-2f9d8c7e6b51', email: 'ana@example.com', name: 'Ana Flávia Conceição' }

const session = z
  .object({
    sub: z.uuid(),
    email: z.email().nullable().describe('null for an external product without read:email'),
    name: z.string(),
    is_producer: z.boolean(),
    is_beta: z.boolean(),
    plan_slug: z.string().nullable().describe('null without a plan'),
  })
  .meta({ id: 'Session' })

export const checkSchema = {
  operationId: 'checkSession',
  summary: 'Is this session good, and what is its user today?',
  description:
    'Reads the eg_session cookie. Always 200, never a redirect, never limited. Meant for servers, which hand on the cookie they received. ' +
    'Without Authorization the sessions of the domain are good; with the API key of an external product only the sessions of that product are; with a wrong key none is. ' +
    'The claims are those of today, whatever the token says. While the database is away, a session that this node has not seen is invalid_session with the header ' +
    'Portaria-Degraded (database, or load) and Retry-After: keep what you knew of it and ask again.',
  tags: ['sessions'],
  security: [{ session: [] }, { session: [], apiKey: [] }],
  response: {
    200: {
      description: 'Whether the session is good',
      content: {
        'application/json': {
          schema: z.union([
            z.object({
              authenticated: z.literal(true),
              session,
              act: z
                .object({ sub: z.uuid() })
                .optional()
                .describe('only while an administrator acts for the user: who it is (RFC 8693 §4.1). The same claim stands in eg_session'),
            }),
            z.object({ authenticated: z.literal(false), reason: z.enum(['missing_session', 'invalid_session']) }),
          ]),
          examples: {
            valid: { value: { authenticated: true, session: { ...ANA, is_producer: false, is_beta: false, plan_slug: null } } },
            impersonation: {
              summary: 'an administrator acts for the user, for 15 minutes at most',
              value: {
                authenticated: true,
                session: { ...ANA, is_producer: false, is_beta: false, plan_slug: null },
                act: { sub: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21' },
              },
            },
            missing: { summary: 'no cookie, or an empty one', value: { authenticated: false, reason: 'missing_session' } },
            invalid: {
              summary: 'expired, ended, forged, or of another audience',
              value: { authenticated: false, reason: 'invalid_session' },
            },
          },
        },
      },
    },
  },
}
