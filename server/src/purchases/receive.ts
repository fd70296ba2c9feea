import type { ChangeFeed } from '../changes/index.ts'
import { type Now, newId, normaliseEmail, type Sealer, sha256Base64Url } from '../kit/index.ts'
import { notificationStore, process, refusedStore, type Unresolved } from '../notifications/index.ts'
import { believedTime } from '../payment-history/index.ts'
import { commitAsWriter, type Storage, type Transaction } from '../storage/index.ts'
import type { PurchaseNotification } from './purchase-forms.ts'
import { isTest, normalizeNotification, outlineOf, parsePurchase, readable, subjectOf } from './purchase-notification.ts'
import { parseSignedBody, refuseSignature, type SignatureRefusal, type SigningSecret } from './purchase-signature.ts'

export const PURCHASE_SOURCE = 'purchase'

export type PurchaseRefusal = SignatureRefusal | 'not_configured' | 'payload_invalid'

/** The outcome of a purchase notification. It is completely stored when this is answered. */
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
  /** The secrets shared with the sender; several during a rotation. */
  secrets: readonly SigningSecret[]
}

/**
 * Receives one purchase notification: checks in the contract's order, then one transaction that stores it, applies it and announces the
 * change to other nodes. The same signed text again changes nothing. `text` is `undefined` where no JSON was sent.
 */
export async function receivePurchase(
  text: string | undefined,
  { storage, changes, sealer, now, secrets }: ReceiveDeps,
): Promise<Received | { refusal: PurchaseRefusal; faults?: string[] }> {
  if (secrets.length === 0) return { refusal: 'not_configured' }
  const body = text === undefined ? undefined : parseSignedBody(text)
  if (!body) return { refusal: 'payload_invalid' }
  const refused = refuseSignature(body, secrets)
  if (refused) return { refusal: refused }
  const { signedText } = body
  const at = now()
  const read = parsePurchase(signedText)
  if ('faults' in read) {
    await storage.transaction((tx) => refusedStore(tx, storage).keep(refusedRow(signedText, read.faults, at)))
    return { refusal: 'payload_invalid', faults: read.faults }
  }
  const { purchase, body: parsed } = read
  return changes.transaction((tx, announce) =>
    recordPurchase(tx, { text: signedText, purchase, body: parsed }, { announce, storage, sealer, at }),
  )
}

/** A text that `parsePurchase` has read. */
export interface ReadPurchase {
  text: string
  purchase: PurchaseNotification
  body: unknown
}

/** Stores a notification that can be trusted, and applies it, inside the caller's transaction. The same text again changes nothing. */
export async function recordPurchase(
  tx: Transaction,
  { text, purchase, body }: ReadPurchase,
  { announce, storage, sealer, at }: Parameters<typeof process>[2] & { sealer: Sealer },
): Promise<Received> {
  const hash = sha256Base64Url(text)
  const notification = { ...notificationRow({ text, hash }, purchase, at), body }
  const { id } = notification
  const isOpen = notification.status !== 'test'
  if (!(await notificationStore(tx).add(notification, { isOpen }))) {
    await commitAsWriter(tx, storage)
    return { received: 'duplicate' }
  }
  if (notification.status === 'test') return { received: 'test', id }
  const normalized = normalizeNotification(purchase, { source: PURCHASE_SOURCE, key: hash, time: believedTime(purchase.timestamp, at) })
  const processed = await process(tx, { id, source: PURCHASE_SOURCE, normalized, payload: text }, { announce, storage, sealer, at })
  if ('unresolved' in processed) return { received: 'unresolved', id, why: processed.unresolved }
  return { received: 'processed', id, subscriptionId: processed.subscriptionId }
}

function notificationRow({ text, hash }: { text: string; hash: string }, purchase: PurchaseNotification, at: number) {
  const status = isTest(purchase) ? 'test' : 'processed'
  const digest = digestOf(purchase, hash)
  return { ...rowOf(text, digest, { event: purchase.event, subject: subjectOf(purchase) }, at), status, why: undefined } as const
}

/** The digest of a notification, of its time and its text's hash. A repeated text is found by it. */
export function digestOf({ timestamp }: Pick<PurchaseNotification, 'timestamp'>, hash: string): string {
  return `${secondsOf(timestamp)}${hash}`
}

/**
 * The seconds of a time in ms as eight hex digits. A digest begins with them, so that the next ones stand side by side in the index: a hash
 * alone would write a page of its own for each notification. They are signed, so the same text has the same ones.
 */
function secondsOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return (seconds >= 0 && seconds <= 0xffff_ffff ? seconds : 0).toString(16).padStart(8, '0')
}

/** The sender only learns that it is invalid; the operator sees the fields. */
function refusedRow(signedText: string, faults: readonly string[], at: number) {
  return { ...rowOf(signedText, sha256Base64Url(signedText), outlineOf(signedText), at), why: faults.join(', ').slice(0, 500) }
}

function rowOf(signedText: string, digest: string, { event, subject }: { event: string; subject: string | undefined }, at: number) {
  return {
    id: newId(),
    source: PURCHASE_SOURCE,
    productId: undefined,
    digest,
    event,
    subject: subject === undefined ? undefined : (normaliseEmail(subject) ?? readable(subject)),
    payload: signedText,
    receivedAt: at,
  }
}
