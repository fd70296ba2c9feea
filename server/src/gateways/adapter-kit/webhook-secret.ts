import type { KeyObject } from 'node:crypto'
import { hmacKey } from '../../kit/index.ts'
import type { GatewayCredentials } from '../gateway.ts'

const keys = new WeakMap<GatewayCredentials, KeyObject>()

/**
 * The webhook secret of a merchant account as an HMAC key, made once for as long as the account is remembered, since every delivery needs
 * it.
 */
export function webhookSecretKey(credentials: GatewayCredentials): KeyObject {
  const known = keys.get(credentials)
  if (known) return known
  const key = hmacKey(credentials.webhookSecret)
  keys.set(credentials, key)
  return key
}
