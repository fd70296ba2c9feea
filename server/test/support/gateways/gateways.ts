import { createHmac, randomUUID } from 'node:crypto'
import { type Gateway, type ProductCreated, setGatewayCredentials } from '../../../src/products/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import type { TestService } from '../service.ts'
import { signatureOf, trusting } from './pagarme.ts'

export const GATEWAY_SECRET = 'whsec_a_secret_for_nothing_but_tests'
export const ACCESS_TOKEN = 'token_for_nothing_but_tests'

export type { Gateway } from '../../../src/products/index.ts'

/** A product with credentials for a gateway, and where that gateway sends to. */
export interface Connected {
  product: ProductCreated
  address: string
  gateway: Gateway
}

export async function connect(
  service: TestService,
  gateway: Gateway,
  {
    slug = `loja-${randomUUID().slice(0, 8)}`,
    apiUrl,
    isTest = false,
    secret = GATEWAY_SECRET,
    accessToken = ACCESS_TOKEN,
  }: { slug?: string; apiUrl?: string; isTest?: boolean; secret?: string; accessToken?: string } = {},
): Promise<Connected> {
  const product = await service.product({ slug, audience: 'external', checkout: 'external' })
  const credentials = { webhookSecret: toGive(gateway, secret), accessToken, apiUrl, isTest }
  await setGatewayCredentials(product.product, { gateway, credentials }, { ...service.context, actor: 'operator:test' })
  return { product, gateway, address: `${service.url}/api/webhooks/${gateway}/${product.webhookKey}` }
}

/** The secret that a merchant enters, for which tests sign: at Pagar.me it is the name of a key. */
function toGive(gateway: Gateway, secret: string): string {
  return gateway === 'pagarme' ? JSON.stringify(trusting(secret)) : secret
}

/** The same with one plan, `curso`, for 99,90. */
export async function openSchool(
  service: TestService,
  gateway: Gateway,
  options: { apiUrl?: string; secret?: string; accessToken?: string } = {},
): Promise<Connected> {
  const connected = await connect(service, gateway, options)
  const plan = { slug: 'curso', name: 'Curso', price: 9_990, productSlug: connected.product.product.slug }
  const made = await setPlan(plan, { ...service.context, actor: 'operator:test' })
  if ('refusal' in made) throw new Error(JSON.stringify(made))
  return connected
}

/** The answer of check-access about a buyer, for the product itself. */
export async function askAccess(service: TestService, { product }: Connected, email: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${product.apiKey}` }
  const answer = await fetch(`${service.url}/api/saas/check-access?email=${encodeURIComponent(email)}`, { headers })
  return (await answer.json()) as Record<string, unknown>
}

/** The notifications of a product, oldest first. */
export function notificationsOf({ context }: TestService, { product }: Connected) {
  return context.storage.db.selectFrom('notifications').selectAll().where('product_id', '=', product.product.id).orderBy('id').execute()
}

/** A delivery as its gateway sends it, verified unless `headers` say otherwise. */
export async function deliver(
  { address, gateway }: Pick<Connected, 'address' | 'gateway'>,
  body: unknown,
  {
    headers,
    query = '',
    at = Date.now(),
    secret = GATEWAY_SECRET,
    type = 'application/json',
  }: { headers?: Record<string, string>; query?: string; at?: number; secret?: string; type?: string } = {},
): Promise<{ status: number; body: unknown }> {
  const raw = Buffer.from(body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body))
  const answer = await fetch(`${address}${query}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(headers ?? signDelivery(gateway, raw, { at, query, secret })) },
    body: new Uint8Array(raw),
  })
  return { status: answer.status, body: await answer.json() }
}

/** The headers with which a gateway signs a delivery. */
export function signDelivery(
  gateway: Gateway,
  raw: string | Uint8Array,
  { at = Date.now(), query = '', secret = GATEWAY_SECRET }: { at?: number; query?: string; secret?: string } = {},
): Record<string, string> {
  const hmac = (...parts: (string | Uint8Array)[]) =>
    parts.reduce((mac, part) => mac.update(part), createHmac('sha256', secret)).digest('hex')
  switch (gateway) {
    case 'stripe': {
      const seconds = Math.floor(at / 1000)
      return { 'stripe-signature': `t=${seconds},v1=${hmac(`${seconds}.`, raw)}` }
    }
    case 'mercadopago': {
      // A part whose value is absent is left out of the manifest altogether (developer pages, "Validate notification source").
      const id = new URLSearchParams(query).get('data.id') ?? ''
      const requestId = randomUUID()
      const manifest = `${id === '' ? '' : `id:${id};`}request-id:${requestId};ts:${at};`
      return { 'x-request-id': requestId, 'x-signature': `ts=${at},v1=${hmac(manifest)}` }
    }
    case 'asaas':
      return { 'asaas-access-token': secret }
    case 'pagarme':
      return { 'x-webhook-asymmetric-signature': signatureOf(raw, secret) }
  }
}
