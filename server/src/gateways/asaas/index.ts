import { constantTimeEqual } from '../../kit/index.ts'
import type { Delivery, GatewayAdapter, GatewayCredentials, VerificationResult } from '../gateway.ts'
import { asked, believed, cancellations } from './delivered-kinds.ts'
import { fetch } from './fetch.ts'
import { list } from './list.ts'
import { parse } from './parse.ts'
import { parseEvent, parseWebhooks } from './payload.ts'

/** Asaas (docs.asaas.com, API v3). Only a fixed token verifies a delivery, so the API must confirm every event that gives access. */
export const asaas: GatewayAdapter = {
  api: { url: 'https://api.asaas.com/v3', headers: (accessToken) => ({ access_token: accessToken }) },
  verify,
  identify({ body }) {
    const event = parseEvent(body)
    return event && { id: event.id, event: event.event, subject: event.payment?.id ?? event.subscription?.id, isTest: false }
  },
  parse,
  fetch,
  list,
  async ping(api) {
    await api.get('/customers?limit=1')
  },
  endpoints: {
    get wanted() {
      return [...asked.keys(), ...believed.keys(), ...cancellations]
    },
    async list(api) {
      return parseWebhooks(await api.get('/webhooks'))
    },
  },
}

/** The merchant chooses the token; Asaas sends it back in a header. An empty one proves nothing. */
function verify({ header }: Delivery, { webhookSecret }: GatewayCredentials): VerificationResult {
  const token = header('asaas-access-token') ?? ''
  if (token === '') return 'missing'
  return webhookSecret !== '' && constantTimeEqual(token, webhookSecret) ? 'verified' : 'invalid'
}
