import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jsonText, type Logger, type Metrics, type Responses } from '../http/index.ts'
import { type PurchaseRefusal, type ReceiveDeps, receivePurchase } from './receive.ts'
import { webhookSchema } from './schemas.ts'

export interface PurchaseRouteDeps extends ReceiveDeps {
  responses: Responses
  metrics: Metrics
  logger: Pick<Logger, 'warn'>
}

const BODY_LIMIT_BYTES = 262_144

const wire = {
  not_configured: { status: 500, error: 'Configuracao incompleta do servidor' },
  payload_invalid: { status: 400, error: 'Payload invalido' },
  signature_missing: { status: 401, error: 'Assinatura ausente' },
  signature_invalid: { status: 401, error: 'Assinatura invalida' },
} as const satisfies Record<PurchaseRefusal, { status: number; error: string }>

/** `POST /api/webhook/payment`: purchase notifications of the operator's own checkout. */
export function purchaseRoutes(scope: FastifyInstance, deps: PurchaseRouteDeps): void {
  scope.post(
    '/api/webhook/payment',
    {
      schema: webhookSchema,
      bodyLimit: BODY_LIMIT_BYTES,
      // A body that is too long or unreadable is an invalid payload, which is reported after the configuration is checked.
      errorHandler(error, _request, reply) {
        if (!('code' in error) || typeof error.code !== 'string' || !error.code.startsWith('FST_ERR_CTP_')) throw error
        refuse(reply, deps.secrets.length === 0 ? 'not_configured' : 'payload_invalid', deps)
      },
    },
    (request, reply) => receive(request, reply, deps),
  )
}

async function receive(request: FastifyRequest, reply: FastifyReply, deps: PurchaseRouteDeps): Promise<FastifyReply> {
  const result = await receivePurchase(jsonText(request), deps)
  if ('refusal' in result) {
    if (result.faults) deps.logger.warn({ request_id: request.id, fields: result.faults }, 'a signed purchase notification was refused')
    return refuse(reply, result.refusal, deps)
  }
  deps.metrics.notifications.inc({ source: 'purchase', result: result.received })
  return deps.responses.json(reply, 200, { received: true })
}

function refuse(reply: FastifyReply, refusal: PurchaseRefusal, { responses, logger, metrics }: PurchaseRouteDeps): FastifyReply {
  if (refusal === 'not_configured')
    logger.warn({ request_id: reply.request.id }, 'a purchase notification was refused: PORTARIA_WEBHOOK_SECRET is not set')
  metrics.notifications.inc({ source: 'purchase', result: refusal })
  return responses.json(reply, wire[refusal].status, { error: wire[refusal].error })
}
