import { newId, type Sealer, sha256Base64Url } from '../kit/index.ts'
import {
  findDuplicate,
  isDisputed,
  isKnownEvent,
  NOT_RECEIVED,
  type NormalizedEvent,
  notificationStore,
  processDuplicate,
  settle,
  type Unresolved,
} from '../notifications/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { ApplyDeps } from '../subscriptions/index.ts'
import type { GatewayEvent } from './gateway.ts'
import type { MerchantAccount } from './merchant-accounts.ts'
import { normalize } from './normalize.ts'

/** What was made of events that no delivery had brought; or which notification of it waits, and why. `recorded`: as a test, the credentials being a sandbox's. */
export type MissedEvent = 'known' | 'applied' | 'recorded' | { id: string; why: Unresolved }

/**
 * Applies events that the gateway's API tells and no delivery has, as a notification of its own, so that the operator sees where it came from. What another
 * notification has a duplicate is settled there, if it still waits.
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
  const duplicateId = credentials.isTest ? undefined : await findDuplicate(tx, gateway, normalized, deps)
  const status = credentials.isTest ? 'test' : 'processed'
  const { id, isNew } = duplicateId
    ? { id: duplicateId, isNew: false }
    : await keep(tx, gatewayEvent, { gateway, productId: product.id, status, at })
  if (credentials.isTest) return isNew ? 'recorded' : 'known'
  const settled = isNew
    ? await settle(tx, { id, source: gateway, normalized }, deps)
    : await settleAgain(tx, { id, source: gateway, normalized }, deps)
  if (!settled) return 'known'
  return 'unresolved' in settled ? { id, why: settled.unresolved } : 'applied'
}

/**
 * Processes the event again in the notification that brought it before. What was settled is settled once more, with more, and what waited too long for its payment is tried once more: that
 * may have come now. What the operator ignores stays so.
 */
async function settleAgain(
  tx: Transaction,
  again: { id: string; source: string; normalized: NormalizedEvent },
  deps: ApplyDeps & { sealer: Sealer },
) {
  const settling = { ...again, settledAt: deps.at }
  const settled = await processDuplicate(tx, settling, deps)
  if (settled) return settled
  const { status, why } = (await notificationStore(tx).findById(again.id)) ?? {}
  return status === 'processed' || (status === 'ignored' && why === NOT_RECEIVED) ? settle(tx, settling, deps) : undefined
}

/** Keeps events as a notification of its own. What an earlier reconciliation kept is not new; it may still wait, and be clear by now. */
async function keep(
  tx: Transaction,
  gatewayEvent: GatewayEvent,
  { gateway, productId, status, at }: { gateway: string; productId: string; status: 'test' | 'processed'; at: number },
): Promise<{ id: string; isNew: boolean }> {
  const notifications = notificationStore(tx)
  const id = newId()
  // What a sandbox tells takes the place of nothing: the same may come once more, with credentials that were mended.
  const { key, subscriptionId, paymentId, paymentAliases } = gatewayEvent
  // With all names: events of one key is the same only where it is about the same payment or subscription.
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
