import { PortariaError } from '../error.ts'

/** Why a delivery is refused. */
export type DeliveryRefusal = 'headers_invalid' | 'timestamp_too_old' | 'timestamp_too_new' | 'signature_invalid'

/** The headers of a delivery (Standard Webhooks 1.0). */
export interface DeliveryHeaders {
  id: string
  /** As it was sent, in seconds. */
  timestamp: string
  /** Several while a secret is rotated. */
  signatures: readonly Uint8Array<ArrayBuffer>[]
}

/** Clocks differ, and a delivery takes some seconds. Whoever has overheard one cannot send it later. */
const TOLERANCE_SECONDS = 300
/** Two while a secret is rotated. Each costs a computation for each secret. */
const MAX_SIGNATURES = 8

/** The headers, as far as they can be judged without the body. */
export function parseHeaders(headers: Pick<Headers, 'get'>, now: number): DeliveryHeaders | DeliveryRefusal {
  const [id, timestamp, list] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers.get(name) ?? '')
  // An id without a dot: what is signed can be divided in one way only.
  if (!id || !/^[\w-]{1,128}$/.test(id) || !timestamp || !/^\d{1,12}$/.test(timestamp)) return 'headers_invalid'
  // Others than v1 are for later versions of the standard.
  const signatures = (list ?? '').split(' ').flatMap((one) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one)?.[1] ?? [])
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) return 'headers_invalid'
  const age = now / 1000 - Number(timestamp)
  if (Math.abs(age) > TOLERANCE_SECONDS) return age > 0 ? 'timestamp_too_old' : 'timestamp_too_new'
  return { id, timestamp, signatures: signatures.map(fromBase64) }
}

/** Whether one of the secrets has signed exactly these bytes. Each secret is tried with each signature, in constant time. */
export async function isSigned(
  body: Uint8Array<ArrayBuffer>,
  { id, timestamp, signatures }: DeliveryHeaders,
  keys: readonly CryptoKey[],
): Promise<boolean> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const tries = keys.flatMap((key) => signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)))
  return (await Promise.all(tries)).includes(true)
}

/** Throws `PortariaError` for what is no secret of an endpoint. The message never repeats it. */
export function parseSecrets(given: string | readonly string[] | undefined): Uint8Array<ArrayBuffer>[] {
  const secrets = (typeof given === 'string' ? given.split(/\s+/) : (given ?? [])).filter((one) => one !== '')
  if (secrets.length === 0) throw new PortariaError('configuration', `PORTARIA_EVENTS_SECRET is missing: ${FORM}`)
  return secrets.map((one) => {
    const encoded = typeof one === 'string' ? /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(one)?.[1] : undefined
    const bytes = encoded === undefined || encoded.length % 4 !== 0 ? undefined : fromBase64(encoded)
    if (!bytes || bytes.length < 24 || bytes.length > 64)
      throw new PortariaError('configuration', `PORTARIA_EVENTS_SECRET (\`secret\`) must be ${FORM}`)
    return bytes
  })
}

const FORM = 'the secret of the endpoint, whsec_…, as it was shown; two while it is rotated'

export function importKeys(secrets: readonly Uint8Array<ArrayBuffer>[]): Promise<CryptoKey[]> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return Promise.all(secrets.map((bytes) => crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}
