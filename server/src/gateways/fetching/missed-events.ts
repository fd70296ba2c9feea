import { newId, type Sealer, sha256Base64Url } from '../../kit/index.ts'
import {
  attemptStore,
  findDuplicate,
  NOT_RECEIVED,
  notificationStore,
  process,
  processDuplicate,
  type Unresolved,
} from '../../notifications/index.ts'
import { type ApplyDeps, isDisputed, isKnownEvent, isPaid, type NormalizedEvent } from '../../payment-history/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import type { MerchantAccount } from '../merchant-accounts.ts'
import { normalize } from '../normalize.ts'

/**
 * The outcome for an event that no delivery had brought: the subscription that it changed, or the notification that waits with it, and why.
 * `recorded`: kept as a test, the credentials being a sandbox's.
 */
export type MissedEvent = 'known' | 'recorded' | { subscriptionId: string } | { id: string; why: Unresolved }

/**
 * Applies events from the gateway's API that no delivery has brought, as a notification of their own, so that the operator sees their
 * origin. An event that another notification has is processed there, if that is still pending.
 */
export async function addMissedEvent(
  tx: Transaction,
  gatewayEvent: GatewayEvent,
  { gateway, product, credentials }: Pick<MerchantAccount, 'gateway' | 'product' | 'credentials'>,
  deps: ApplyDeps & { sealer: Sealer },
): Promise<MissedEvent> {
  const { at } = deps
  const normalized = normalize(gatewayEvent, { gateway, productId: product.id, at })
  if (await isKnownEvent(tx, gateway, normalized)) return 'known'
  if (gatewayEvent.onlyIfDisputed && !(await isDisputed(tx, gateway, normalized))) return 'known'
  if (gatewayEvent.onlyIfPaid && !(await isPaid(tx, gateway, normalized))) return 'known'
  const duplicateId = credentials.isTest ? undefined : await findDuplicate(tx, gateway, normalized, deps)
  const status = credentials.isTest ? 'test' : 'processed'
  const { id, isNew } = duplicateId
    ? { id: duplicateId, isNew: false }
    : await keep(tx, gatewayEvent, { gateway, productId: product.id, status, at })
  if (credentials.isTest) return isNew ? 'recorded' : 'known'
  const processed = isNew
    ? await process(tx, { id, source: gateway, normalized }, deps)
    : await processAgain(tx, { id, source: gateway, normalized }, deps)
  if (!processed) return 'known'
  if ('unresolved' in processed) return { id, why: processed.unresolved }
  if (!isNew) await attemptStore(tx).note(id, { kind: 'other', at, outcome: 'processed' })
  return processed
}

/**
 * Processes the event again in the notification that first brought it. A processed notification may gain data. A notification that waited
 * too long for its payment is tried again: the payment may have come. An ignored notification stays ignored.
 */
async function processAgain(
  tx: Transaction,
  again: { id: string; source: string; normalized: NormalizedEvent },
  deps: ApplyDeps & { sealer: Sealer },
) {
  const processing = { ...again, processedAt: deps.at }
  const processed = await processDuplicate(tx, processing, deps)
  if (processed) return processed
  const { status, why } = (await notificationStore(tx).findById(again.id)) ?? {}
  return status === 'processed' || (status === 'ignored' && why === NOT_RECEIVED) ? process(tx, processing, deps) : undefined
}

/**
 * Keeps events as a notification of their own. One kept by an earlier reconciliation is not new; if it is pending, it may be processed now.
 */
async function keep(
  tx: Transaction,
  gatewayEvent: GatewayEvent,
  { gateway, productId, status, at }: { gateway: string; productId: string; status: 'test' | 'processed'; at: number },
): Promise<{ id: string; isNew: boolean }> {
  const notifications = notificationStore(tx)
  const id = newId()
  // Events of a sandbox block nothing: the same keys may come again, with corrected credentials.
  const { key, subscriptionId, paymentId, paymentAliases } = gatewayEvent
  // With all ids: events with one key are equal only if they concern the same payment or subscription.
  const normalized = JSON.stringify([key, subscriptionId, paymentId, ...paymentAliases])
  const digest = sha256Base64Url(`${productId} reconciled ${status === 'test' ? 'as a test ' : ''}${normalized}`)
  const isNew = await notifications.add({
    id,
    source: gateway,
    productId,
    digest,
    event: 'reconciled',
    status,
    why: undefined,
    subject: paymentId ?? subscriptionId,
    payload: JSON.stringify(gatewayEvent),
    receivedAt: at,
  })
  return { id: isNew ? id : ((await notifications.findByDigest(gateway, digest))?.id ?? id), isNew }
}
