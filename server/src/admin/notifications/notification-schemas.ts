import { z } from 'zod'
import { NOTIFICATION_STATUSES } from '../../notifications/index.ts'
import { listQuery, moment } from '../api/list.ts'
import { reason } from '../users/user-schemas.ts'
import { EVIDENCE } from './suggest-users.ts'

const time = z.iso.datetime().nullable()
const status = z.enum(NOTIFICATION_STATUSES)

export const notificationListQuery = listQuery(
  { sorts: ['received_at'], usual: '-received_at' },
  {
    status: status.optional(),
    source: z.string().max(40).optional().describe("`purchase`, or a gateway's name"),
    product_id: z.uuid().optional(),
    email: z.string().max(254).optional().describe("the buyer's"),
    since: moment.optional(),
    until: moment.optional(),
  },
)

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

/** The possible buyers, where no account is linked. */
export const suggestedUsers = z
  .array(z.object({ id: z.uuid(), name: z.string(), email: z.string(), because: z.array(z.enum(EVIDENCE)) }))
  .describe('who may be the buyer, by the tax id, phone or name that came with it; none where the buyer is known, or for a viewer')

export const notificationDetailsSchema = notificationSchema
  .extend({
    payload: z.unknown().describe('exactly what was verified; without personal data for a viewer'),
    masked: z.boolean(),
    checks: z
      .array(z.object({ check: z.enum(['verified', 'stored', 'processed']), ok: z.boolean(), detail: z.string().nullable() }))
      .describe('what was looked at, in order'),
    changed: z
      .array(z.object({ subscription_id: z.string(), kind: z.string(), at: time, payment_id: z.string().nullable() }))
      .describe('what it brought to subscriptions'),
    suggested_users: suggestedUsers,
  })
  .meta({ id: 'NotificationDetails' })

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

export const notificationDetailsExample = {
  ...notificationExample,
  payload: { id: 'evt_1', type: 'invoice.paid' },
  masked: false,
  checks: [
    { check: 'verified', ok: true, detail: null },
    { check: 'stored', ok: true, detail: null },
    { check: 'processed', ok: true, detail: null },
  ],
  changed: [{ subscription_id: '0199c2b4-c222-7d30-8e40-5f6a7b8c9d0e', kind: 'paid', at: '2026-11-20T12:00:00.000Z', payment_id: 'pi_1' }],
  suggested_users: [],
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

export const replayBody = z.strictObject({
  since: moment.describe('every one that waits and was received since then'),
  reason: reason.optional(),
})
export const replaySchema = z.object({ processed: z.int(), pending: z.int(), why: z.record(z.string(), z.int()) })
