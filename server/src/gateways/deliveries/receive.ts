import type { Announce, ChangeFeed } from '../../changes/index.ts'
import { type Now, newId, type Sealer, sha256Base64Url } from '../../kit/index.ts'
import { leaveToFetch, notificationStore, process, statusOf, type Unresolved } from '../../notifications/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import type { Delivery, DeliverySummary, GatewayAdapter, GatewayEvent, StoredDelivery, VerificationResult } from '../gateway.ts'
import type { MerchantAccount } from '../merchant-accounts.ts'
import { normalize } from '../normalize.ts'
import { gatewayHealthStore } from './health-store.ts'
import type { NotedDeliveries } from './noted-deliveries.ts'
import type { VerificationFailures } from './verification-failures.ts'

/** The outcome of a delivery. It is completely stored when this is answered; `unverifiable` ones have no effect and are not stored. */
export interface Received {
  received: 'processed' | 'test' | 'unresolved' | 'ignored' | 'asking' | 'duplicate' | 'unverifiable'
}

export type DeliveryRefusal = 'signature_missing' | 'signature_invalid' | 'payload_invalid'

const refusals = { missing: 'signature_missing', invalid: 'signature_invalid' } as const satisfies Partial<
  Record<VerificationResult, DeliveryRefusal>
>

export interface ReceiveDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  failures: VerificationFailures
  noted: NotedDeliveries
  now: Now
}

/**
 * Receives one delivery of a gateway: verifies it, then one transaction stores it and applies it, or leaves a job to ask the gateway's API.
 * No outgoing call is made here. Every verified delivery is received, whatever its content.
 */
export async function receiveDelivery(
  delivery: Delivery,
  { gateway, adapter, product, credentials }: MerchantAccount,
  deps: ReceiveDeps,
): Promise<Received | { refusal: DeliveryRefusal }> {
  const { changes, failures, noted, now } = deps
  const at = now()
  const result = adapter.verify(delivery, credentials, at)
  if (result === 'missing' || result === 'invalid') {
    await failures.count(gateway, product.id, at)
    noted.forget(gateway, product.id)
    return { refusal: refusals[result] }
  }
  if (result === 'unverifiable') return { received: 'unverifiable' }
  failures.noteRight(gateway, product.id)
  const { buffer, byteOffset, byteLength } = delivery.raw
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
  const body = parse(text)
  if (body === undefined) return { refusal: 'payload_invalid' }
  const stored: StoredDelivery = { body: body.value, query: delivery.query, receivedAt: at }
  const summary = adapter.identify(stored, delivery) ?? { id: text, event: 'unknown', subject: undefined, isTest: false }
  const outcome = judge(adapter, stored, { isTest: summary.isTest || credentials.isTest, isKnown: summary.event !== 'unknown' })
  return changes.transaction(async (tx, announce) => {
    if (!noted.has(gateway, product.id, at) && (await gatewayHealthStore(tx).noteDelivery(gateway, product.id, at)))
      noted.add(gateway, product.id, at)
    const payload = text.replaceAll('\0', '\ufffd')
    const { id, isNew } = await keep(tx, { payload, stored, summary, outcome, gateway, productId: product.id })
    if (!isNew) return { received: 'duplicate' }
    return conclude(tx, { id, gateway, productId: product.id, outcome, at, payload }, { ...deps, announce })
  })
}

interface Keeping {
  payload: string
  stored: StoredDelivery
  summary: DeliverySummary
  outcome: Outcome
  gateway: string
  productId: string
}

/** Stores a delivery; a duplicate is not new. */
async function keep(
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

type Outcome = GatewayEvent | 'fetch' | 'ignored' | 'test'

/** The status that a delivery is stored with. An event counts as applied: the same transaction applies it, or says why it is pending. */
const rowOf = {
  gatewayEvent: { status: 'processed', why: undefined },
  fetch: { status: 'unresolved', why: 'awaiting_gateway' satisfies Unresolved },
  ignored: { status: 'ignored', why: undefined },
  test: { status: 'test', why: undefined },
} as const

function judge(adapter: GatewayAdapter, stored: StoredDelivery, { isTest, isKnown }: { isTest: boolean; isKnown: boolean }): Outcome {
  if (!isKnown) return 'ignored'
  return isTest ? 'test' : adapter.parse(stored)
}

interface Concluding {
  id: string
  gateway: string
  productId: string
  outcome: Outcome
  at: number
  payload: string
}

async function conclude(
  tx: Transaction,
  { id, gateway, productId, outcome, at, payload }: Concluding,
  { storage, sealer, announce }: ReceiveDeps & { announce: Announce },
): Promise<Received> {
  const leave = () => leaveToFetch(tx, { id, source: gateway, productId }, { sealer, at })
  switch (outcome) {
    case 'ignored':
    case 'test':
      return { received: outcome }
    case 'fetch':
      await leave()
      return { received: 'asking' }
    default: {
      const normalized = normalize(outcome, { gateway, productId, at })
      const processed = await process(tx, { id, source: gateway, normalized, payload }, { announce, storage, sealer, at })
      if (!('unresolved' in processed)) return { received: 'processed' }
      if (processed.unresolved === 'unknown_payment' && outcome.mayHaveOtherNames) await leave()
      return { received: statusOf(processed.unresolved) }
    }
  }
}

function parse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value, MAX_DEPTH) ? { value } : undefined
  } catch {
    return undefined // not JSON: the caller chooses the refusal
  }
}

/** Gateways nest about ten deep; a much deeper payload is meant to break its later readers. */
const MAX_DEPTH = 100

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every((part) => isShallow(part, depth - 1))
  for (const key in value) if (!isShallow(Reflect.get(value, key), depth - 1)) return false
  return true
}

/** Short, and without characters that a database refuses. */
function readable(text: string): string {
  return text.slice(0, 200).replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
