// @portaria/client/webhooks: purchase notifications, signed, sent and verified as the contract says. It only needs Web Crypto, so it runs
// on servers, in workers and in browsers.
import type { Json } from './http/json.ts'

/** Optional data of every payment. Times are ISO 8601. */
export interface PaymentDetails {
  /** Your own id of the payment, by which a refund finds it. */
  payment_id?: string
  period_start?: string
  /** The paid end; without one, until another event. */
  period_end?: string
  /**
   * The gateway of the payment, with the next field and the product's id, if that gateway reports to Portaria as well: then both reports
   * are one purchase.
   */
  gateway?: 'stripe' | 'mercadopago' | 'asaas' | 'pagarme'
  /** The gateway's id of this payment. */
  gateway_payment_id?: string | number
}

/** A checkout's data of a purchase; other fields are allowed. */
export interface PurchaseCompleted {
  event: 'purchase.completed'
  customer: { email: string; name?: string; phone?: string }
  /** `id`: the UUID of a product registered with Portaria, or any for a plan of the operator. */
  product: { id: string; plan_slug: string }
  company?: { name?: string; cnpj?: string }
  /** `amount`: centavos, what was paid. */
  data?: PaymentDetails & { amount?: number; is_test?: boolean }
  /** A test is recorded and grants nothing. */
  is_test?: boolean
  /** ISO 8601. */
  timestamp: string
}

/** A checkout's data of a subscription that has begun. */
export interface SubscriptionActivated {
  event: 'subscription.activated'
  data: PaymentDetails & {
    subscription_id: string
    product_id?: string
    product_name: string
    user_email: string
    user_name?: string
    /** Centavos. */
    amount: number
    frequency?: string
    started_at?: string
    /** A test is recorded and grants nothing. */
    is_test: boolean
  }
  /** ISO 8601. */
  timestamp: string
}

/** Names a subscription by its id; one that began with `purchase.completed`, which has none, by buyer, product and plan. */
export type SubscriptionName =
  | { subscription_id: string; user_email?: string; product_id?: string; plan_slug?: string }
  | { user_email: string; product_id: string; plan_slug: string }

type LaterData = SubscriptionName &
  PaymentDetails & { product_name?: string; user_name?: string; amount?: number; frequency?: string; started_at?: string; is_test: boolean }

/** A later event of a subscription. `timestamp`: its time, ISO 8601; the order of sending does not matter. */
export type SubscriptionChanged =
  | {
      event: 'subscription.renewed' | 'subscription.canceled' | 'subscription.ended' | 'payment.failed'
      data: LaterData
      timestamp: string
    }
  /** `is_partial`: a part of the payment, which takes no access away. */
  | { event: 'payment.refunded'; data: LaterData & { is_partial?: boolean }; timestamp: string }
  /** `outcome`: how the dispute ended for you. */
  | { event: 'payment.disputed'; data: LaterData & { outcome?: 'won' | 'lost' }; timestamp: string }

export type PurchaseNotification = PurchaseCompleted | SubscriptionActivated | SubscriptionChanged

/** `payload_invalid`: no JSON object, or one that tampers with prototypes · `signature_missing` · `signature_invalid`. */
export type NotificationRefusal = 'payload_invalid' | 'signature_missing' | 'signature_invalid'

/**
 * The body with its `signature`: hex HMAC SHA256 with the secret shared with Portaria, over the body as `JSON.stringify` writes it. Send
 * `JSON.stringify` of the result, and exactly the same text again until it is received. An existing `signature` is replaced.
 */
export async function signPurchaseNotification<Body extends object>(body: Body, secret: string): Promise<Body & { signature: string }> {
  // The result of JSON is sent: dates become text, `undefined` goes.
  const sent = 'toJSON' in body ? undefined : parseObject(JSON.stringify(body))
  if (!sent) throw new TypeError('a notification is a plain object, without __proto__ or toJSON')
  // Without its own top-level `signature` (service.md, Authentication 5).
  const mac = await crypto.subtle.sign('HMAC', await importKey(secret), encode(JSON.stringify({ ...sent, signature: undefined })))
  const signature = Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { ...body, signature }
}

/** Sending was given up: Portaria refused the notification, and would refuse it again. */
export class NotificationRefused extends Error {
  override name = 'NotificationRefused'
  readonly status: number

  /** Of the answer, which may be a long page of a proxy, the message has the beginning. */
  constructor(status: number, answer: string) {
    super(`Portaria refused the notification: ${status} ${answer.slice(0, 500)}`)
    this.status = status
  }
}

export interface SendOptions {
  /** Portaria's address, as `https://sso.example.com`. */
  portaria: string
  secret: string
  /** Ends the attempts. Without a signal they go on until the notification is received or refused. */
  signal?: AbortSignal
  /** The timeout of one attempt. */
  timeoutMs?: number
  /** The pause after the first failed attempt; each is twice the one before, an hour at most. */
  firstPauseMs?: number
}

const LONGEST_PAUSE_MS = 3_600_000

/** A refusal, or another address for good. A redirect for now is a proxy whose service is away. */
function isFinal(status: number): boolean {
  return /^(?:30[18]|4(?!29))/.test(`${status}`)
}

/**
 * Signs a notification and sends it until Portaria answers that it is received: the same text every time, with growing pauses. Follows no
 * redirect. Rejects with `NotificationRefused` after a refusal, and with the signal's reason when that ends it. A process that stops
 * forgets it: keep the notification with the sale until this has resolved.
 */
export async function sendPurchaseNotification(
  notification: PurchaseNotification,
  { portaria, secret, signal, timeoutMs = 30_000, firstPauseMs = 1_000 }: SendOptions,
): Promise<void> {
  const body = JSON.stringify(await signPurchaseNotification(notification, secret))
  const url = `${portaria.replace(/\/+$/, '')}/api/webhook/payment`
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted()
    const limit = AbortSignal.timeout(timeoutMs)
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    } as const
    const answer = await fetch(url, request).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    // A page of a proxy can be a 200, too, and a redirect can lead to one.
    if (answer?.status === 200 && parseObject(text)?.received === true) return
    if (answer && isFinal(answer.status)) throw new NotificationRefused(answer.status, text ?? '')
    if (!signal?.aborted) await pause(pauseMs, signal)
  }
}

/** Over when the time is, or by the signal. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}

/**
 * Reads a raw body and verifies its signature with one secret, or with either of two during a rotation. Every field of the result was
 * signed; its reader must check that the fields are those of `PurchaseNotification`.
 */
export async function verifyPurchaseNotification(
  rawBody: string | Uint8Array,
  secret: string | readonly string[],
): Promise<{ notification: Record<string, unknown> } | { refusal: NotificationRefusal }> {
  const body = parseObject(typeof rawBody === 'string' ? rawBody : decode(rawBody))
  if (!body) return { refusal: 'payload_invalid' }
  const { signature, ...notification } = body
  if (signature === undefined || signature === null || signature === '') return { refusal: 'signature_missing' }
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/i.test(signature)) return { refusal: 'signature_invalid' }
  const given = Uint8Array.from(signature.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const text = JSON.stringify(notification)
  // Every secret is tried: the time of an answer must not reveal which one matched.
  const secrets = typeof secret === 'string' ? [secret] : secret
  const results = await Promise.all(secrets.map(async (one) => crypto.subtle.verify('HMAC', await importKey(one), given, encode(text))))
  // Exactly the signed values, not values with the same spelling: 1e999 is signed as null, -0 as 0.
  return results.includes(true) ? { notification: JSON.parse(text) } : { refusal: 'signature_invalid' }
}

/** An empty secret, as from a missing variable, would let anybody sign; so would the text of a missing value. */
function importKey(secret: unknown): Promise<CryptoKey> {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('the signing secret is empty or no text')
  return crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

const MAX_DEPTH = 32

function parseObject(text: string | undefined): Json | undefined {
  try {
    const value = JSON.parse(text ?? '')
    return Object(value) === value && !Array.isArray(value) && isPlain(value, MAX_DEPTH) ? value : undefined
  } catch {
    return undefined
  }
}

/** Objects are nested no deeper than this, which is far beyond any notification, and none has a key that would change its prototype. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && !Object.hasOwn(value, '__proto__') && Object.values(value).every((inner) => isPlain(inner, depth - 1))
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Invalid UTF-8 is invalid JSON (RFC 8259 §8.1), and so is a byte order mark. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
