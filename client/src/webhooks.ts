// @portaria/client/webhooks: purchase notifications, signed and verified as the contract says. Web crypto alone: servers, workers, browsers.

/** What a checkout tells of a purchase; fields beyond these are allowed. */
export interface PurchaseCompleted {
  event: 'purchase.completed'
  customer: { email: string; name?: string; phone?: string }
  /** `id`: a UUID, of a product registered with Portaria, or any for a plan of the operator. */
  product: { id: string; plan_slug: string }
  company?: { name?: string; cnpj?: string }
  /** ISO 8601. */
  timestamp: string
}

/** What a checkout tells of a subscription that has begun. */
export interface SubscriptionActivated {
  event: 'subscription.activated'
  data: {
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

export type PurchaseNotification = PurchaseCompleted | SubscriptionActivated

/** `payload_invalid`: no JSON object, or one that tampers with prototypes · `signature_missing` · `signature_invalid`. */
export type NotificationRefusal = 'payload_invalid' | 'signature_missing' | 'signature_invalid'

/**
 * The body with its `signature`: hex HMAC SHA256, made with the secret shared with Portaria, over the body as `JSON.stringify` writes it. Send `JSON.stringify` of what
 * this answers, and the very same text again until it is received. A `signature` that is there already is replaced.
 */
export async function signPurchaseNotification<Body extends object>(body: Body, secret: string): Promise<Body & { signature: string }> {
  // What JSON makes of it is what arrives: dates become text, `undefined` goes.
  const sent = 'toJSON' in body ? undefined : parseObject(JSON.stringify(body))
  if (!sent) throw new TypeError('a purchase notification is a plain object without a __proto__ key, and no toJSON of its own')
  const mac = await crypto.subtle.sign('HMAC', await importKey(secret), encode(signedText(sent)))
  const signature = Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { ...body, signature }
}

/**
 * Reads a raw body and verifies its signature with one secret, or with either of two while they rotate. What is answered was signed, every field of it; that the
 * fields are those of `PurchaseNotification` is for the reader to check.
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
  const given = Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(signature.slice(at * 2, at * 2 + 2), 16))
  const text = JSON.stringify(notification)
  // Every secret is tried: the time of an answer must not tell which of two it was.
  const secrets = typeof secret === 'string' ? [secret] : secret
  const results = await Promise.all(secrets.map(async (one) => crypto.subtle.verify('HMAC', await importKey(one), given, encode(text))))
  // What was signed, and nothing that is merely written the same: 1e999 is signed as null, -0 as 0.
  return results.includes(true) ? { notification: JSON.parse(text) } : { refusal: 'signature_invalid' }
}

/** An empty secret, as a missing variable gives, would let anybody sign; and so would the text of what is none. */
function importKey(secret: unknown): Promise<CryptoKey> {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('the signing secret is empty, or no text')
  return crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** The body without its top-level `signature`, as JSON again (service.md, Authentication 5). */
function signedText(body: Record<string, unknown>): string {
  const { signature, ...rest } = body
  return JSON.stringify(rest)
}

const MOST_DEPTH = 32

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) && isPlain(value, MOST_DEPTH) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Objects go no deeper than notifications do by far, and none has a key that would change what it inherits from. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && !Object.hasOwn(value, '__proto__') && Object.values(value).every((inner) => isPlain(inner, depth - 1))
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Bytes that are no UTF-8 are no JSON (RFC 8259 §8.1), and neither is a byte order mark. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
