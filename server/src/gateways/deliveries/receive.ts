import type { ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { commitAsWriter, type Storage } from '../../storage/index.ts'
import type { Delivery, GatewayAdapter, StoredDelivery, VerificationResult } from '../gateway.ts'
import type { MerchantAccount } from '../merchant-accounts.ts'
import { conclude, type Received } from './conclude.ts'
import { gatewayHealthStore } from './health-store.ts'
import { keep, type Outcome } from './keep-delivery.ts'
import type { NotedDeliveries } from './noted-deliveries.ts'
import { parseBody } from './parse-body.ts'
import type { VerificationFailures } from './verification-failures.ts'

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
  const body = parseBody(text)
  if (body === undefined) return { refusal: 'payload_invalid' }
  const stored: StoredDelivery = { body: body.value, query: delivery.query, receivedAt: at }
  const summary = adapter.identify(stored, delivery) ?? { id: text, event: 'unknown', subject: undefined, isTest: false }
  const outcome = judge(adapter, stored, { isTest: summary.isTest || credentials.isTest, isKnown: summary.event !== 'unknown' })
  return changes.transaction(async (tx, announce) => {
    if (!noted.has(gateway, product.id, at) && (await gatewayHealthStore(tx).noteDelivery(gateway, product.id, at)))
      noted.add(gateway, product.id, at)
    const payload = text.replaceAll('\0', '\ufffd')
    const { id, isNew } = await keep(tx, { payload, stored, summary, outcome, gateway, productId: product.id })
    if (isNew) return conclude(tx, { id, gateway, productId: product.id, outcome, at, payload }, { ...deps, announce })
    await commitAsWriter(tx, deps.storage)
    return { received: 'duplicate' }
  })
}

function judge(adapter: GatewayAdapter, stored: StoredDelivery, { isTest, isKnown }: { isTest: boolean; isKnown: boolean }): Outcome {
  if (!isKnown) return 'ignored'
  return isTest ? 'test' : adapter.parse(stored)
}
