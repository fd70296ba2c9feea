import { z } from 'zod'
import { METHODS } from '../products/index.ts'
import { type NoPlan, PAYMENT_KINDS } from '../subscriptions/index.ts'

export const NOTIFICATION_STATUSES = ['processed', 'test', 'unresolved', 'ignored', 'failed'] as const

/**
 * `processed`: applied to a subscription. `test`: recorded, grants nothing. `unresolved`: valid, but it can't be told what or whose it is; waits for the
 * operator. `ignored`: nothing to act on, for good or until its payment is known. `failed`: work on it was given up.
 */
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]

/**
 * Why a notification is not settled. `unknown_payment`: it is no payment itself, and about one, or a subscription, that is unknown here. `told_already`: another
 * notification tells the same, and waits or was ignored by the operator.
 */
export type Unresolved = NoPlan | 'unusable_address' | 'unknown_payment' | 'told_already' | 'being_asked'

/** Why one is ignored for good that was about a payment which is unknown here to this day. Told again by a reconciliation, it is tried once more. */
export const NEVER_CAME = 'payment_never_came'

/** The status of what is not settled: with some of it nobody has anything to do (docs/decisions/0054). */
export function statusOf(why: Unresolved): 'unresolved' | 'ignored' {
  return why === 'unknown_payment' || why === 'told_already' ? 'ignored' : 'unresolved'
}

/** What a notification tells in the words of subscriptions, before it is known which plan was bought and whose the address is. */
export const told = z.object({
  /** `own`: the sender names its subscription. `buyer`: one for each buyer, product and plan. `gateway`: by the gateway's ids, one for a subscription or a single payment. */
  line: z.discriminatedUnion('by', [
    z.object({ by: z.literal('own'), ref: z.string() }),
    z.object({ by: z.literal('buyer'), productId: z.string(), planSlug: z.string() }),
    z.object({
      by: z.literal('gateway'),
      productId: z.string(),
      subscriptionId: z.string().optional(),
      paymentId: z.string().optional(),
      paymentAliases: z.array(z.string()),
    }),
  ]),
  plan: z.discriminatedUnion('by', [
    z.object({ by: z.literal('slug'), slug: z.string(), productId: z.string().optional() }),
    z.object({ by: z.literal('name'), name: z.string(), productId: z.string().optional() }),
    z.object({
      by: z.literal('gateway'),
      gateway: z.string(),
      productId: z.string(),
      slugs: z.array(z.string()),
      refs: z.array(z.string()),
      isOffer: z.boolean(),
    }),
  ]),
  /** The buyer's address as it was sent. */
  email: z.string().optional(),
  event: z.object({
    key: z.string(),
    kind: z.enum(PAYMENT_KINDS),
    /** Ms, as far as it can be believed. */
    at: z.number(),
    paymentId: z.string().optional(),
    /** Centavos. */
    amount: z.number().optional(),
    method: z.enum(METHODS).optional(),
    /** Ms. */
    periodEnd: z.number().optional(),
  }),
})
export type Told = z.infer<typeof told>

/** Something that another system told us about a payment, as it was received. */
export interface Notification {
  id: string
  /** `purchase`, or a gateway's name. */
  source: string
  /** The product whose address it came to, for a gateway. */
  productId: string | undefined
  /** The sender's word for what happened. */
  event: string
  status: NotificationStatus
  /** Why it is `unresolved`, `ignored` or `failed`. */
  why: string | undefined
  /** What it is about: the buyer's address. */
  subject: string | undefined
  /** Exactly the text that was verified. */
  payload: string
  /** The query that came with it, where that says something. */
  query: string | undefined
  subscriptionId: string | undefined
  /** Ms. */
  receivedAt: number
  /** Ms; when it got its present status, where that was not at once. */
  settledAt: number | undefined
}
