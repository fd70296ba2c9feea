import type { GatewayCredentials } from '../products/index.ts'
import type { GatewayEvent } from './gateway-event.ts'

export type { GatewayCredentials } from '../products/index.ts'

/** A delivery as received, not verified yet. */
export interface Delivery {
  /** The body, byte for byte, as it was signed. */
  raw: Uint8Array
  query: URLSearchParams
  /** A header by its lower-case name; `undefined` where it is missing. */
  header(name: string): string | undefined
}

/** `unverifiable`: a form that the gateway itself can't let anyone verify. It has no effect. */
export type VerificationResult = 'verified' | 'missing' | 'invalid' | 'unverifiable'

/** A verified delivery, as it is stored. */
export interface StoredDelivery {
  /** The JSON of the body. */
  body: unknown
  query: URLSearchParams
  /** Ms. */
  receivedAt: number
}

/** A delivery's own data about itself. */
export interface DeliverySummary {
  /** Equal for copies of one delivery, within one product and gateway. */
  id: string
  /** The gateway's name for the event. */
  event: string
  /** The gateway's id of the payment or subscription. */
  subject: string | undefined
  /** True where the gateway reliably marks it as a test. */
  isTest: boolean
}

/**
 * Asks the gateway's API. `path` begins with a slash; the answer is its JSON. Throws to be tried again later, or `FatalJobFault` for a 404
 * and for an invalid path.
 */
export interface GatewayApi {
  get(path: string): Promise<unknown>
}

/** Why a text is not a webhook secret: a key set with the account of the deliveries is required. */
export type SecretRefusal = 'secret_not_an_object' | 'account_malformed' | 'keys_malformed' | 'keys_unusable'

/** A webhook as registered at the gateway. */
export interface Endpoint {
  url: string
  /** False where the gateway or its merchant has switched it off. */
  isOn: boolean
  /** The events that it is sent for; `*` means all. */
  events: readonly string[]
}

export type OnPart = (part: number | undefined) => void

/**
 * Everything specific to one gateway: one file, or one folder whose `index.ts` exports it. Pure but for `fetch`, `list`, `ping` and
 * `endpoints`, which ask only its API.
 */
export interface GatewayAdapter {
  /** The host of its API, and the header for `accessToken`. */
  api: { url: string; headers(accessToken: string): Record<string, string> }
  /** For a webhook secret with more than one part: reads the merchant's text into the text that `verify` takes. */
  readSecret?(given: unknown): string | { refusal: SecretRefusal }
  verify(delivery: Delivery, credentials: GatewayCredentials, now: number): VerificationResult
  /** `undefined` for JSON of another form. The headers are included, for a gateway that signs nothing of the body. */
  identify(stored: StoredDelivery, delivery?: Pick<Delivery, 'header'>): DeliverySummary | undefined
  /** The event of a delivery; `fetch` where the payload lacks data or can't be trusted; `ignored` where it is irrelevant. Asks nobody. */
  parse(stored: StoredDelivery): GatewayEvent | 'fetch' | 'ignored'
  /** The same with the help of the API. */
  fetch(stored: StoredDelivery, api: GatewayApi): Promise<GatewayEvent | 'ignored'>
  /**
   * The events of all payments that changed since a time (ms), page by page, if possible oldest first. `onPart` is called with the part
   * that is done, from 0 to 1, or `undefined` while that is not known: Asaas and Pagar.me are asked for several lists, one after the other.
   */
  list(since: number, api: GatewayApi, onPart?: OnPart): AsyncIterable<GatewayEvent>
  /** The events that all objects of the account imply, however old, where its API lists them. */
  history?(api: GatewayApi): AsyncIterable<GatewayEvent>
  /** One cheap request that fails unless the credentials are good. */
  ping(api: GatewayApi): Promise<void>
  /** For a gateway whose API lists webhooks: the events that must be registered, and the webhooks. */
  endpoints?: { wanted: readonly string[]; list(api: GatewayApi): Promise<Endpoint[]> }
}
