import { z } from 'zod'
import { faults, jsonAnswer, refusal } from '../http/index.ts'
import { GATEWAYS, METHODS, OPENID_KINDS } from '../products/index.ts'
import { ACCESS_REASONS, SUBSCRIPTION_STATES } from '../subscriptions/index.ts'

/** The answer, as it is sent, and as endpoints hear of it. */
export const accessSchema = z.object({
  active: z.boolean().describe('our side of "paid on both sides"'),
  status: z.enum([...SUBSCRIPTION_STATES, 'none']),
  reason: z.enum(ACCESS_REASONS),
  plan_slug: z.string().nullable(),
  current_period_end: z.iso.datetime().nullable(),
  grace_until: z.iso.datetime().nullable(),
})

const UNKNOWN_KEY = { invalid_api_key: 'no live API key, or one in the header and another in the query' }

/** Schemas of `GET /api/saas/check-access`, for the API description. */
export const checkAccessSchema = {
  operationId: 'checkAccess',
  summary: 'Whether someone may use the product, and why',
  description:
    'By `user_id`, or by `email` (only pass one that you have verified); both together link a purchase of that address to your user id, once. ' +
    'A product sees its own subscriptions only.',
  tags: ['access'],
  security: [{ apiKey: [] }],
  querystring: z.object({
    user_id: z.string().min(1).max(128).optional().describe('your id of the user, or the sub of a session'),
    email: z.string().optional(),
    api_key: z.string().optional().describe('in place of the header, unless the operator has switched that off'),
  }),
  response: {
    200: jsonAnswer('The answer', accessSchema, {
      active: true,
      status: 'active',
      reason: 'paid',
      plan_slug: 'easy-pro',
      current_period_end: null,
      grace_until: null,
    }),
    400: refusal({
      'user_id ou email ausente': 'neither is there, or both are empty',
      'parametros invalidos': 'a parameter is repeated; or user_id is over 128 characters, has control characters, or is no UTF-8',
    }),
    401: refusal(UNKNOWN_KEY),
    ...faults,
  },
}

/** Schemas of `GET /api/products/{id}/payment-methods`, for the API description. */
export const paymentMethodsSchema = {
  operationId: 'listPaymentMethods',
  summary: 'Which gateway takes each payment method of the product',
  description: 'For products whose checkout is the operator’s (integrated).',
  tags: ['access'],
  security: [{ apiKey: [] }],
  params: z.object({ id: z.guid() }),
  response: {
    200: jsonAnswer('The matrix', z.array(z.object({ method: z.enum(METHODS), gateway: z.enum(GATEWAYS) })), [
      { method: 'pix', gateway: 'asaas' },
    ]),
    401: refusal({ invalid_api_key: 'no live API key' }),
    404: refusal({ 'Recurso nao encontrado': 'not the product of this key, or its checkout is external' }),
    ...faults,
  },
}

export const ownProductSchema = {
  operationId: 'showOwnProduct',
  summary: 'What is registered of the product whose key this is',
  description: "For an app to compare with what it believes of itself; the client's doctor does.",
  tags: ['access'],
  security: [{ apiKey: [] }],
  response: {
    200: jsonAnswer(
      'The product',
      z.object({
        id: z.guid(),
        slug: z.string(),
        name: z.string(),
        audience: z.enum(['internal', 'external']),
        checkout: z.enum(['integrated', 'external']),
        scopes: z.array(z.string()),
        publishable_key: z.string(),
        redirect_uris: z.array(z.object({ uri: z.string(), trusted: z.boolean() })),
        openid_kind: z.enum(OPENID_KINDS).nullable().describe('null: it does not speak OpenID Connect'),
        backchannel_logout_uri: z.string().nullable().describe('the address that is notified of ended sessions'),
      }),
    ),
    401: refusal({ invalid_api_key: 'no live API key' }),
    ...faults,
  },
}
