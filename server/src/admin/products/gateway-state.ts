import { type GatewayHealth, gatewayHealthStore } from '../../gateways/index.ts'
import { isoTime } from '../../kit/index.ts'
import { notificationListStore, type OpenNotifications } from '../../notifications/index.ts'
import { GATEWAYS, type Gateway, gatewayCredentialsStore, productStore } from '../../products/index.ts'
import type { Queryable, Storage } from '../../storage/index.ts'

/** A product's gateway: its credentials, the state of its deliveries, its unprocessed notifications. */
export interface GatewayState {
  /** Its slug. */
  product: string
  productId: string
  gateway: Gateway
  credentials: 'live' | 'test' | undefined
  /** The time of the present credentials, in ms. */
  credentialsSince: number | undefined
  health: GatewayHealth | undefined
  open: Record<OpenNotifications['state'], number>
}

/** Every product and gateway with credentials or deliveries, by slug. */
export async function listGatewayStates({ db }: Storage): Promise<GatewayState[]> {
  const known = await readKnown(db)
  const states: GatewayState[] = []
  for (const product of await productStore(db).listNames()) {
    const all = await statesOf(product, known, db)
    states.push(...all.filter(({ credentials, health }) => credentials !== undefined || health !== undefined))
  }
  return states.toSorted((a, b) => (a.product < b.product ? -1 : a.product > b.product ? 1 : 0))
}

/** The same of one product, at all gateways. */
export async function listGatewayStatesOf(product: { id: string; slug: string }, { db }: Storage): Promise<GatewayState[]> {
  return statesOf(product, await readKnown(db), db)
}

interface Known {
  health: GatewayHealth[]
  open: OpenNotifications[]
}

/** Of all products at once: at most a few rows for each. */
async function readKnown(db: Queryable): Promise<Known> {
  return { health: await gatewayHealthStore(db).list(), open: await notificationListStore(db).countOpen() }
}

async function statesOf({ id, slug }: { id: string; slug: string }, { health, open }: Known, db: Queryable): Promise<GatewayState[]> {
  const infos = await gatewayCredentialsStore(db).list(id)
  return GATEWAYS.map((gateway) => {
    const info = infos.find((one) => one.gateway === gateway)
    const own = health.find((one) => one.gateway === gateway && one.productId === id)
    const count = (state: OpenNotifications['state']) =>
      open.find((one) => one.source === gateway && one.productId === id && one.state === state)?.count ?? 0
    return {
      product: slug,
      productId: id,
      gateway,
      credentials: info && (info.isTest ? 'test' : 'live'),
      credentialsSince: info?.updatedAt,
      health: own,
      open: { unresolved: count('unresolved'), awaiting_gateway: count('awaiting_gateway'), failed: count('failed') },
    }
  })
}

/** A gateway's state, on the command line and in the admin API alike. */
export function gatewayStateJson({ product, gateway, credentials, health, open }: GatewayState) {
  return {
    product,
    gateway,
    credentials: credentials ?? null,
    last_delivery_at: isoTime(health?.lastDeliveryAt),
    verification_failures: health?.verificationFailures ?? 0,
    failing_since: isoTime(health?.failingSince),
    last_verification_failure_at: isoTime(health?.lastVerificationFailureAt),
    ...open,
  }
}
