import { constants, createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import { z } from 'zod'
import type { Delivery, GatewayCredentials, SecretRefusal, VerificationResult } from '../gateway.ts'
import { parseEnvelope } from './payload.ts'

/**
 * The verification data of deliveries: the merchant's account, and the set of https://hubapi.pagar.me/.well-known/jwks.json. A delivery is
 * verified before it is answered, and no outgoing call is made before the answer: so the merchant gives us the keys, and they are not
 * fetched. The keys are the same for all accounts, and prove only that Pagar.me sent it; the account in the signed body shows whose it is.
 */
const trusted = z.object({ account_id: z.string().regex(/^acc_[\w-]{1,120}$/), jwks: z.unknown() })
const keySet = z.object({ keys: z.array(z.unknown()).min(1).max(50) })
/** Chosen as Pagar.me's own plugins do (ecommerce-module-core, WebhookValidatorService). */
const jwk = z.object({
  kty: z.literal('RSA'),
  kid: z.string().regex(/^[^\s;=]{1,200}$/),
  use: z.literal('sig').optional(),
  alg: z.literal('RS256').optional(),
  n: z.string().max(2_000),
  e: z.string().max(20),
})
type Jwk = z.infer<typeof jwk>

const LEAST_BITS = 2_048

/** Reads the merchant's text or object. Unusable keys are left out; one usable key is required. */
export function readSecret(given: unknown): string | { refusal: SecretRefusal } {
  const value = typeof given === 'string' ? parseJson(given) : given
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { refusal: 'secret_not_an_object' }
  const { account_id, jwks } = { account_id: undefined, jwks: undefined, ...value }
  if (!trusted.shape.account_id.safeParse(account_id).success) return { refusal: 'account_malformed' }
  if (!keySet.safeParse(jwks).success) return { refusal: 'keys_malformed' }
  const keys = keysOf(jwks).filter((key) => keyOf(key) !== undefined)
  return keys.length === 0 ? { refusal: 'keys_unusable' } : JSON.stringify({ account_id, jwks: { keys } })
}

export function verify({ raw, header }: Delivery, { webhookSecret }: GatewayCredentials): VerificationResult {
  const sent = header('x-webhook-asymmetric-signature') ?? ''
  if (sent.trim() === '') return 'missing'
  const { alg, kid, signature } = partsOf(sent) ?? {}
  const { account_id, jwks } = trusted.safeParse(parseJson(webhookSecret)).data ?? {}
  const found = keysOf(jwks).find((one) => one.kid === kid)
  const key = found && keyOf(found)
  if (alg !== 'RS256' || !key || account_id === undefined || !isSigned(raw, key, signature)) return 'invalid'
  return parseEnvelope(parseJson(new TextDecoder().decode(raw)))?.account?.id === account_id ? 'verified' : 'invalid'
}

/** `alg=RS256; kid=…; signature=…`, in any order; `undefined` where a part stands there twice. */
function partsOf(header: string): Record<string, string> | undefined {
  const parts = header.split(';').map((part) => /^\s*(\w+)=(\S+)\s*$/.exec(part) ?? [])
  const names = parts.map(([, name]) => name)
  return new Set(names).size === names.length ? Object.fromEntries(parts.map(([, name = '', value = '']) => [name, value])) : undefined
}

/** The keys of a set that have the right form; keys of other kinds are skipped. */
function keysOf(jwks: unknown): Jwk[] {
  return (keySet.safeParse(jwks).data?.keys ?? []).flatMap((key) => jwk.safeParse(key).data ?? [])
}

/** `undefined` for an invalid key, or one too short to be safe (RFC 7518 §3.3). */
function keyOf({ kty, n, e }: Jwk): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' })
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_BITS ? key : undefined
  } catch {
    return undefined // a wrongly pasted text is no key
  }
}

/** RSASSA-PKCS1-v1_5 with SHA-256 over the raw body, in base64url. */
function isSigned(raw: Uint8Array, key: KeyObject, signature = ''): boolean {
  if (!/^[\w-]+={0,2}$/.test(signature)) return false
  return verifySignature('sha256', raw, { key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(signature, 'base64url'))
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
