import type { Gateway } from '../payment-methods.ts'

/** What a product's owner has given us for one gateway. */
export interface GatewayCredentials {
  /** What deliveries are verified with: a signing secret, or the token that the gateway sends back. */
  webhookSecret: string
  /** What its API is asked with. */
  accessToken: string
  /** Another address of its API than the gateway's own, without a slash at its end. */
  apiUrl: string | undefined
  /** Of a sandbox: what they bring is recorded as a test. */
  isTest: boolean
}

/** What can be shown of them. */
export interface GatewayCredentialsInfo extends Pick<GatewayCredentials, 'apiUrl' | 'isTest'> {
  gateway: Gateway
  /** When there were credentials first, in ms. */
  createdAt: number
  /** Since when there are these, in ms. */
  updatedAt: number
}

/** `key` is a key that means nothing here; it is left out where it might be a secret itself. */
export type GatewaySecretsRefusal =
  | { refusal: 'not_an_object' | 'webhook_secret_malformed' | 'access_token_malformed' }
  | { refusal: 'unknown_key'; key: string | undefined }

const KEYS = ['webhook_secret', 'access_token']
const MAX_API_URL = 500

/**
 * Reads `{"webhook_secret": …, "access_token": …}`. No refusal holds anything of either. `readWebhookSecret` is for a gateway whose webhook
 * secret is more than a text as it shows it.
 */
export function parseGatewaySecrets<R extends string = never>(
  text: string,
  readWebhookSecret?: (given: unknown) => string | { refusal: R },
): Pick<GatewayCredentials, 'webhookSecret' | 'accessToken'> | GatewaySecretsRefusal | { refusal: R } {
  const given = parseObject(text)
  if (!given) return { refusal: 'not_an_object' }
  const unknown = [...given.keys()].find((key) => !KEYS.includes(key))
  // Whoever takes key for value must not see the secret on the screen: real ones have digits in them.
  if (unknown !== undefined) return { refusal: 'unknown_key', key: /^[A-Za-z_-]{1,40}$/.test(unknown) ? unknown : undefined }
  const [givenSecret, accessToken] = KEYS.map((key) => given.get(key))
  const webhookSecret = (readWebhookSecret ?? readText)(givenSecret)
  if (typeof webhookSecret !== 'string') return webhookSecret
  if (!isSecret(accessToken)) return { refusal: 'access_token_malformed' }
  return { webhookSecret, accessToken }
}

function parseObject(text: string): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? new Map(Object.entries(value)) : undefined
  } catch {
    return undefined // its message would quote the text
  }
}

function readText(given: unknown): string | { refusal: 'webhook_secret_malformed' } {
  return isSecret(given) ? given : { refusal: 'webhook_secret_malformed' }
}

/** 8 to 500 visible ASCII characters: both travel in headers. */
function isSecret(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{8,500}$/.test(value)
}

/**
 * Reads the address of an API, path and all: https, or http in development, where alone it would be called. `undefined` for one with a
 * query, fragment or userinfo, and for what is no address. A slash at its end is taken off.
 */
export function parseApiUrl(text: string, { isDevelopment }: { isDevelopment: boolean }): string | undefined {
  // Parsers drop control characters and turn backslashes: what is shown would not be where it leads.
  if (text.length > MAX_API_URL || /[\p{Cc}\s\\?#@]/u.test(text) || !URL.canParse(text)) return undefined
  const { protocol, hostname, href } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && isDevelopment)) return undefined
  return hostname === '' ? undefined : href.replace(/\/+$/, '')
}
