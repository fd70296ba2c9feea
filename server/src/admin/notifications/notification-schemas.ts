import { z } from 'zod'
import { NOTIFICATION_STATUSES } from '../../notifications/index.ts'
import { reason } from '../api/request/reason.ts'

export const time = z.iso.datetime().nullable()
export const status = z.enum(NOTIFICATION_STATUSES)

export const notificationSchema = z
  .object({
    id: z.uuid(),
    source: z.string(),
    event: z.string().describe("the sender's word for what happened"),
    status,
    subject: z.string().nullable().describe("the buyer's address"),
    received_at: time,
    why: z.string().nullable().describe('why it is unresolved, ignored, failed or refused; of a refused one the fields at fault'),
    product_id: z.string().nullable(),
    subscription_id: z.string().nullable(),
    processed_at: time,
    paid_amount: z.int().nullable().describe('centavos that were paid, where that is not the price of the plan; else null'),
    plan_price: z.int().nullable().describe('centavos: the price of the plan at that moment, where something else was paid; else null'),
  })
  .meta({ id: 'Notification' })

export const notificationExample = {
  id: '0199c2b4-d333-7e40-8f50-6a7b8c9d0e1f',
  source: 'stripe',
  event: 'invoice.paid',
  status: 'processed',
  subject: 'ana@example.com',
  received_at: '2026-11-20T12:00:00.000Z',
  why: null,
  product_id: '0199c2b4-e444-7f50-9060-7b8c9d0e1f20',
  subscription_id: '0199c2b4-c222-7d30-8e40-5f6a7b8c9d0e',
  processed_at: null,
  paid_amount: null,
  plan_price: null,
}

/** The operator's answers for a pending one, or that nothing is to be done. */
export const resolveBody = z
  .strictObject({
    plan: z.string().max(64).optional().describe('slug of the plan that was bought'),
    product: z.string().max(64).optional().describe('slug of the product that it was bought for'),
    email: z.string().max(254).optional().describe("the buyer's address"),
    reason: reason.optional(),
  })
  .refine(({ plan, product, email }) => plan !== undefined || product !== undefined || email !== undefined)
