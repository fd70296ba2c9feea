import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newId } from '../../server/src/kit/index.ts'
import { notificationStore } from '../../server/src/notifications/index.ts'
import { changeProduct, setGatewayCredentials } from '../../server/src/products/index.ts'
import { setPlan } from '../../server/src/subscriptions/index.ts'
import { type Connected, deliver, GATEWAY_SECRET } from '../../server/test/support/gateways/gateways.ts'
import { asaasEvent, charge, invoicePaid, refundOf, sale, stripeEvent } from '../../server/test/support/gateways/made-events.ts'
import { activated, completed, notify } from '../../server/test/support/gateways/purchases.ts'
import type { TestService } from '../../server/test/support/service.ts'
import { until } from '../../server/test/support/until.ts'
import { ago, REGULAR, type ScheduledEvent } from './scheduled-event.ts'

const MONTHLY = 3_990
const YEARLY = 39_900

/** A product that sells with cards at Stripe, Pix and boleto at Asaas. */
export interface Sales {
  productId: string
  stripe: Connected
  asaas: Connected
  /** The answers of Asaas' API, by path. */
  said: Map<string, unknown>
  close(): void
}

export async function openClube(service: TestService): Promise<Sales> {
  const operator = { ...service.context, actor: 'operator:cli' }
  const { url, said, close } = await playAsaas()
  const product = await service.product({
    ...{ slug: 'clube', name: 'Clube do Livro Aurora', audience: 'external', checkout: 'integrated' },
    uris: ['https://clube.exemplo.com.br/auth/callback', 'http://localhost:4002/auth/callback'],
  })
  for (const gateway of ['stripe', 'asaas', 'mercadopago'] as const) {
    const apiUrl = gateway === 'asaas' ? url : undefined
    const credentials = { webhookSecret: GATEWAY_SECRET, accessToken: 'token_of_the_shop', isTest: gateway === 'mercadopago', apiUrl }
    await setGatewayCredentials(product.product, { gateway, credentials }, operator)
  }
  const paymentMethods = [
    { method: 'card', gateway: 'stripe' },
    { method: 'pix', gateway: 'asaas' },
    { method: 'boleto', gateway: 'asaas' },
  ] as const
  await changeProduct('clube', { paymentMethods }, operator)
  for (const [slug, name, price, ref] of [
    ['clube-mensal', 'Clube mensal', MONTHLY, 'price_1SClubeMensal'],
    ['clube-anual', 'Clube anual', YEARLY - 2_000, 'price_1SClubeAnual'],
  ] as const)
    await setPlan({ slug, name, price, productSlug: 'clube', gatewayRefs: [{ gateway: 'stripe', ref }] }, operator)
  const at = <G extends Connected['gateway']>(gateway: G): Connected => ({
    ...{ product, gateway },
    address: `${service.url}/api/webhooks/${gateway}/${product.webhookKey}`,
  })
  return { productId: product.product.id, stripe: at('stripe'), asaas: at('asaas'), said, close }
}

/** A month of sales, and what is wrong with a few of them. */
export function sales(service: TestService, clube: Sales): ScheduledEvent[] {
  return [...cards(clube), ...slips(service, clube), ...ownCheckout(service), { at: ago(9, 1), happen: () => askedInVain(service, clube) }]
}

function cards({ stripe }: Sales): ScheduledEvent[] {
  const schedule = (at: number, body: object) => ({ at, happen: () => deliver(stripe, body, { at }) })
  const detailsOf = (subscription: string) => ({ subscription_details: { subscription, metadata: { plan_slug: 'clube-mensal' } } })
  const byCard = { payment_settings: { payment_method_types: ['card'] } }
  const paid = ([subscription, email, day]: readonly [string, string, number]) => {
    const at = ago(day, 2)
    const invoice = {
      invoice: `in_${subscription.slice(4)}_${Math.round(day)}`,
      amount_paid: MONTHLY,
      parent: detailsOf(subscription),
      ...byCard,
    }
    return schedule(at, invoicePaid(subscription, email, { at, ...invoice }))
  }
  const declined = { object: 'invoice', customer_email: 'caio.lima@exemplo.com.br', amount_due: MONTHLY, currency: 'brl', attempt_count: 1 }
  const when = { declined: ago(0.1), refund: ago(4), sold: ago(9, 5) }
  const sold = { payment_method_types: ['card'], amount_total: YEARLY, metadata: { plan_slug: 'clube-anual' } }
  return [
    ...[
      ['sub_1SBeatriz', REGULAR, 29] as const,
      ['sub_1SCaio', 'caio.lima@exemplo.com.br', 28] as const,
      ['sub_1SFernanda', 'fernanda.aquino@exemplo.com.br', 20] as const,
      ['sub_1STiago', 'tiago.moreira@exemplo.com.br', 15] as const,
      ['sub_1SHelena', 'helena.dias@exemplo.com.br', 5] as const,
    ].map(paid),
    schedule(
      when.declined,
      stripeEvent('invoice.payment_failed', { id: 'in_1SCaio_2', ...declined, parent: detailsOf('sub_1SCaio') }, { at: when.declined }),
    ),
    schedule(when.sold, sale('pi_1SLivia', 'livia.campos@exemplo.com.br', { at: when.sold, ...sold })),
    schedule(when.refund, refundOf('pi_1SLivia', { at: when.refund })),
  ]
}

/** Pix and boleto: Asaas is asked about each. */
function slips(service: TestService, { asaas, said }: Sales): ScheduledEvent[] {
  const schedule = (day: number, event: string, id: string, email: string, more: object = {}): ScheduledEvent => ({
    at: ago(day, 3),
    async happen() {
      const payment = charge(id, { value: YEARLY / 100, externalReference: 'clube-anual', ...more })
      said.set(`/payments/${id}`, payment)
      said.set(`/customers/cus_${id}`, { id: `cus_${id}`, email })
      await deliver(asaas, asaasEvent(event, payment))
      await isAsked(service)
    },
  })
  const boleto = { billingType: 'BOLETO' }
  const unpaid = { ...boleto, status: 'PENDING', paymentDate: null }
  return [
    schedule(24, 'PAYMENT_RECEIVED', 'pay_7412086', 'davi.prado@exemplo.com.br'),
    schedule(15, 'PAYMENT_RECEIVED', 'pay_7419330', 'pedro.holanda@exemplo.com.br'),
    schedule(7, 'PAYMENT_CREATED', 'pay_7425518', 'marcos.teles@exemplo.com.br', unpaid),
    schedule(5, 'PAYMENT_RECEIVED', 'pay_7425518', 'marcos.teles@exemplo.com.br', boleto),
    schedule(1, 'PAYMENT_RECEIVED', 'pay_7431127', 'nair.belmonte@exemplo.com.br'),
    schedule(0.1, 'PAYMENT_CREATED', 'pay_7433902', 'vitor.sampaio@exemplo.com.br', unpaid),
  ]
}

/** The operator's own checkout: users with an account, one without, a test, and two plans that are not there. */
function ownCheckout(service: TestService): ScheduledEvent[] {
  const schedule = (day: number, body: (at: string) => object): ScheduledEvent => ({
    at: ago(day, 5),
    happen: () => notify(service.url, body(new Date(service.clock.now).toISOString())),
  })
  const guest = { email: 'compra.avulsa@exemplo.com.br', name: 'Iara Guimarães' }
  return [
    schedule(27, (at) => activated({ email: 'joao.nabuco@exemplo.com.br', at })),
    schedule(18, (at) => activated({ email: 'ana.flavia@exemplo.com.br', at })),
    schedule(12, (at) => completed({ email: REGULAR, plan: 'easy-standard', at })),
    schedule(6, (at) => ({ ...completed({ email: guest.email, at }), customer: guest })),
    schedule(3, (at) => completed({ email: 'teste@exemplo.com.br', is_test: true, at })),
    schedule(0.5, (at) => completed({ email: 'igor.pacheco@exemplo.com.br', plan: 'easy-natal', at })),
  ]
}

/** A delivery whose gateway did not answer for a day. */
async function askedInVain({ context, clock }: TestService, { productId }: Sales): Promise<void> {
  const id = newId()
  const facts = { source: 'mercadopago', productId, digest: id, event: 'payment.updated', subject: '132871946055', receivedAt: clock.now }
  const fault = { status: 'failed', why: 'connect ETIMEDOUT 203.0.113.40:443' } as const
  const payload = JSON.stringify({ id: 132871946055, type: 'payment', action: 'payment.updated', data: { id: '132871946055' } })
  await notificationStore(context.storage.db).add({ id, ...facts, ...fault, payload })
}

/** Waits until nothing waits for a gateway's answer. */
async function isAsked({ context }: TestService): Promise<void> {
  const waiting = context.storage.db.selectFrom('notifications').select('id').where('why', '=', 'awaiting_gateway')
  await until(async () => (await waiting.executeTakeFirst()) === undefined)
}

/** Asaas's API as far as it is asked. */
async function playAsaas(): Promise<{ url: string; said: Map<string, unknown>; close: () => void }> {
  const said = new Map<string, unknown>()
  const server = createServer(({ url = '' }, response) => {
    const found = said.get(new URL(url, 'http://asaas').pathname)
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, said, close }
}
