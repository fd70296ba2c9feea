import { z } from 'zod'
import { faults, jsonAnswer, jsonBodySchema, refusal } from '../http/index.ts'
import { GATEWAYS } from '../products/index.ts'
import { PURCHASE_EVENTS } from './purchase-forms.ts'

const FORM = 'ISO 8601 with date and time, as in 2026-11-20T12:00:00Z; without a zone it is UTC'
const time = (what: string) => z.string().describe(`${what}: ${FORM}`)
const timestamp = time('when it happened; part of what is signed')
const signature = z.string().describe('hex HMAC SHA256, with the shared secret, of the body as JSON without this field')

const amount = z.int().describe('centavos')

/** Beside the contract's fields. */
const additions = {
  payment_id: z
    .string()
    .optional()
    .describe("the checkout's own name of the payment: 1 to 200 characters, no spaces. By it a refund finds its payment"),
  period_start: time('from when this payment pays').optional(),
  period_end: time('until when this payment pays; without one, until other events').optional(),
  gateway: z
    .enum(GATEWAYS)
    .optional()
    .describe('through which gateway the payment was made; with gateway_payment_id and the id of the product, both report one purchase'),
  gateway_payment_id: z.union([z.string(), z.int()]).optional().describe("the gateway's id of the payment"),
}

const completed = z.object({
  event: z.literal('purchase.completed'),
  customer: z.object({ email: z.string(), name: z.string().optional(), phone: z.string().optional() }),
  product: z.object({ id: z.guid(), plan_slug: z.string() }),
  company: z.object({ name: z.string().optional(), cnpj: z.string().optional() }).optional(),
  data: z.object({ is_test: z.boolean().optional(), amount: amount.optional(), ...additions }).optional(),
  is_test: z.boolean().optional(),
  timestamp,
  signature,
})

const activated = z.object({
  event: z.literal('subscription.activated'),
  data: z.object({
    subscription_id: z.guid(),
    product_id: z.guid().optional(),
    product_name: z.string(),
    user_email: z.string(),
    user_name: z.string().optional(),
    amount,
    frequency: z.string().optional(),
    started_at: time('when the subscription began').optional(),
    is_test: z.boolean(),
    ...additions,
  }),
  timestamp,
  signature,
})

const later = z.object({
  event: z.enum(PURCHASE_EVENTS.filter((event) => event !== 'purchase.completed' && event !== 'subscription.activated')),
  data: z
    .object({
      subscription_id: z.guid().optional(),
      product_id: z.guid().optional(),
      plan_slug: z.string().optional(),
      product_name: z.string().optional(),
      user_email: z.string().optional(),
      user_name: z.string().optional(),
      amount: amount.optional(),
      frequency: z.string().optional(),
      started_at: time('when the subscription began').optional(),
      is_test: z.boolean(),
      ...additions,
      is_partial: z.boolean().optional().describe('of payment.refunded: a part of the payment, which takes nothing away'),
      outcome: z.enum(['won', 'lost']).optional().describe('of payment.disputed: how the dispute ended, for the seller'),
    })
    .describe('with subscription_id, or with user_email, product_id and plan_slug together for a purchase that has none'),
  timestamp,
  signature,
})

/** Schemas of `POST /api/webhook/payment`, for the API description. */
export const webhookSchema = {
  operationId: 'receivePurchase',
  summary: 'Receive a purchase notification',
  description:
    "From the operator's own checkout. 200 means that it is on disk; the same signed text again changes nothing. A test (`is_test`) is recorded and grants nothing. " +
    'A plan or product that is not known here is kept, and waits for the operator. 256 KiB at most. ' +
    'Events beside purchase.completed and subscription.activated, and the fields payment_id, period_start and period_end, are additions to the contract: what becomes of a subscription later. They may come in any order, also before the purchase; what counts is their own time.',
  tags: ['purchases'],
  body: jsonBodySchema(z.union([completed, activated, later])),
  response: {
    200: jsonAnswer('Received', z.object({ received: z.literal(true) }), { received: true }),
    400: refusal({ 'Payload invalido': 'no JSON object, an unknown event, or a field that is missing or of another type' }),
    401: refusal({
      'Assinatura ausente': 'there is no signature, or it is null or empty',
      'Assinatura invalida': 'it is not the signature of this body',
    }),
    500: refusal({
      'Configuracao incompleta do servidor': 'PORTARIA_WEBHOOK_SECRET is not set',
      internal_error: 'a fault of the service; X-Request-Id finds it in the log',
    }),
    503: faults[503],
  },
}
