import type { GatewayAdapter } from '../gateway.ts'
import { list } from './history.ts'
import { parseCharge, parseEnvelope } from './payload.ts'
import { readSecret, verify } from './signature.ts'
import { fetch, parse } from './to-event.ts'

/**
 * Pagar.me v5 (docs.pagar.me; pagarme/ecommerce-module-core for the signature). A delivery is signed and complete, with the buyer's
 * address, but for the period that a subscription's charge pays. One purchase causes events of several families (order, charge, invoice);
 * only those of charges count.
 */
export const pagarme: GatewayAdapter = {
  api: {
    url: 'https://api.pagar.me/core/v5',
    headers: (accessToken) => ({ authorization: `Basic ${Buffer.from(`${accessToken}:`).toString('base64')}` }),
  },
  readSecret,
  verify,
  identify({ body }) {
    const { id, type, data } = parseEnvelope(body) ?? {}
    return id && type ? { id, event: type, subject: parseCharge(data)?.id, isTest: false } : undefined
  },
  parse,
  fetch,
  list,
  async ping(api) {
    await api.get('/charges?page=1&size=1')
  },
}
