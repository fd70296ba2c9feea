import { type Gateway, parseGatewaySecrets } from '../products/index.ts'
import { adapters } from './adapters.ts'

/**
 * Reads the secrets of a gateway as its merchant gives them: `{"webhook_secret": …, "access_token": …}`. No refusal holds anything of
 * either.
 */
export function parseSecrets(gateway: Gateway, text: string) {
  return parseGatewaySecrets(text, adapters[gateway].readSecret)
}
