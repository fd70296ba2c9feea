import { z } from 'zod'
import { faults, jsonAnswer, jsonBodySchema, refusal } from '../http/index.ts'

const timestamp = z.iso.datetime({ offset: true }).describe('part of what is signed')
const signature = z.string().describe('hex HMAC SHA256, with the shared secret, of the body as JSON without this field')

const completed = z.object({
  event: z.literal('purchase.completed'),
  customer: z.object({ email: z.string(), name: z.string().optional(), phone: z.string().optional() }),
  product: z.object({ id: z.guid(), plan_slug: z.string() }),
  company: z.object({ name: z.string().optional(), cnpj: z.string().optional() }).optional(),
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
    amount: z.int().describe('centavos'),
    frequency: z.string().optional(),
    started_at: z.string().optional(),
    is_test: z.boolean(),
  }),
  timestamp,
  signature,
})

/** What `POST /api/webhook/payment` takes and gives, for the API description. */
export const webhookSchema = {
  operationId: 'receivePurchase',
  summary: 'Receive a purchase notification',
  description:
    "From the operator's own checkout. 200 means that it is on disk; the same signed text again changes nothing. A test (`is_test`) is recorded and grants nothing. " +
    'A plan or product that is not known here is kept, and waits for the operator. 256 KiB at most.',
  tags: ['purchases'],
  body: jsonBodySchema(z.union([completed, activated])),
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
