import { newId, sha256Base64Url } from '../../kit/index.ts'
import { notificationStore, type Unresolved } from '../../notifications/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { DeliverySummary, StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'

export type Outcome = GatewayEvent | 'fetch' | 'ignored' | 'test'

/** The status that a delivery is stored with. An event counts as applied: the same transaction applies it, or says why it is pending. */
const rowOf = {
  gatewayEvent: { status: 'processed', why: undefined },
  fetch: { status: 'unresolved', why: 'awaiting_gateway' satisfies Unresolved },
  ignored: { status: 'ignored', why: undefined },
  test: { status: 'test', why: undefined },
} as const

interface Keeping {
  payload: string
  stored: StoredDelivery
  summary: DeliverySummary
  outcome: Outcome
  gateway: string
  productId: string
}

/** Stores a delivery; a duplicate is not new. */
export async function keep(
  tx: Transaction,
  { payload, stored, summary, outcome, gateway, productId }: Keeping,
): Promise<{ id: string; isNew: boolean }> {
  const id = newId()
  const row = {
    id,
    source: gateway,
    productId,
    digest: deliveryDigest(productId, summary.id),
    event: readable(summary.event),
    ...(typeof outcome === 'string' ? rowOf[outcome] : rowOf.gatewayEvent),
    subject: summary.subject && readable(summary.subject),
    payload,
    body: stored.body,
    query: stored.query.toString(),
    receivedAt: stored.receivedAt,
  }
  return { id, isNew: await notificationStore(tx).add(row, { isOpen: typeof outcome !== 'string' }) }
}

/**
 * The digest by which duplicates are recognised and deliveries are found: the gateway's own id where it is an id. Gateways count or begin
 * with a time, so the next ones stand side by side in the index: a hash writes a page of its own for each delivery.
 */
export function deliveryDigest(productId: string, id: string): string {
  const key = `${productId} ${id}`
  return IS_ID.test(id) ? key : sha256Base64Url(key)
}

const IS_ID = /^[\w.:&/-]{1,100}$/

/** Short, and without characters that a database refuses. */
function readable(text: string): string {
  return text.slice(0, 200).replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
