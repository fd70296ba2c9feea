import { type Gateway, parseGatewaySecrets } from '../products/index.ts'
import { adapters } from './adapters.ts'

/** Reads the merchant's secrets for a gateway: `{"webhook_secret": …, "access_token": …}`. No refusal quotes either. */
export function parseSecrets(gateway: Gateway, text: string) {
  return parseGatewaySecrets(text, adapters[gateway].readSecret)
}
