import type { GatewayApi, StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { fetchHistoryOf, fetchPaidBefore } from './history.ts'
import { createLookups, fetchForCharge, type Lookups } from './lookups.ts'
import { parse, receivedIn } from './parse.ts'
import { parseEvent, type ReceivedEvent } from './payload.ts'
import { toSubscriptionEvent } from './to-event.ts'

/** The state in the API decides, whatever the event said: a charge refunded meanwhile is refunded, and an unpaid one grants nothing. */
export async function fetch(stored: StoredDelivery, api: GatewayApi): Promise<GatewayEvent | 'ignored'> {
  const normalized = parse(stored)
  const event = parseEvent(stored.body)
  if (normalized !== 'fetch') return normalized
  if (!event) return 'ignored'
  const received = receivedIn(event, stored)
  const lookups = createLookups(api, received.at)
  if (event.payment) return fetchCharge(event.payment.id, received, { api, lookups })
  return event.subscription ? fetchSubscription(event.subscription.id, received, lookups) : 'ignored'
}

async function fetchCharge(
  id: string,
  received: ReceivedEvent,
  { api, lookups }: { api: GatewayApi; lookups: Lookups },
): Promise<GatewayEvent | 'ignored'> {
  const charge = await fetchForCharge(api, id)
  const [gatewayEvent, ...alsoHappened] = charge ? await fetchHistoryOf(charge, received, lookups) : []
  if (!gatewayEvent || !charge) return 'ignored'
  alsoHappened.push(...(await fetchPaidBefore(charge, lookups)))
  return alsoHappened.length === 0 ? gatewayEvent : { ...gatewayEvent, alsoHappened }
}

async function fetchSubscription(id: string, received: ReceivedEvent, lookups: Lookups): Promise<GatewayEvent | 'ignored'> {
  const subscription = await lookups.subscription(id)
  if (!subscription) return 'ignored'
  const isOver = subscription.deleted === true || subscription.status === 'INACTIVE' || subscription.status === 'EXPIRED'
  if (!isOver && subscription.status !== 'ACTIVE') return 'ignored'
  const gatewayEvent = toSubscriptionEvent(subscription, isOver ? 'canceled' : 'resumed', received)
  return { ...gatewayEvent, buyer: await lookups.email(subscription.customer) }
}
