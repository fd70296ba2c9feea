import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, type Metrics, queryOf, type Responses } from '../../http/index.ts'
import { parseKeyKind } from '../../kit/index.ts'
import { laneOf } from '../../notifications/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { type ProductDirectory, reportLeakedKey } from '../../products/index.ts'
import type { Delivery } from '../gateway.ts'
import type { MerchantAccounts } from '../merchant-accounts.ts'
import { createNotedDeliveries } from './noted-deliveries.ts'
import { type DeliveryRefusal, type ReceiveDeps, receiveDelivery } from './receive.ts'
import { gatewaySchema } from './schemas.ts'
import { createVerificationFailures } from './verification-failures.ts'

export interface GatewayRouteDeps extends Omit<ReceiveDeps, 'failures' | 'noted'> {
  merchantAccounts: MerchantAccounts
  products: Pick<ProductDirectory, 'findByApiKey'>
  outbox: Outbox
  responses: Responses
  metrics: Metrics
  onFault: (error: unknown) => void
}

type Mounted = Omit<GatewayRouteDeps, 'onFault'> & ReceiveDeps

const BODY_LIMIT_BYTES = 262_144

type Refused = DeliveryRefusal | 'gateway_unknown' | 'key_unknown' | 'no_credentials'

const wire = {
  gateway_unknown: { status: 404, error: 'Gateway desconhecido' },
  key_unknown: { status: 401, error: 'invalid_api_key' },
  no_credentials: { status: 500, error: 'Configuracao incompleta do servidor' },
  signature_missing: { status: 401, error: 'Assinatura ausente' },
  signature_invalid: { status: 401, error: 'Assinatura invalida' },
  payload_invalid: { status: 400, error: 'Payload invalido' },
} as const satisfies Record<Refused, { status: number; error: string }>

type Params = { Params: { gateway: string; key: string } }
type Request = FastifyRequest<Params>

/** `POST /api/webhooks/<gateway>/<wk_…>`: payment gateways' deliveries for a product. */
export function gatewayRoutes(scope: FastifyInstance, { onFault, ...given }: GatewayRouteDeps): void {
  const failures = createVerificationFailures({ storage: given.storage, onFault })
  const deps = { ...given, failures, noted: createNotedDeliveries() }
  scope.addHook('onClose', () => failures.stop())
  scope.post<Params>(
    '/api/webhooks/:gateway/:key',
    {
      schema: gatewaySchema,
      bodyLimit: BODY_LIMIT_BYTES,
      config: { bodyAs: 'bytes' }, // signatures are made over them
      errorHandler(error, request, reply) {
        if (!('code' in error) || typeof error.code !== 'string' || !error.code.startsWith('FST_ERR_CTP_')) throw error
        refuseUnread(request, reply, deps).catch((fault: unknown) => void reply.send(fault))
      },
    },
    (request, reply) => receive(request, reply, deps),
  )
}

/** A body that is too long or unreadable is an invalid payload, which is reported after gateway and key are checked. */
async function refuseUnread(request: Request, reply: FastifyReply, deps: Mounted): Promise<FastifyReply> {
  const account = await findMerchantAccount(request, deps)
  return refuse(reply, typeof account === 'string' ? account : 'payload_invalid', request.params.gateway, deps)
}

async function receive(request: Request, reply: FastifyReply, deps: Mounted): Promise<FastifyReply> {
  const { gateway } = request.params
  const account = await findMerchantAccount(request, deps)
  if (typeof account === 'string') return refuse(reply, account, gateway, deps)
  const result = await receiveDelivery(deliveryOf(request), account, deps)
  if ('refusal' in result) return refuse(reply, result.refusal, gateway, deps)
  if (result.received === 'asking') deps.outbox.wake(laneOf(gateway, account.product.id))
  deps.metrics.notifications.inc({ source: gateway, result: result.received })
  return deps.responses.json(reply, 200, { received: true })
}

async function findMerchantAccount(request: Request, deps: Mounted) {
  const { key } = request.params
  const gateway = deps.merchantAccounts.gateway(request.params.gateway)
  if (gateway === undefined) return 'gateway_unknown'
  if (key.startsWith('sk_') && parseKeyKind(key) === 'sk')
    await reportLeakedKey(key, { place: 'a webhook', ip: clientAddress(request) }, deps)
  const account = await deps.merchantAccounts.find(gateway, key)
  return account === 'unknown_key' ? 'key_unknown' : account
}

function deliveryOf(request: FastifyRequest): Delivery {
  const { headers, body } = request
  return {
    raw: body instanceof Uint8Array ? body : new Uint8Array(),
    query: queryOf(request),
    header(name) {
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
  }
}

function refuse(reply: FastifyReply, refused: Refused, gateway: string, { responses, metrics, merchantAccounts }: Mounted): FastifyReply {
  metrics.notifications.inc({ source: merchantAccounts.gateway(gateway) ?? 'unknown', result: refused })
  return responses.json(reply, wire[refused].status, { error: wire[refused].error })
}
