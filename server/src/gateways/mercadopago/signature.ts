import { constantTimeEqual, hmacSha256 } from '../../kit/index.ts'
import { webhookSecretKey } from '../adapter-kit/webhook-secret.ts'
import type { Delivery, GatewayCredentials, StoredDelivery, VerificationResult } from '../gateway.ts'
import { parseId, textAt, valueAt } from './fields.ts'

const HEX = /^[0-9a-f]{64}$/i
/** Neither a space nor the `;` that ends a part of the manifest: else one signature would hold for two deliveries. */
const REQUEST_ID = /^[!-:<-~]{1,200}$/

/**
 * The HMAC SHA256 over id, request id and time. The body is not covered by it, so of a verified delivery only the id may be relied on.
 *
 * The time is part of what is signed, and nothing more: they deliver again and again without saying for how long, nor whether each attempt
 * has a time of its own, and news refused for its age would be lost. A captured delivery that is sent again is a duplicate, by what is
 * signed of it (`signedText`).
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
  // Their documentation signs ids in lower case, their libraries as they are; both are always tried, so that the time says nothing of which
  // it was.
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

/** All that the signature covers, the same for each form of it that is verified: of an id both cases are. */
export function signedText({ header, ...stored }: Pick<StoredDelivery, 'body' | 'query'> & Pick<Delivery, 'header'>): string {
  const id = signedId(stored)
  const signature = parseSignature(header('x-signature') ?? '')
  return manifest(id === 'malformed' ? undefined : id.signed?.toLowerCase(), header('x-request-id') || undefined, signature?.ts ?? '')
}

/** The notifications before webhooks (IPN), whose `x-signature` "does not allow validation through the secret key". */
function isLegacy({ body, query }: Pick<StoredDelivery, 'body' | 'query'>): boolean {
  if (query.has('data.id') || query.has('type')) return false
  const isOldBody = valueAt(body, 'data') === undefined && textAt(body, 'resource') !== undefined && textAt(body, 'topic') !== undefined
  return query.has('topic') || isOldBody
}

/** A part whose value is absent is left out altogether. */
function manifest(id: string | undefined, requestId: string | undefined, ts: string): string {
  return `${id === undefined ? '' : `id:${id};`}${requestId === undefined ? '' : `request-id:${requestId};`}ts:${ts};`
}

/** Reads `ts=…,v1=…`, in any order and beside parts of other names, but each once. */
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
    return undefined // not JSON: it has no id, and whether the rest is verified is another question
  }
}
