import type { House } from '../app.ts'
import { type GatewayHealth, gatewayHealthStore } from '../gateways/index.ts'
import { isoTime } from '../kit/index.ts'
import { notificationStore, type OpenNotifications } from '../notifications/index.ts'
import { countDeadJobs } from '../outbox/index.ts'
import { GATEWAYS, type Gateway, gatewayCredentialsStore, productStore } from '../products/index.ts'
import { offSentence } from './gateway-input.ts'
import { type Outcome, paragraphs, table } from './output.ts'

/** A product's gateway: what there is to prove it with, how its deliveries arrive, what of them is not settled. */
export interface GatewayState {
  /** Its slug. */
  product: string
  productId: string
  gateway: Gateway
  credentials: 'live' | 'test' | undefined
  /** Since when there are these credentials, in ms. */
  credentialsSince: number | undefined
  health: GatewayHealth | undefined
  open: Record<OpenNotifications['state'], number>
}

/** `portaria gateway status` */
export async function gatewayStatus({ storage, gateways }: House): Promise<Outcome> {
  const states = await listGatewayStates(storage)
  const dead = await countDeadJobs(storage.db, ['gateway_ask', 'settle_waiting'])
  const json = { gateways: states.map(stateJson), dead_letters: dead }
  if (states.length === 0)
    return {
      json,
      text: 'No gateway is connected: `portaria product gateway-credentials --slug SLUG` shows the address to register at each.',
    }
  const letters =
    dead === 0
      ? undefined
      : `Dead letters, questions to gateways and work on what waited that were given up: ${dead}. See \`portaria outbox list --dead\`.`
  return { json, text: paragraphs(stateTable(states), ...states.map((state) => warningOf(state, gateways)), letters) }
}

/** Every product and gateway of which there are credentials or deliveries, by slug. */
export async function listGatewayStates({ db }: House['storage']): Promise<GatewayState[]> {
  const health = await gatewayHealthStore(db).list()
  const open = await notificationStore(db).countOpen()
  const states: GatewayState[] = []
  for (const { id, slug } of await productStore(db).listNames()) {
    const infos = await gatewayCredentialsStore(db).list(id)
    for (const gateway of GATEWAYS) {
      const info = infos.find((one) => one.gateway === gateway)
      const own = health.find((one) => one.gateway === gateway && one.productId === id)
      const count = (state: OpenNotifications['state']) =>
        open.find((one) => one.source === gateway && one.productId === id && one.state === state)?.count ?? 0
      if (!info && !own) continue
      states.push({
        product: slug,
        productId: id,
        gateway,
        credentials: info && (info.isTest ? 'test' : 'live'),
        credentialsSince: info?.updatedAt,
        health: own,
        open: { unresolved: count('unresolved'), being_asked: count('being_asked'), failed: count('failed') },
      })
    }
  }
  return states.toSorted((a, b) => (a.product < b.product ? -1 : a.product > b.product ? 1 : 0))
}

function warningOf(state: GatewayState, gateways: readonly Gateway[]): string | undefined {
  return gateways.includes(state.gateway) ? proofWarning(state) : offSentence(state.gateway)
}

/** What to do about deliveries that come with a wrong proof; `undefined` while the last one was right. */
function proofWarning({ product, gateway, health, credentialsSince = 0 }: GatewayState): string | undefined {
  const since = isoTime(health?.failingSince)
  if (since === null) return undefined
  const isMended = credentialsSince > (health?.lastProofFailureAt ?? 0)
  const give = `portaria product gateway-credentials --slug ${product} --gateway ${gateway} --secrets-stdin`
  return [
    `${gateway} of ${product}: no delivery has had the right proof since ${since}.`,
    consequences[gateway],
    isMended
      ? 'Other credentials were given since; nothing has come after them.'
      : `Give the webhook_secret that it has there, and the access_token:  ${give}`,
    ...(gateway === 'asaas' ? ['Then see in the panel of Asaas whether the queue is paused, and resume it.'] : []),
    `What was missed:  portaria gateway reconcile --product ${product} --gateway ${gateway} --since ${since.slice(0, 10)}`,
  ].join('\n  ')
}

const consequences = {
  stripe: 'Stripe sends each event again for three days, then no more.',
  mercadopago: 'Mercado Pago sends each notification again, at longer and longer intervals.',
  asaas:
    'After 15 failures Asaas pauses the queue: nothing more comes until somebody resumes it there, and what is older than 14 days is dropped.',
  pagarme: 'Pagar.me sends each delivery again as often as you have set there, then no more.',
} as const satisfies Record<Gateway, string>

function stateTable(states: readonly GatewayState[]): string {
  return table(
    ['product', 'gateway', 'credentials', 'last delivery', 'wrong proofs', 'wrong since', 'waiting', 'being asked', 'failed'],
    states.map(({ product, gateway, credentials = 'none', health, open }) => [
      product,
      gateway,
      credentials,
      isoTime(health?.lastDeliveryAt) ?? 'never',
      String(health?.proofFailures ?? 0),
      isoTime(health?.failingSince) ?? '',
      String(open.unresolved),
      String(open.being_asked),
      String(open.failed),
    ]),
  )
}

function stateJson({ product, gateway, credentials, health, open }: GatewayState) {
  return {
    product,
    gateway,
    credentials: credentials ?? null,
    last_delivery_at: isoTime(health?.lastDeliveryAt),
    proof_failures: health?.proofFailures ?? 0,
    failing_since: isoTime(health?.failingSince),
    last_proof_failure_at: isoTime(health?.lastProofFailureAt),
    ...open,
  }
}
