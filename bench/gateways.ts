import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setGatewayCredentials } from '../server/src/products/index.ts'
import { setPlan } from '../server/src/subscriptions/index.ts'
import { type Connection, expecting, request } from './harness/connection.ts'
import { atLeast, median, type Row, spread } from './harness/figures.ts'
import { type Fixture, makeFixture } from './harness/fixture.ts'
import { closedLoop, eachOnce } from './harness/load.ts'
import { openConnections, order, type Rounds } from './harness/pair.ts'
import { startBaseline, startService } from './harness/processes.ts'

const SENDERS = 64
const LEAST = 0.8
const EACH = 1_600
/** Rounds that warm up: each gateway has a service of its own, which gets faster for some 10,000 deliveries. */
const WARM_UP = 8
const SECRET = 'whsec_a_secret_for_nothing_but_this_bench'

const gateways = ['stripe', 'mercadopago', 'asaas'] as const
type Gateway = (typeof gateways)[number]

/** Deliveries of each gateway stored and answered a second, against as many durable commits of one row on the same disk. */
export async function measureGateways({ fresh, rounds }: { fresh: (name: string) => string; rounds: Rounds }): Promise<Row[]> {
  const rows: Row[] = []
  const baseline = await startBaseline(fresh('gateways-baseline'))
  const silence = await startSilence()
  for (const gateway of gateways) {
    const fixture = await makeFixture(fresh(gateway), 1_000)
    await connect(fixture, gateway, silence.url)
    const service = await startService(fixture.folder, 'development')
    const connections = await openConnections(service.port, SENDERS)
    const took: Record<'service' | 'commits', number[]> = { service: [], commits: [] }
    const take = {
      service: () => send(connections, deliveries(gateway, fixture)),
      commits: () => order(baseline, { work: 'commit', times: EACH }),
    }
    for (let round = 0; round < rounds.count + WARM_UP; round++) {
      for (const turn of round % 2 === 0 ? (['service', 'commits'] as const) : (['commits', 'service'] as const)) {
        const ms = await take[turn]()
        if (round >= WARM_UP) took[turn].push(ms)
      }
    }
    for (const connection of connections) connection.close()
    await service.stop()
    await refuseIgnored(fixture)
    await fixture.context.close()
    const ratios = took.service.map((ms, i) => (took.commits[i] ?? 0) / ms)
    const perSecond = (ms: number[]) => ((EACH * 1000) / median(ms)).toFixed(0)
    rows.push({
      figure: `${gateway}: deliveries, ${SENDERS} senders, against durable commits of one row`,
      value: spread(ratios),
      target: atLeast(LEAST, median(ratios)),
      beside: `${perSecond(took.service)}/s stored and answered against ${perSecond(took.commits)}/s committed`,
    })
  }
  await baseline.stop()
  silence.stop()
  return rows
}

/** An ignored delivery must not look fast. */
async function refuseIgnored({ context }: Fixture): Promise<void> {
  const { storage } = context
  const ignored = await storage.db
    .selectFrom('notifications')
    .select('id')
    .where('status', 'not in', ['processed', 'unresolved'])
    .limit(1)
    .execute()
  if (ignored.length > 0) throw new Error('a delivery was not taken for what it is')
}

/**
 * A gateway's API that takes every question and never answers: what is stored must not wait for it, and what asking costs is the gateway's
 * matter.
 */
async function startSilence(): Promise<{ url: string; stop(): void }> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${address.port}`, stop }
}

async function connect({ context, product }: Fixture, gateway: Gateway, apiUrl: string): Promise<void> {
  const deps = { ...context, actor: 'operator:bench' }
  const credentials = { webhookSecret: SECRET, accessToken: 'token_for_nothing', apiUrl, isTest: false }
  await setGatewayCredentials(product.product, { gateway, credentials }, deps)
  await setPlan({ slug: 'shop-basic', name: 'Basic', price: 2_990, productSlug: 'shop' }, deps)
}

async function send(connections: readonly Connection[], bodies: readonly Buffer[]): Promise<number> {
  return (await closedLoop(connections, eachOnce(bodies), expecting('{"received":true}'))).ms
}

/** A real invoice of Stripe's; see where the vectors of the tests come from. */
const INVOICE: { data: { object: { lines: { data: object[] } } } } = JSON.parse(
  readFileSync(new URL('../server/test/vectors/gateways/stripe/invoice.paid.json', import.meta.url), 'utf8'),
)

let sent = 0

/** Deliveries of new payments, each once, signed before the clock runs. */
function deliveries(gateway: Gateway, { product }: Fixture): Buffer[] {
  return Array.from({ length: EACH }, () => {
    const { query, headers, body } = makers[gateway](sent++)
    const path = `/api/webhooks/${gateway}/${product.webhookKey}${query}`
    return request('POST', path, { 'content-type': 'application/json', ...headers }, body)
  })
}

const makers: Record<Gateway, (n: number) => { query: string; headers: Record<string, string>; body: string }> = {
  stripe(n) {
    const seconds = Math.floor(Date.now() / 1000)
    const subscription = `sub_bench${n}`
    const { lines, ...invoice } = INVOICE.data.object
    const object = {
      ...invoice,
      id: `in_bench${n}`,
      customer_email: `buyer.${n}@bench.test`,
      parent: { type: 'subscription_details', subscription_details: { subscription, metadata: { plan_slug: 'shop-basic' } } },
      lines: {
        ...lines,
        data: lines.data.map((line) => ({
          ...line,
          period: { start: seconds, end: seconds + 2_592_000 },
          parent: { type: 'subscription_item_details', subscription_item_details: { subscription } },
        })),
      },
    }
    const body = JSON.stringify({ ...INVOICE, id: `evt_bench${n}`, created: seconds, livemode: true, data: { object } })
    return { query: '', headers: { 'stripe-signature': `t=${seconds},v1=${hmac(`${seconds}.${body}`)}` }, body }
  },
  mercadopago(n) {
    const [id, requestId, ts] = [String(1_000_000 + n), randomUUID(), String(Date.now())]
    return {
      query: `?data.id=${id}&type=payment`,
      headers: { 'x-request-id': requestId, 'x-signature': `ts=${ts},v1=${hmac(`id:${id};request-id:${requestId};ts:${ts};`)}` },
      body: JSON.stringify({ id: n, type: 'payment', action: 'payment.updated', data: { id } }),
    }
  },
  asaas(n) {
    const payment = { id: `pay_bench${n}`, customer: 'cus_1', value: 29.9, billingType: 'PIX', externalReference: 'shop-basic' }
    const body = JSON.stringify({ id: `evt_bench&${n}`, event: 'PAYMENT_RECEIVED', dateCreated: '2026-11-20 10:00:00', payment })
    return { query: '', headers: { 'asaas-access-token': SECRET }, body }
  },
}

function hmac(text: string): string {
  return createHmac('sha256', SECRET).update(text).digest('hex')
}
