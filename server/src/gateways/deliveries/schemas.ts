import { z } from 'zod'
import { faults, jsonAnswer, refusal } from '../../http/index.ts'
import { GATEWAYS } from '../../products/index.ts'

/** Schemas of `POST /api/webhooks/{gateway}/{key}`, for the API description. */
export const gatewaySchema = {
  operationId: 'receiveGatewayDelivery',
  summary: 'Receive a delivery of a payment gateway',
  description:
    "The address that is registered at the gateway, with the product's webhook key in it. The gateway's own signature or token is checked over the bytes as they came. 200 means that it is on disk; " +
    "what the payload lacks is asked of the gateway's API afterwards. A delivery that says nothing to us is received like any other. 256 KiB at most.",
  tags: ['purchases'],
  params: z.object({ gateway: z.enum(GATEWAYS), key: z.string().describe('wk_…') }),
  response: {
    200: jsonAnswer('Received', z.object({ received: z.literal(true) }), { received: true }),
    400: refusal({ 'Payload invalido': 'not JSON, or over 256 KiB' }),
    401: refusal({
      invalid_api_key: 'no live webhook key of a product',
      'Assinatura ausente': 'there is no signature or token of the gateway',
      'Assinatura invalida': 'the signature or token is wrong for this delivery',
    }),
    404: refusal({ 'Gateway desconhecido': 'no gateway of this name, or an experiment that is off' }),
    500: refusal({
      'Configuracao incompleta do servidor': 'the product has no credentials for this gateway',
      internal_error: 'a fault of the service; X-Request-Id finds it in the log',
    }),
    503: faults[503],
  },
}
