import type { ChangeFeed } from '../changes/index.ts'
import { type Now, newId, normaliseEmail, type Sealer, sha256Base64Url } from '../kit/index.ts'
import { notificationStore, settle, type Unresolved } from '../notifications/index.ts'
import type { Storage } from '../storage/index.ts'
import { believedTime } from '../subscriptions/index.ts'
import { buyerOf, isTest, parsePurchase, tell } from './purchase-notification.ts'
import { parseSignedBody, refuseSignature, type SignatureRefusal, type SigningSecret } from './purchase-signature.ts'

export const PURCHASE_SOURCE = 'purchase'

export type PurchaseRefusal = SignatureRefusal | 'not_configured' | 'payload_invalid'

/** What has become of a purchase notification. It is on disk, all of it, when this is answered. */
export type Received =
  | { received: 'processed'; id: string; subscriptionId: string }
  | { received: 'unresolved'; id: string; why: Unresolved }
  | { received: 'test'; id: string }
  | { received: 'duplicate' }

export interface ReceiveDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  /** The secrets shared with the sender; more than one while they are rotated. */
  secrets: readonly SigningSecret[]
}

/**
 * Takes in one purchase notification: checks in the contract's order, then one transaction that keeps it, applies it and tells the other nodes. The same
 * signed text again changes nothing. `text` is `undefined` where no JSON was sent.
 */
export async function receivePurchase(
  text: string | undefined,
  { storage, changes, sealer, now, secrets }: ReceiveDeps,
): Promise<Received | { refusal: PurchaseRefusal }> {
  if (secrets.length === 0) return { refusal: 'not_configured' }
  const body = text === undefined ? undefined : parseSignedBody(text)
  if (!body) return { refusal: 'payload_invalid' }
  const refused = refuseSignature(body, secrets)
  if (refused) return { refusal: refused }
  const { signedText } = body
  const purchase = parsePurchase(signedText)
  if (!purchase) return { refusal: 'payload_invalid' }
  const at = now()
  const digest = sha256Base64Url(signedText)
  const buyer = buyerOf(purchase)
  const notification = {
    id: newId(),
    source: PURCHASE_SOURCE,
    productId: undefined,
    digest,
    event: purchase.event,
    status: isTest(purchase) ? 'test' : 'processed',
    why: undefined,
    subject: normaliseEmail(buyer) ?? readable(buyer),
    payload: signedText,
    receivedAt: at,
  } as const
  const { id } = notification
  return changes.transaction(async (tx, announce): Promise<Received> => {
    if (!(await notificationStore(tx).add(notification))) return { received: 'duplicate' }
    if (notification.status === 'test') return { received: 'test', id }
    const told = tell(purchase, { key: digest, at: believedTime(purchase.timestamp, at) })
    const settled = await settle(tx, { id, source: PURCHASE_SOURCE, told }, { announce, storage, sealer, at })
    if ('unresolved' in settled) return { received: 'unresolved', id, why: settled.unresolved }
    return { received: 'processed', id, subscriptionId: settled.subscriptionId }
  })
}

/** What stands for an address that is none: short, and without what a database refuses (a null byte). */
function readable(text: string): string {
  return text
    .trim()
    .slice(0, 254)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
