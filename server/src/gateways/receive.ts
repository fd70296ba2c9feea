import type { Announce, ChangeFeed } from '../changes/index.ts'
import { type Now, newId, type Sealer, sha256Base64Url } from '../kit/index.ts'
import { notificationStore, settle, type Unresolved } from '../notifications/index.ts'
import { addJob } from '../outbox/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { Delivery, GatewayAdapter, GatewayNews, Kept, Proof, Reading } from './gateway.ts'
import { gatewayHealthStore } from './health-store.ts'
import type { Till } from './tills.ts'
import { toTold } from './told.ts'

/** What has become of a delivery. It is on disk, all of it, when this is answered; `unprovable` ones have no effect and are not kept. */
export type Received =
  | { received: 'processed' | 'test' | 'ignored' | 'asking' | 'duplicate' | 'unprovable' }
  | { received: 'unresolved'; why: Unresolved }

export type DeliveryRefusal = 'signature_missing' | 'signature_invalid' | 'payload_invalid'

const refusals = { missing: 'signature_missing', invalid: 'signature_invalid' } as const satisfies Partial<Record<Proof, DeliveryRefusal>>

export interface ReceiveDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
}

/**
 * Takes in one delivery of a gateway: its proof, then one transaction that keeps it and applies it, or leaves a job to ask the gateway's API. No outgoing call is
 * made here. Whatever it says, a proven delivery is received.
 */
export async function receiveDelivery(
  delivery: Delivery,
  { gateway, adapter, product, credentials }: Till,
  deps: ReceiveDeps,
): Promise<Received | { refusal: DeliveryRefusal }> {
  const { storage, changes, now } = deps
  const at = now()
  const proof = adapter.prove(delivery, credentials, at)
  if (proof === 'missing' || proof === 'invalid') {
    await gatewayHealthStore(storage.db).countProofFailure(gateway, product.id, at)
    return { refusal: refusals[proof] }
  }
  if (proof === 'unprovable') return { received: 'unprovable' }
  const text = Buffer.from(delivery.raw).toString('utf8')
  const body = parse(text)
  if (body === undefined) return { refusal: 'payload_invalid' }
  const kept: Kept = { body: body.value, query: delivery.query, receivedAt: at }
  const reading = adapter.read(kept) ?? { id: text, event: 'unknown', subject: undefined, isTest: false }
  return changes.transaction(async (tx, announce) => {
    await gatewayHealthStore(tx).noteDelivery(gateway, product.id, at)
    const { id, isNew } = await keep(tx, { text, kept, reading, gateway, productId: product.id })
    if (!isNew) return { received: 'duplicate' }
    const outcome = judge(adapter, kept, { isTest: reading.isTest || credentials.isTest, isKnown: reading.event !== 'unknown' })
    return conclude(tx, { id, gateway, productId: product.id, outcome, at }, { ...deps, announce })
  })
}

/** Keeps what came in, as ignored until more is known of it; a delivery that has been kept before is not new. */
async function keep(
  tx: Transaction,
  { text, kept, reading, gateway, productId }: { text: string; kept: Kept; reading: Reading; gateway: string; productId: string },
): Promise<{ id: string; isNew: boolean }> {
  const id = newId()
  const isNew = await notificationStore(tx).add({
    id,
    source: gateway,
    productId,
    digest: sha256Base64Url(`${productId} ${reading.id}`),
    event: readable(reading.event),
    status: 'ignored',
    why: undefined,
    subject: reading.subject && readable(reading.subject),
    payload: text.replaceAll('\0', '\ufffd'),
    query: kept.query.toString(),
    receivedAt: kept.receivedAt,
  })
  return { id, isNew }
}

type Outcome = GatewayNews | 'ask' | 'ignored' | 'test'

function judge(adapter: GatewayAdapter, kept: Kept, { isTest, isKnown }: { isTest: boolean; isKnown: boolean }): Outcome {
  if (!isKnown) return 'ignored'
  return isTest ? 'test' : adapter.tell(kept)
}

interface Concluding {
  id: string
  gateway: string
  productId: string
  outcome: Outcome
  at: number
}

async function conclude(
  tx: Transaction,
  { id, gateway, productId, outcome, at }: Concluding,
  { storage, sealer, announce }: ReceiveDeps & { announce: Announce },
): Promise<Received> {
  const notifications = notificationStore(tx)
  switch (outcome) {
    case 'ignored':
      return { received: 'ignored' }
    case 'test':
      await notifications.settle(id, { status: 'test' })
      return { received: 'test' }
    case 'ask':
      await notifications.settle(id, { status: 'unresolved', why: 'being_asked' satisfies Unresolved })
      await addJob(tx, { kind: 'gateway_ask', payload: { notificationId: id } }, { sealer, at })
      return { received: 'asking' }
    default: {
      const told = toTold(outcome, { gateway, productId, at })
      const settled = await settle(tx, { id, source: gateway, told }, { announce, storage, at })
      return 'unresolved' in settled ? { received: 'unresolved', why: settled.unresolved } : { received: 'processed' }
    }
  }
}

function parse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value, MOST_DEPTH) ? { value } : undefined
  } catch {
    return undefined // not JSON: the caller says which refusal that is
  }
}

/** Gateways nest about ten deep; what is deeper by far is meant to break whoever reads it later. */
const MOST_DEPTH = 100

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1))
}

/** Short, and without what a database refuses. */
function readable(text: string): string {
  return text.slice(0, 200).replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
