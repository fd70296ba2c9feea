import type { ForeignAmount, PaymentKind } from '../payment-history/index.ts'
import type { GatewayCredentials } from '../products/index.ts'
import type { Method } from '../subscriptions/index.ts'

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

/** The beginning and end (ms) of a paid period, with the slugs and references of what it pays. */
export interface PlanPeriod {
  slugs: readonly string[]
  refs: readonly string[]
  periodStart: number
  periodEnd: number
}

/** One normalized event: a gateway's report, in the terms of subscriptions. */
export interface GatewayEvent {
  /** Equal for the same event from two deliveries or from a reconciliation. */
  key: string
  kind: PaymentKind
  /** The gateway's id of the subscription; `undefined` for a single payment. */
  subscriptionId: string | undefined
  /** The gateway's id of the payment; `undefined` where the event concerns the subscription alone. */
  paymentId: string | undefined
  /** Other ids of that payment at the gateway, as later events may name only those. */
  paymentAliases: readonly string[]
  /** Precautionary: it has an effect only if the payment is disputed here. */
  onlyIfDisputed?: true
  /** The payment may have a name that only the API knows: the API is asked if the payment is unknown here. */
  mayHaveOtherNames?: true
  /** The buyer's address at the gateway. */
  buyer: string | undefined
  /** Centavos. */
  amount: number | undefined
  /** The amount in another currency, in its smallest unit. */
  foreign?: ForeignAmount | undefined
  method: Method | undefined
  /** The time of the event by the gateway's clock, in ms. */
  occurredAt: number
  /** The beginning of the paid period, in ms; stated by the gateway, never guessed. On payments, made and failed. */
  periodStart?: number | undefined
  /** The end of the paid period, in ms; stated by the gateway, never guessed. Only on `paid`. */
  periodEnd: number | undefined
  plan: {
    /** Plan slugs from metadata or an external reference, the most specific first; only from places that the merchant alone can write. */
    slugs: readonly string[]
    /** The gateway's ids of a price, product or payment link. */
    refs: readonly string[]
    /**
     * May be taken for the product's only plan: it belongs to a subscription or a payment link, not to some transfer into the merchant's
     * account, and no metadata names a plan.
     */
    isOffer: boolean
    /**
     * For a payment of several things with different periods, as a plan and an addition: the names of each. The plan's own period counts.
     */
    periods?: readonly PlanPeriod[]
  }
  /**
   * Earlier events that the same answer implies and that may never have arrived: the payment of a charge that is disputed or refunded now.
   */
  alsoHappened?: readonly GatewayEvent[]
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
  /** The events of all payments that changed since a time (ms), page by page, if possible oldest first. */
  list(since: number, api: GatewayApi): AsyncIterable<GatewayEvent>
  /** The events that all objects of the account imply, however old, where its API lists them. */
  history?(api: GatewayApi): AsyncIterable<GatewayEvent>
  /** One cheap request that fails unless the credentials are good. */
  ping(api: GatewayApi): Promise<void>
  /** For a gateway whose API lists webhooks: the events that must be registered, and the webhooks. */
  endpoints?: { wanted: readonly string[]; list(api: GatewayApi): Promise<Endpoint[]> }
}
