import { z } from 'zod'
import { METHODS } from '../../products/index.ts'
import type { NoPlan } from '../../subscriptions/index.ts'
import { PAYMENT_KINDS } from '../events/payment-event.ts'

/**
 * Why an event can't be recorded yet. `unexpected_amount`: less was paid than the price of a plan that the operator sells for no less.
 * `unknown_payment`: it is no payment itself, and about one, or a subscription, that is unknown here.
 */
export type NotRecorded = NoPlan | 'unusable_address' | 'unexpected_amount' | 'unknown_payment'

const ownStream = z.object({ by: z.literal('own'), ref: z.string() })
const buyerStream = z.object({ by: z.literal('buyer'), productId: z.string(), planSlug: z.string() })
export type OwnStream = z.infer<typeof ownStream> | z.infer<typeof buyerStream>

/** An event of a notification in one form, before its plan and its buyer are resolved. */
export const normalizedEvent = z.object({
  /**
   * `own`: the sender names its subscription. `buyer`: one for each buyer, product and plan. `gateway`: one for each subscription or single
   * payment of the gateway.
   */
  stream: z.discriminatedUnion('by', [
    ownStream,
    buyerStream,
    z.object({
      by: z.literal('gateway'),
      productId: z.string(),
      subscriptionId: z.string().optional(),
      paymentId: z.string().optional(),
      paymentAliases: z.array(z.string()),
      /**
       * Only if the own checkout reports a gateway's payment: the gateway, and the stream of the own checkout, which is of the same
       * purchase (docs/decisions/0102).
       */
      own: z.object({ gateway: z.string(), source: z.string(), stream: z.discriminatedUnion('by', [ownStream, buyerStream]) }).optional(),
    }),
  ]),
  plan: z.discriminatedUnion('by', [
    /** `byOperator`: the operator has said so of this notification, whatever was paid. */
    z.object({ by: z.literal('slug'), slug: z.string(), productId: z.string().optional(), byOperator: z.literal(true).optional() }),
    z.object({ by: z.literal('name'), name: z.string(), productId: z.string().optional() }),
    z.object({
      by: z.literal('gateway'),
      gateway: z.string(),
      productId: z.string(),
      slugs: z.array(z.string()),
      refs: z.array(z.string()),
      isOffer: z.boolean(),
      /** The parts of a payment with periods of their own, in ms, and the names of each. */
      periods: z
        .array(
          z.object({
            slugs: z.array(z.string()),
            refs: z.array(z.string()),
            periodStart: z.number().optional(),
            periodEnd: z.number().optional(),
          }),
        )
        .optional(),
    }),
  ]),
  /** It is applied without its plan, which the operator has to name. */
  isApplied: z.boolean().optional(),
  /** The buyer's address as it was sent. */
  email: z.string().optional(),
  event: z.object({
    key: z.string(),
    kind: z.enum(PAYMENT_KINDS),
    /** Ms, as far as it can be believed. */
    at: z.number(),
    /** The sender's own time, where that was too far ahead of the receipt to be believed: see `dateInStream`. */
    statedAt: z.number().optional(),
    paymentId: z.string().optional(),
    /** Centavos. */
    amount: z.number().optional(),
    /** Of a payment in another currency, in its smallest unit. */
    foreign: z.object({ currency: z.string(), amount: z.number() }).optional(),
    /** In the smallest unit of the payment's currency. */
    periodPrice: z.number().optional(),
    /** Centavos. */
    purchaseAmount: z.number().optional(),
    method: z.enum(METHODS).optional(),
    /** Ms. */
    periodStart: z.number().optional(),
    /** Ms. */
    periodEnd: z.number().optional(),
    /** When that end was stated, in ms, as far as it can be believed. */
    periodStatedAt: z.number().optional(),
  }),
})
export type NormalizedEvent = z.infer<typeof normalizedEvent>

/**
 * The part of a notification that was added to its stream: its event, and the plan and product that were found for it then. An empty
 * history to which it is added again comes to the same.
 */
export const appliedEvent = z.object({
  normalized: normalizedEvent,
  planId: z.string().optional(),
  productId: z.string().optional(),
  /** The plan's own period in ms, if the payment also pays for other things. */
  period: z.object({ periodStart: z.number().optional(), periodEnd: z.number().optional() }).optional(),
  /** Its buyer, or another person in it, was forgotten: it has no address any more. */
  isScrubbed: z.literal(true).optional(),
})
export type AppliedEvent = z.infer<typeof appliedEvent>

/** The source that gave a payment its names: the gateway, also where the own checkout reports the gateway's payment. */
export function aliasSource(source: string, { stream }: NormalizedEvent): string {
  return stream.by === 'gateway' ? (stream.own?.gateway ?? source) : source
}

/** A payment that is not the price of the plan that it buys, both in centavos. */
export interface AmountMismatch {
  paid: number
  price: number
}
