import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
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

/** What a gateway's owner gives for the secret that tests sign with: at Pagar.me that is the name of a key. */
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

/** What check-access says of a buyer to the product itself. */
export async function askAccess(service: TestService, { product }: Connected, email: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${product.apiKey}` }
  const answer = await fetch(`${service.url}/api/saas/check-access?email=${encodeURIComponent(email)}`, { headers })
  return (await answer.json()) as Record<string, unknown>
}

/** What a product has been told, oldest first. */
export function toldOf({ context }: TestService, { product }: Connected) {
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

/** The headers by which a gateway proves a delivery. */
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

let events = 0
const unique = () => `${Date.now().toString(36)}${(++events).toString(36)}`

export function stripeEvent(type: string, object: object, { at = Date.now(), id = `evt_${unique()}` }: { at?: number; id?: string } = {}) {
  return { id, object: 'event', type, created: Math.floor(at / 1000), livemode: true, data: { object } }
}

/** A checkout session of Stripe's by which one payment was made. */
export function sale(intent: string, email: string | undefined, { at, ...more }: { at?: number } & Record<string, unknown> = {}) {
  const object = {
    id: `cs_${intent}`,
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    payment_intent: intent,
    customer_details: { email: email ?? null },
    amount_total: 9_990,
    currency: 'brl',
    metadata: { plan_slug: 'curso' },
    ...more,
  }
  return stripeEvent('checkout.session.completed', object, at === undefined ? {} : { at })
}

/** Its refund in full. */
export function refundOf(intent: string, { at }: { at?: number } = {}) {
  const object = { id: `ch_${intent}`, object: 'charge', payment_intent: intent, amount: 9_990, amount_refunded: 9_990, refunded: true }
  return stripeEvent('charge.refunded', object, at === undefined ? {} : { at })
}

/** A paid invoice of a subscription at Stripe, for 30 days. */
export function invoicePaid(
  subscription: string,
  email: string,
  { at = Date.now(), invoice = `in_${subscription}`, ...more }: { at?: number; invoice?: string } & Record<string, unknown> = {},
) {
  const start = Math.floor(at / 1000)
  const line = {
    amount: 9_990,
    period: { start, end: start + 30 * 86_400 },
    parent: { subscription_item_details: { subscription } },
  }
  const object = {
    id: invoice,
    object: 'invoice',
    status: 'paid',
    customer_email: email,
    amount_paid: 9_990,
    currency: 'brl',
    parent: { subscription_details: { subscription, metadata: { plan_slug: 'curso' } } },
    status_transitions: { paid_at: start },
    lines: { data: [line] },
    ...more,
  }
  return stripeEvent('invoice.paid', object, { at })
}

/** A charge of Asaas's that was paid, as it delivers it and as its API shows it. */
export function charge(id: string, more: object = {}) {
  const day = new Date().toISOString().slice(0, 10)
  return {
    id,
    customer: `cus_${id}`,
    value: 99.9,
    billingType: 'PIX',
    status: 'RECEIVED',
    dueDate: day,
    paymentDate: day,
    externalReference: 'curso',
    ...more,
  }
}

/** A delivery of Asaas's about a charge. */
export function asaasEvent(event: string, payment: object) {
  return { id: `evt_${unique()}&1`, event, payment }
}

/** A delivery of Mercado Pago's about a payment, with the query that it comes with. */
export function mercadopagoEvent(id: string, { type = 'payment' }: { type?: string } = {}) {
  return { body: { id: unique(), type, action: `${type}.updated`, data: { id } }, query: `?data.id=${id}&type=${type}` }
}

/** A payment as Mercado Pago's API shows it. */
export function mercadopagoPayment(id: string, email: string, more: object = {}) {
  const at = new Date().toISOString()
  return {
    id: Number(id),
    status: 'approved',
    status_detail: 'accredited',
    currency_id: 'BRL',
    transaction_amount: 99.9,
    payment_type_id: 'credit_card',
    date_created: at,
    date_approved: at,
    date_last_updated: at,
    payer: { email },
    external_reference: 'curso',
    ...more,
  }
}

/** A gateway's API, served over HTTP: answers what `answers` holds for a path, 404 for any other. */
export interface FakeApi {
  url: string
  /** By path with its query, or by path alone. */
  answers: Map<string, unknown>
  /** How it behaves instead. `hang`: never answers. `slow`: after half a second. `too_many`: to come again in two minutes. */
  mood: 'well' | 'down' | 'hang' | 'slow' | 'rubbish' | 'refuses' | 'too_many' | 'unknown'
  /** Paths asked, in order. */
  asked: string[]
  /** The headers of each question. */
  headers: IncomingHttpHeaders[]
  /** How many questions have waited for their answers at one time, at most. */
  maxAtOnce: number
  /** Ends whatever hangs, without an answer. */
  hangUp(): void
}

export async function startFakeApi(): Promise<FakeApi> {
  const hangUp = () => server.closeAllConnections()
  const api: FakeApi = { url: '', answers: new Map(), mood: 'well', asked: [], headers: [], maxAtOnce: 0, hangUp }
  let waiting = 0
  const server = createServer((request, response) => {
    waiting += 1
    response.once('close', () => (waiting -= 1))
    // A question that was given up is known to be so by then.
    setImmediate(() => (api.maxAtOnce = Math.max(api.maxAtOnce, waiting)))
    void answer(api, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  api.url = `http://127.0.0.1:${port}`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return api
}

async function answer(api: FakeApi, { url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  api.asked.push(url)
  api.headers.push(headers)
  if (api.mood === 'hang') return
  if (api.mood === 'down') return void response.destroy()
  if (api.mood === 'slow') await setTimeout(500)
  const [path = ''] = url.split('?')
  const found = api.answers.get(url) ?? api.answers.get(path)
  const well = found === undefined ? 404 : 200
  const statuses = { refuses: 401, too_many: 429, unknown: 404, rubbish: 200, slow: well, well }
  response.writeHead(statuses[api.mood], { 'content-type': 'application/json', ...(api.mood === 'too_many' && { 'retry-after': '120' }) })
  response.end(
    api.mood === 'rubbish' ? '<html>' : JSON.stringify(ofTypes(found ?? {}, new URL(url, api.url).searchParams.getAll('types[]'))),
  )
}

/** A list of Stripe's events has those types only that were asked for. */
function ofTypes(answer: object, types: readonly string[]): object {
  if (types.length === 0 || !('data' in answer) || !Array.isArray(answer.data)) return answer
  return { ...answer, data: answer.data.filter(({ type }: { type: string }) => types.includes(type)) }
}
