import type { ForeignAmount, PaymentKind } from '../payment-history/index.ts'
import type { Method } from '../subscriptions/index.ts'

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
  /** It has an effect only if the payment is paid here: the gateway does not say whether it ever was. */
  onlyIfPaid?: true
  /** The payment may have a name that only the API knows: the API is asked if the payment is unknown here. */
  mayHaveOtherNames?: true
  /** The buyer's address at the gateway. */
  buyer: string | undefined
  /** Centavos. */
  amount: number | undefined
  /** The amount in another currency, in its smallest unit. */
  foreign?: ForeignAmount | undefined
  /** The price of the paid period, in the smallest unit of the payment's currency, where it is not what was paid. Only on `paid`. */
  periodPrice?: number | undefined
  /** The whole purchase in centavos, where this payment is one of its parts and each part is paid by itself. Only on `paid`. */
  purchaseAmount?: number | undefined
  method: Method | undefined
  /** The time of the event by the gateway's clock, in ms. */
  occurredAt: number
  /** The beginning of the paid period, in ms; stated by the gateway, never guessed. On payments, made and failed. */
  periodStart?: number | undefined
  /** The end of the paid period, in ms; stated by the gateway, never guessed. Only on `paid`. */
  periodEnd: number | undefined
  /** The time of that end, in ms: of two that are stated of one payment the newer one counts. For a gateway whose ends can be moved. */
  periodStatedAt?: number | undefined
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
