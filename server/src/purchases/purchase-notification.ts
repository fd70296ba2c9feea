import { z } from 'zod'
import type { NormalizedEvent, PaymentKind } from '../payment-history/index.ts'
import { purchaseFaults } from './purchase-faults.ts'
import { type PurchaseEvent, type PurchaseNotification, purchaseForm } from './purchase-forms.ts'

type LaterNotification = Exclude<PurchaseNotification, { event: 'purchase.completed' }>

/** Reads the verified text, or answers its errors. `body` is all of it, parsed. */
export function parsePurchase(signedText: string): { purchase: PurchaseNotification; body: unknown } | { faults: string[] } {
  const body: unknown = JSON.parse(signedText)
  const read = purchaseForm.safeParse(body)
  return read.success ? { purchase: read.data, body } : { faults: purchaseFaults(read.error, body) }
}

export function isTest(purchase: PurchaseNotification): boolean {
  if (purchase.event !== 'purchase.completed') return purchase.data.is_test
  return purchase.is_test === true || purchase.data?.is_test === true
}

/** The buyer's address as sent; without one, the sender's id of the subscription. */
export function subjectOf(purchase: PurchaseNotification): string {
  if (purchase.event === 'purchase.completed') return purchase.customer.email
  return purchase.data.user_email ?? purchase.data.subscription_id ?? ''
}

/** Event and buyer's address of an invalid purchase notification, as far as present. */
export function outlineOf(signedText: string): { event: string; subject: string | undefined } {
  const { event, subject } = outline.parse(JSON.parse(signedText))
  return { event: readable(event ?? '').slice(0, 100), subject }
}

const anyText = z.string().optional().catch(undefined)
const outline = z
  .object({
    event: anyText,
    customer: z.object({ email: anyText }).optional().catch(undefined),
    data: z.object({ user_email: anyText, subscription_id: anyText }).optional().catch(undefined),
  })
  .transform(({ event, customer, data }) => ({ event, subject: customer?.email ?? data?.user_email ?? data?.subscription_id }))

/** The event of a purchase notification. `time`: as far as it can be believed; `key`: equal for duplicates. */
export function normalizeNotification(
  purchase: PurchaseNotification,
  { source, key, time }: { source: string; key: string; time: { at: number; statedAt?: number } },
): NormalizedEvent {
  const kind = kindOf(purchase)
  const { payment_id, period_start, period_end, amount } = purchase.data ?? {}
  const named = payment_id == null ? undefined : `own:${payment_id}`
  const event = {
    key,
    kind,
    ...time,
    // Every payment has an id; an event without one concerns the payment before it.
    paymentId: named ?? (kind === 'paid' ? key : undefined),
    periodStart: period_start ?? undefined,
    periodEnd: period_end ?? undefined,
    amount: amount ?? undefined,
  }
  const normalized = purchase.event === 'purchase.completed' ? normalizePurchase(purchase, event) : normalizeSubscription(purchase, event)
  return atGateway(normalized, purchase, source)
}

/** An event that names a gateway's payment is recorded about that payment: so the gateway's own events belong to the same purchase. */
function atGateway(normalized: NormalizedEvent, { data }: PurchaseNotification, source: string): NormalizedEvent {
  const { gateway, gateway_payment_id: paymentId } = data ?? {}
  const { stream } = normalized
  const { productId } = normalized.plan
  if (!gateway || !paymentId || productId === undefined || stream.by === 'gateway') return normalized
  return { ...normalized, stream: { by: 'gateway', productId, paymentId, paymentAliases: [], own: { gateway, source, stream } } }
}

function normalizePurchase(
  purchase: PurchaseNotification & { event: 'purchase.completed' },
  event: NormalizedEvent['event'],
): NormalizedEvent {
  const { id: productId, plan_slug: planSlug } = purchase.product
  return {
    stream: { by: 'buyer', productId, planSlug: readable(planSlug) },
    plan: { by: 'slug', slug: planSlug, productId },
    email: purchase.customer.email,
    event,
  }
}

function normalizeSubscription({ data }: LaterNotification, event: NormalizedEvent['event']): NormalizedEvent {
  const { subscription_id, product_name, user_email } = data
  const productId = data.product_id ?? undefined
  const planSlug = 'plan_slug' in data ? (data.plan_slug ?? undefined) : undefined
  return {
    stream:
      subscription_id == null
        ? { by: 'buyer', productId: productId ?? '', planSlug: readable(planSlug ?? '') }
        : { by: 'own', ref: subscription_id },
    plan: planSlug === undefined ? { by: 'name', name: product_name ?? '', productId } : { by: 'slug', slug: planSlug, productId },
    email: user_email ?? undefined,
    event,
  }
}

const kinds = {
  'purchase.completed': 'paid',
  'subscription.activated': 'paid',
  'subscription.renewed': 'paid',
  'subscription.canceled': 'canceled',
  'subscription.ended': 'ended',
  'payment.failed': 'payment_failed',
  'payment.refunded': 'refunded',
  'payment.disputed': 'disputed',
} as const satisfies Record<PurchaseEvent, PaymentKind>

function kindOf(purchase: PurchaseNotification): PaymentKind {
  const { event, data } = purchase
  if (event === 'payment.refunded' && data.is_partial) return 'partially_refunded'
  if (event === 'payment.disputed' && data.outcome) return `dispute_${data.outcome}`
  return kinds[event]
}

/** Replaces a text that is no address or slug: short, and without characters that a database refuses (a null byte). */
export function readable(text: string): string {
  return text
    .trim()
    .slice(0, 254)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
