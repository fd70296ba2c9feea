import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '../../kit/index.ts'
import { webhookSecretKey } from '../adapter-kit/webhook-secret.ts'
import type { GatewayCredentials, VerificationResult } from '../gateway.ts'

/** The largest difference between a signature's time and ours, in either direction. Stripe's own library allows any future time. */
const TOLERANCE_SECONDS = 300
const SECONDS = /^(?:0|[1-9]\d{0,11})$/
const HEX = /^[0-9a-f]{64}$/

/**
 * Verifies a `Stripe-Signature` over the raw body (docs.stripe.com/webhooks, "Verify manually"). The key is the whole `whsec_…` text. Any
 * of several `v1` may match, as while the merchant changes the secret; other schemes are skipped. `now` in ms.
 */
export function verifyStripe(
  header: string | undefined,
  raw: Uint8Array,
  { credentials, now }: { credentials: GatewayCredentials; now: number },
): VerificationResult {
  if (header === undefined || header === '') return 'missing'
  const signed = parseHeader(header)
  if (!signed || credentials.webhookSecret.trim() === '') return 'invalid'
  if (Math.abs(Math.floor(now / 1000) - Number(signed.seconds)) > TOLERANCE_SECONDS) return 'invalid'
  const expected = createHmac('sha256', webhookSecretKey(credentials)).update(`${signed.seconds}.`).update(raw).digest('hex')
  // All are compared: the time of the answer must not reveal which one matched.
  const matches = signed.signatures.filter((signature) => constantTimeEqual(signature, expected))
  return matches.length > 0 ? 'verified' : 'invalid'
}

/** `undefined` unless it has exactly one time, and only signatures of the right form. */
function parseHeader(header: string): { seconds: string; signatures: readonly string[] } | undefined {
  const items = header.split(',').map((item) => item.split('=', 3))
  if (items.some((item) => item.length !== 2)) return undefined
  const valuesOf = (name: string) => items.flatMap(([key, value = '']) => (key === name ? [value] : []))
  const [seconds, second] = valuesOf('t')
  const signatures = valuesOf('v1')
  if (seconds === undefined || second !== undefined || !SECONDS.test(seconds)) return undefined
  return signatures.length > 0 && signatures.every((signature) => HEX.test(signature)) ? { seconds, signatures } : undefined
}
