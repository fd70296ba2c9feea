import type { Gateway } from '../payment-methods.ts'

/** A product's credentials for one gateway, as its merchant gave them. */
export interface GatewayCredentials {
  /** Verifies deliveries: a signing secret, or the token that the gateway sends back. */
  webhookSecret: string
  /** Authenticates requests to the gateway's API. */
  accessToken: string
  /** An address of its API other than the usual one, without a slash at its end. */
  apiUrl: string | undefined
  /** Credentials of a sandbox: its payments are recorded as tests. */
  isTest: boolean
}

/** The credentials without their secrets. */
export interface GatewayCredentialsInfo extends Pick<GatewayCredentials, 'apiUrl' | 'isTest'> {
  gateway: Gateway
  /** The time of the first credentials, in ms. */
  createdAt: number
  /** The time of these credentials, in ms. */
  updatedAt: number
}

/** `key` is an unknown key; it is left out where it might be a secret itself. */
export type GatewaySecretsRefusal =
  | { refusal: 'not_an_object' | 'webhook_secret_malformed' | 'access_token_malformed' }
  | { refusal: 'unknown_key'; key: string | undefined }

const KEYS = ['webhook_secret', 'access_token']
const MAX_API_URL = 500

/**
 * Reads `{"webhook_secret": …, "access_token": …}`. No refusal quotes either. `readWebhookSecret` is for gateways whose webhook secret has
 * more than one part.
 */
export function parseGatewaySecrets<R extends string = never>(
  text: string,
  readWebhookSecret?: (given: unknown) => string | { refusal: R },
): Pick<GatewayCredentials, 'webhookSecret' | 'accessToken'> | GatewaySecretsRefusal | { refusal: R } {
  const given = parseObject(text)
  if (!given) return { refusal: 'not_an_object' }
  const unknown = [...given.keys()].find((key) => !KEYS.includes(key))
  // A secret typed in the place of a key must not appear on the screen: real secrets contain digits.
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
 * Reads the address of an API, with its path: https, or in development http for a gateway on this machine. `undefined` for one with a
 * query, fragment or userinfo, and for an invalid address. A slash at its end is removed.
 */
export function parseApiUrl(text: string, { isDevelopment }: { isDevelopment: boolean }): string | undefined {
  // Parsers drop control characters and turn backslashes: the shown address would not be the one it leads to.
  if (text.length > MAX_API_URL || /[\p{Cc}\s\\?#@]/u.test(text) || !URL.canParse(text)) return undefined
  const { protocol, hostname, href } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && isDevelopment)) return undefined
  return hostname === '' ? undefined : href.replace(/\/+$/, '')
}
