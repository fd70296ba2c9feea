import { z } from 'zod'
import type { Told } from '../notifications/index.ts'

/** The contract's two forms of a purchase notification, without their signature. Fields beside these are allowed and ignored. */
const text = z.string().nullish()
const uuid = z.guid().transform((id) => id.toLowerCase())
const time = z
  .string()
  .transform(inFull)
  .pipe(z.iso.datetime({ offset: true }))
  .transform((iso) => Date.parse(iso))
/** Something on both sides of an @: whether it can be an account's address is seen later, and costs no buyer a purchase. */
const address = z
  .string()
  .max(1_000)
  .regex(/^\s*\S.*@.*\S\s*$/s)

const completed = z.object({
  event: z.literal('purchase.completed'),
  customer: z.object({ email: address, name: text, phone: text }),
  product: z.object({ id: uuid, plan_slug: z.string().min(1).max(200) }),
  company: z.object({ name: text, cnpj: text }).nullish(),
  data: z.object({ is_test: z.boolean().nullish() }).nullish(),
  is_test: z.boolean().nullish(),
  timestamp: time,
})

const activated = z.object({
  event: z.literal('subscription.activated'),
  data: z.object({
    subscription_id: uuid,
    product_id: uuid.nullish(),
    product_name: z.string().min(1).max(200),
    user_email: address,
    user_name: text,
    amount: z.int().nonnegative(),
    frequency: text,
    started_at: time.nullish(),
    is_test: z.boolean(),
  }),
  timestamp: time,
})

const notification = z.discriminatedUnion('event', [completed, activated])
export type PurchaseNotification = z.infer<typeof notification>

/** Reads the text that was verified; `undefined` for an unknown event, and for a field that is missing or not what it should be. */
export function parsePurchase(signedText: string): PurchaseNotification | undefined {
  return notification.safeParse(JSON.parse(signedText)).data
}

export function isTest(purchase: PurchaseNotification): boolean {
  if (purchase.event === 'subscription.activated') return purchase.data.is_test
  return purchase.is_test === true || purchase.data?.is_test === true
}

/** The buyer's address as it was sent. */
export function buyerOf(purchase: PurchaseNotification): string {
  return purchase.event === 'purchase.completed' ? purchase.customer.email : purchase.data.user_email
}

/** What a purchase notification tells. `at`: its time in ms as far as it can be believed; `key`: the same for the same notification. */
export function tell(purchase: PurchaseNotification, { key, at }: { key: string; at: number }): Told {
  const event = { key, kind: 'paid', at, paymentId: key } as const
  if (purchase.event === 'purchase.completed') {
    const { id: productId, plan_slug: planSlug } = purchase.product
    return {
      line: { by: 'buyer', productId, planSlug },
      plan: { by: 'slug', slug: planSlug, productId },
      email: purchase.customer.email,
      event,
    }
  }
  const { subscription_id, product_id, product_name, user_email, amount } = purchase.data
  return {
    line: { by: 'own', ref: subscription_id },
    plan: { by: 'name', name: product_name, productId: product_id ?? undefined },
    email: user_email,
    event: { ...event, amount },
  }
}

/** ISO 8601 lets seconds, minutes of the offset and its colon be left out. A time without a zone is taken as UTC, as the contract's own samples are. */
function inFull(iso: string): string {
  return iso
    .replace(/T\d\d:\d\d(?=Z|[+-]|$)/, '$&:00')
    .replace(/([+-]\d\d):?(\d\d)?$/, (text, hours, minutes = '00') => (iso.includes('T') ? `${hours}:${minutes}` : text))
    .replace(/T[\d:.]+$/, '$&Z')
}
