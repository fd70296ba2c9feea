import { constantTimeEqual, hmacSha256 } from '../../kit/index.ts'
import { webhookSecretKey } from '../adapter-kit/webhook-secret.ts'
import type { Delivery, GatewayCredentials, StoredDelivery, VerificationResult } from '../gateway.ts'
import { parseId, textAt, valueAt } from './fields.ts'

const HEX = /^[0-9a-f]{64}$/i
/** Neither a space nor the `;` that ends a part of the manifest: otherwise one signature would be valid for two deliveries. */
const REQUEST_ID = /^[!-:<-~]{1,200}$/

/**
 * The HMAC SHA256 over id, request id and time. It does not cover the body, so only the id of a verified delivery can be trusted.
 *
 * The time is signed, but its age is not limited: they repeat deliveries for an undocumented time, perhaps with the first attempt's time,
 * and an event refused for its age would be lost. A captured delivery that is sent again is a duplicate, by its signed data (`signedText`).
 */
export function verifyMercadoPago(delivery: Delivery, credentials: GatewayCredentials): VerificationResult {
  const { query } = delivery
  const body = parse(delivery.raw)
  if (isLegacy({ body, query })) return 'unverifiable'
  const header = delivery.header('x-signature')
  if (header === undefined || header === '') return 'missing'
  const signature = parseSignature(header)
  const requestId = delivery.header('x-request-id') || undefined
  const id = signedId({ body, query })
  if (!signature || id === 'malformed' || (requestId !== undefined && !REQUEST_ID.test(requestId))) return 'invalid'
  // Their documentation signs ids in lower case, their libraries as they are. Both are always tried, so that the time of the answer does
  // not reveal which matched.
  const forms = [id.signed, id.signed?.toLowerCase()]
  const given = Buffer.from(signature.v1, 'hex')
  const key = webhookSecretKey(credentials)
  const matches = forms.filter((form) => constantTimeEqual(hmacSha256(key, manifest(form, requestId, signature.ts)), given))
  return matches.length > 0 ? 'verified' : 'invalid'
}

/** The id that the signature covers: the query's, or the body's where the query has none. */
export function signedId({ body, query }: Pick<StoredDelivery, 'body' | 'query'>): { signed: string | undefined } | 'malformed' {
  const inQuery = query.getAll('data.id')
  if (inQuery.length > 1) return 'malformed'
  const given = inQuery[0] ?? valueAt(body, 'data', 'id')
  if (given === undefined || given === null || given === '') return { signed: undefined }
  const signed = parseId(textAt({ given }, 'given'))
  return signed === undefined ? 'malformed' : { signed }
}

/** All that the signature covers, equal for each verified form of it: both cases of an id. */
export function signedText({ header, ...stored }: Pick<StoredDelivery, 'body' | 'query'> & Pick<Delivery, 'header'>): string {
  const id = signedId(stored)
  const signature = parseSignature(header('x-signature') ?? '')
  return manifest(id === 'malformed' ? undefined : id.signed?.toLowerCase(), header('x-request-id') || undefined, signature?.ts ?? '')
}

/** The older notifications (IPN), whose `x-signature` "does not allow validation through the secret key". */
function isLegacy({ body, query }: Pick<StoredDelivery, 'body' | 'query'>): boolean {
  if (query.has('data.id') || query.has('type')) return false
  const isOldBody = valueAt(body, 'data') === undefined && textAt(body, 'resource') !== undefined && textAt(body, 'topic') !== undefined
  return query.has('topic') || isOldBody
}

/** A part without a value is left out altogether. */
function manifest(id: string | undefined, requestId: string | undefined, ts: string): string {
  return `${id === undefined ? '' : `id:${id};`}${requestId === undefined ? '' : `request-id:${requestId};`}ts:${ts};`
}

/** Reads `ts=…,v1=…`, in any order and with other parts between, but each only once. */
function parseSignature(header: string): { ts: string; v1: string } | undefined {
  const parts = new Map<string, string>()
  for (const part of header.split(',')) {
    const [, name, value] = /^ ?(\w+)=(\S+)$/.exec(part) ?? []
    if (name === undefined || value === undefined || parts.has(name)) return undefined
    parts.set(name, value)
  }
  const ts = parts.get('ts') ?? ''
  const v1 = parts.get('v1') ?? ''
  return /^\d{1,16}$/.test(ts) && HEX.test(v1) ? { ts, v1 } : undefined
}

function parse(raw: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(raw).toString('utf8'))
  } catch {
    return undefined // not JSON: it has no id, and the verification decides about the rest
  }
}
