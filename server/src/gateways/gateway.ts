import type { GatewayCredentials } from '../products/index.ts'
import type { Method, PaymentKind } from '../subscriptions/index.ts'

export type { GatewayCredentials } from '../products/index.ts'

/** A delivery as it came in, before anything is believed. */
export interface Delivery {
  /** The body, byte for byte: signatures are made over these. */
  raw: Uint8Array
  query: URLSearchParams
  /** A header by its lower-case name; `undefined` where it is missing. */
  header(name: string): string | undefined
}

/** `unprovable`: a form that the gateway itself says can't be verified, and that has no effect. */
export type VerificationResult = 'verified' | 'missing' | 'invalid' | 'unverifiable'

/** A verified delivery, as it is stored. */
export interface StoredDelivery {
  /** The JSON of the body. */
  body: unknown
  query: URLSearchParams
  /** Ms. */
  receivedAt: number
}

/** What a delivery is, as far as it says so itself. */
export interface DeliverySummary {
  /** The same for the same delivery, however often it is sent, within one product and gateway. */
  id: string
  /** The gateway's word for what happened. */
  event: string
  /** What it is about: the gateway's id of a payment or subscription. */
  subject: string | undefined
  /** True where the gateway itself marks it as a test in a way that can be relied on. */
  isTest: boolean
}

/** From when until when, in ms, something is paid that these slugs and references name. */
export interface PlanPeriod {
  slugs: readonly string[]
  refs: readonly string[]
  periodStart: number
  periodEnd: number
}

/** One normalised event: what a gateway tells, in the words of subscriptions. */
export interface GatewayEvent {
  /** The same event told twice, by two deliveries or by a reconciliation, has the same key. */
  key: string
  kind: PaymentKind
  /** The gateway's id of the subscription; `undefined` for a single payment. */
  subscriptionId: string | undefined
  /** The gateway's id of the payment; `undefined` where the event is about the subscription alone. */
  paymentId: string | undefined
  /** What else the gateway calls that payment, as later events may name only that. */
  paymentAliases: readonly string[]
  /** Told to be on the safe side: nothing has happened unless the payment is disputed here. */
  onlyIfDisputed?: true
  /** The payment may be known by a name that only the API tells: it is asked where nothing is known of the payment. */
  mayHaveOtherNames?: true
  /** The buyer's address as the gateway has it. */
  buyer: string | undefined
  /** Centavos. */
  amount: number | undefined
  method: Method | undefined
  /** When it happened, by the gateway's clock, in ms. */
  occurredAt: number
  /** From when it pays, in ms; stated by the gateway, never guessed. On payments, made and failed. */
  periodStart?: number | undefined
  /** Until when it pays, in ms; stated by the gateway, never guessed. Only on `paid`. */
  periodEnd: number | undefined
  plan: {
    /** Plan slugs found in metadata or an external reference, the most telling first; only where the seller alone can have written them. */
    slugs: readonly string[]
    /** The gateway's ids of a price, product or payment link. */
    refs: readonly string[]
    /**
     * Can be the product's only plan: it belongs to a subscription or a payment link, not to any odd transfer into the merchant's account,
     * and the seller's metadata names no plan.
     */
    isOffer: boolean
    /**
     * Where a payment pays for several things over periods of their own, as a plan and an addition to it: what names each. The period that
     * counts is that of the plan's own.
     */
    periods?: readonly PlanPeriod[]
  }
  /**
   * What the same answer shows to have happened as well, and may never have been told: the payment, where it has been disputed or refunded
   * since.
   */
  alsoHappened?: readonly GatewayEvent[]
}

/**
 * Asks the gateway's API. `path` begins with a slash; the answer is its JSON. Throws to be tried again later, or `FatalJobFault` for what
 * it does not know (404) or can't be asked.
 */
export interface GatewayApi {
  get(path: string): Promise<unknown>
}

/** Why what was given is no webhook secret: it is a key set, with the account that deliveries must be of. */
export type SecretRefusal = 'secret_not_an_object' | 'account_malformed' | 'keys_malformed' | 'keys_unusable'

/** A webhook as the gateway has it registered. */
export interface Endpoint {
  url: string
  /** False where the gateway has switched it off, or its merchant. */
  isOn: boolean
  /** Those it is sent for; `*` among them: all. */
  events: readonly string[]
}

/**
 * Everything that is particular about one gateway: one file, or one folder whose `index.ts` exports it. Pure but for `fetch`, `list`,
 * `ping` and `endpoints`, which ask its API and nothing else.
 */
export interface GatewayAdapter {
  /** The host of its API, and the header that `accessToken` goes into. */
  api: { url: string; headers(accessToken: string): Record<string, string> }
  /**
   * Where the webhook secret is more than a text that the gateway shows: reads what the merchant gives into the text that `verify` takes.
   */
  readSecret?(given: unknown): string | { refusal: SecretRefusal }
  verify(delivery: Delivery, credentials: GatewayCredentials, now: number): VerificationResult
  /** `undefined` for JSON that is none of the gateway's. It is taken in with its headers, for a gateway that signs nothing of the body. */
  identify(stored: StoredDelivery, delivery?: Pick<Delivery, 'header'>): DeliverySummary | undefined
  /**
   * What a delivery says; `fetch` where the payload does not say enough or may not be relied on; `ignored` where it is nothing to us. Asks
   * nobody.
   */
  parse(stored: StoredDelivery): GatewayEvent | 'fetch' | 'ignored'
  /** The same with the help of the API. */
  fetch(stored: StoredDelivery, api: GatewayApi): Promise<GatewayEvent | 'ignored'>
  /** What the API says about all payments that changed since a time (ms), page by page, oldest first where it can say so. */
  list(since: number, api: GatewayApi): AsyncIterable<GatewayEvent>
  /** One cheap question that fails unless the credentials are good. */
  ping(api: GatewayApi): Promise<void>
  /** Where the gateway's API says which webhooks there are: the events without which something goes unheard, and the webhooks. */
  endpoints?: { wanted: readonly string[]; list(api: GatewayApi): Promise<Endpoint[]> }
}
