import { addMissedEvent, type MissedEvent } from '../../../src/gateways/fetching/missed-events.ts'
import type { GatewayEvent } from '../../../src/gateways/gateway-event.ts'
import { normalize } from '../../../src/gateways/normalize.ts'
import { newId } from '../../../src/kit/index.ts'
import { notificationStore, process } from '../../../src/notifications/index.ts'
import type { TestService } from '../service.ts'
import type { Connected } from './gateways.ts'

export const START = Date.UTC(2026, 10, 1)
export const DAY_MS = 86_400_000
export const EMAIL = 'uma@exemplo.com.br'

/** An event as an adapter makes it. A field that is left out is unknown. */
export type GivenEvent = Partial<GatewayEvent> & Pick<GatewayEvent, 'key' | 'kind' | 'occurredAt'>

export const NAMED = { slugs: ['curso'], refs: [], isOffer: false }
export const UNNAMED = { slugs: [], refs: [], isOffer: false }

/** A payment under these names. */
export function paid(names: string[], more: Partial<GatewayEvent> = {}): GivenEvent {
  const [paymentId, ...paymentAliases] = names
  return { key: `${names} ${more.subscriptionId}`, kind: 'paid', occurredAt: START, paymentId, paymentAliases, ...more }
}

const AT = START + 30 * DAY_MS

/** Delivers events of a product's payments, in a transaction of its own, as a delivery is. */
export async function recordGiven({ context }: TestService, { product, gateway }: Connected, given: GivenEvent, at = AT): Promise<void> {
  const { storage, changes, sealer } = context
  const productId = product.product.id
  const id = newId()
  await changes.transaction(async (tx, announce) => {
    const about = { source: gateway, productId, event: 'x', subject: undefined, payload: '{}', receivedAt: at }
    await notificationStore(tx).add({ ...about, id, digest: id, status: 'processed', why: undefined })
    await process(
      tx,
      { id, source: gateway, normalized: normalize(complete(given), { gateway, productId, at }) },
      { announce, storage, sealer, at },
    )
  })
}

type Outcome = 'applied' | Exclude<MissedEvent, { subscriptionId: string }>

/** The same as reconciliation finds it; `applied` where a subscription has it now. */
export async function reconciled({ context }: TestService, { product, gateway }: Connected, given: GivenEvent): Promise<Outcome> {
  const { storage, changes, sealer } = context
  const account = {
    gateway,
    product: product.product,
    credentials: { webhookSecret: 'x', accessToken: 'x', apiUrl: undefined, isTest: false },
  }
  const missed = await changes.transaction((tx, announce) =>
    addMissedEvent(tx, complete(given), account, { announce, storage, sealer, at: AT }),
  )
  return typeof missed === 'object' && 'subscriptionId' in missed ? 'applied' : missed
}

function complete(given: GivenEvent): GatewayEvent {
  return {
    subscriptionId: undefined,
    paymentId: undefined,
    paymentAliases: [],
    buyer: EMAIL,
    amount: undefined,
    method: undefined,
    periodEnd: undefined,
    plan: NAMED,
    ...given,
  }
}

/** The state of a product's payments, without random ids. */
export async function stateOf({ context }: TestService, { product }: Connected) {
  const rows = await context.storage.db
    .selectFrom('subscriptions')
    .leftJoin('plans', 'plans.id', 'plan_id')
    .select(['number', 'state', 'slug', 'email', 'method', 'period_end', 'access_until', 'changed_at'])
    .where('product_id', '=', product.product.id)
    .execute()
  return rows.map((row) => JSON.stringify(row)).sort()
}
