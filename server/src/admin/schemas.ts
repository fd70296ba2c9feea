import { z } from 'zod'
import { faults, jsonAnswer, jsonBodySchema, refusal, tooLarge } from '../http/index.ts'
import { EVENTS, VARIANTS } from './test-purchase.ts'

/** The body of `POST /api/admin/webhooks/test`. */
export const testWebhookBody = z.strictObject({
  variant: z.enum(VARIANTS).optional().describe('the form of the notification; A where neither this nor event is given'),
  event: z.enum(EVENTS).optional().describe('in place of variant'),
  product: z.string().max(64).optional().describe('slug of the product that it pretends was bought'),
  email: z.string().max(254).optional().describe("the buyer's address; without one, an address that nobody has"),
})

const step = z.object({ step: z.enum(['secret', 'reachable', 'answer', 'stored', 'access']), ok: z.boolean(), detail: z.string() })

/** What `POST /api/admin/webhooks/test` takes and gives, for the API description. */
export const testWebhookSchema = {
  operationId: 'testWebhook',
  summary: 'Send a test purchase notification to the service itself',
  description:
    'Signed with the configured secret and marked `is_test`: it goes over HTTP, is recorded, and grants nothing. The answer has each step as far as the test got. ' +
    'With an admin token (role owner or support; scope `webhooks:test`, or none), or from our own pages with the session and bound cookie of a person in one of those roles. 10 a minute.',
  tags: ['admin'],
  security: [{ adminToken: [] }, { session: [], bound: [] }],
  body: jsonBodySchema(testWebhookBody),
  response: {
    200: jsonAnswer('What was found, also where something is wrong', z.object({ ok: z.boolean(), steps: z.array(step) }), {
      ok: true,
      steps: [
        { step: 'secret', ok: true, detail: 'configured' },
        { step: 'reachable', ok: true, detail: 'http://127.0.0.1:3000' },
        { step: 'answer', ok: true, detail: '200 {"received":true}' },
        { step: 'stored', ok: true, detail: 'as 0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21 with status test' },
        { step: 'access', ok: true, detail: 'unchanged for webhook-test@example.com' },
      ],
    }),
    400: refusal({
      'Payload invalido': 'no JSON object, an unknown field or value, no address, or an event of the other variant',
      'produto nao encontrado': 'there is no product with this slug',
    }),
    401: refusal({ 'nao autenticado': 'no live admin token, and no live session with its bound cookie' }),
    403: refusal({
      'nao permitido': 'the role or the scopes do not reach so far',
      'origem nao permitida': 'a session, and the request does not come from our own pages',
    }),
    429: refusal({ 'muitas tentativas': 'over 10 tests in a minute' }, { headers: { 'Retry-After': 'Seconds after which to try again' } }),
    ...tooLarge,
    ...faults,
  },
}
