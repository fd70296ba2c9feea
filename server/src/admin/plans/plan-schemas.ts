import { z } from 'zod'
import { GATEWAYS } from '../../products/index.ts'
import { BELOW_PRICE } from '../../subscriptions/index.ts'
import { flag, listQuery } from '../api/list.ts'
import { reason } from '../api/request/reason.ts'

const MAX_CENTAVOS = 100_000_000_000
const MAX_REFS = 200

const price = z.int().min(0).max(MAX_CENTAVOS).describe('centavos: 9900 is R$ 99,00')
const belowPrice = z
  .enum(BELOW_PRICE)
  .describe('what becomes of a payment below the price: it is applied, or waits for the operator, for plans that nobody gets for less')
const gatewayRefs = z
  .array(z.strictObject({ gateway: z.enum(GATEWAYS), ref: z.string().regex(/^[^\s\p{Cc}]{1,200}$/u) }))
  .max(MAX_REFS)
  .refine((refs) => new Set(refs.map(({ gateway, ref }) => `${gateway}:${ref}`)).size === refs.length)
  .describe('how gateways name what buys the plan: a price, a product, a payment link; all of them as they are to be')

export const planSchema = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    price: z.int(),
    below_price: belowPrice,
    product: z.string().nullable().describe('slug of the product it belongs to; null: a plan of the operator'),
    gateway_refs: z.array(z.object({ gateway: z.string(), ref: z.string() })),
  })
  .meta({ id: 'AdminPlan' })

export const planListQuery = listQuery(
  { sorts: ['price', 'slug', 'name'], usual: 'price' },
  {
    q: z.string().trim().min(1).max(100).optional().describe('a part of the slug or the name'),
    product: z.string().max(64).optional().describe('slug of a product: its plans alone'),
    operator: flag.optional().describe("true: the operator's plans alone; false: those of products"),
  },
)

export const createPlanBody = z.strictObject({
  slug: z.string(),
  name: z.string(),
  price,
  below_price: belowPrice.optional(),
  product: z.string().max(64).nullable().optional().describe("slug of the product; without one it is a plan of the operator's"),
  gateway_refs: gatewayRefs.optional(),
  reason: reason.optional(),
})

export const changePlanBody = z.strictObject({
  name: z.string().optional(),
  price: price.optional(),
  below_price: belowPrice.optional(),
  gateway_refs: gatewayRefs.optional(),
  reason: reason.optional(),
})

export const planExample = {
  id: '0199c2b4-5f01-7c3a-b4d5-e6f708192a3b',
  slug: 'easy-pro',
  name: 'Easy Pro',
  price: 9900,
  below_price: 'apply' as const,
  product: null,
  gateway_refs: [{ gateway: 'stripe', ref: 'price_123' }],
}
