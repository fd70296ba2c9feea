import { z } from 'zod'
import { CHANGES, REAIS } from '../../reports/index.ts'
import { SUBSCRIPTION_STATES } from '../../subscriptions/index.ts'
import { foreignAmount } from '../access/access-schemas.ts'
import { flag, idOrNone, lastMoment, listQuery, moment } from '../api/list.ts'
import { reason } from '../api/request/reason.ts'
import { suggestedUsers } from '../notifications/notification-details-schema.ts'

const time = z.iso.datetime().nullable()

export const subscriptionListQuery = listQuery(
  { sorts: ['created_at'], usual: '-created_at' },
  {
    user_id: z.uuid().optional(),
    email: z.string().max(254).optional().describe("the buyer's"),
    product_id: idOrNone.optional().describe('`none`: those of no product'),
    plan_id: idOrNone
      .optional()
      .describe(
        'the plan of now; with `changed` the one with which the change is counted, with `active_on` the one of that day, with both the one and the other. `none`: no plan',
      ),
    state: z
      .enum(SUBSCRIPTION_STATES)
      .optional()
      .describe('by its last event: a subscription that ran out without events is found as active, while its `status` is expired'),
    guest: flag.optional().describe('no account has it'),
    since: moment.optional(),
    until: lastMoment.optional(),
    changed: z
      .enum(CHANGES)
      .optional()
      .describe('counted so by the reports, on the days from `changed_since` to `changed_until`; in the order of those days'),
    changed_since: moment.optional().describe('a moment of the first day, in the operator’s time zone'),
    changed_until: moment.optional().describe('a moment of the last day, or the end of it'),
    active_on: z.iso
      .date()
      .optional()
      .describe(
        'gives access at the end of that day of the operator’s time zone, as the reports count it, with the plan of `plan_id` then; in the order in which that access began. Of a day to come: if nothing happens until then',
      ),
    figure: z
      .enum(['mrr'])
      .optional()
      .describe(
        'with `active_on`: those whose amount for a month is in that figure, each with its `monthly_amount`; in the order in which they began to count with that plan and amount',
      ),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional()
      .describe(`with \`figure\`: ISO 4217; ${REAIS} where none is given`),
  },
)

export const grantBody = z.strictObject({
  user: z.string().min(1).max(254).describe('the account, by id or address'),
  plan_id: z.uuid(),
  product_id: z.uuid().optional().describe("of a plan of the operator: the product that it applies to; a product's own plan has it"),
  until: z.iso.datetime({ offset: true }).optional().describe('ends then, without grace; absent: until it is ended'),
  reason,
})

const subscriptionSchema = z.object({
  id: z.uuid(),
  state: z.enum(SUBSCRIPTION_STATES),
  active: z.boolean(),
  status: z.string(),
  reason: z.string(),
  plan_slug: z.string().nullable(),
  product: z.string().nullable(),
  product_id: z.string().nullable(),
  email: z.string().nullable(),
  user_id: z.string().nullable(),
  product_user: z.string().nullable(),
  link_closed_at: time,
  amount: z.int().nullable().describe('centavos, of the payment on which its access rests or rested'),
  foreign_amount: foreignAmount,
  method: z.string().nullable(),
  current_period_end: time,
  grace_until: time,
  changed_at: time,
})

export const listedSchema = subscriptionSchema
  .extend({
    monthly_amount: z
      .int()
      .nullable()
      .describe('with `figure=mrr`: the amount for one month with which it counts, in the smallest unit of the currency; else null'),
    monthly_currency: z.string().nullable().describe('of `monthly_amount`, ISO 4217'),
  })
  .meta({ id: 'Subscription' })

const eventSchema = z.object({
  at: time,
  kind: z.string(),
  key: z.string(),
  plan_slug: z.string().nullable(),
  payment_id: z.string().nullable(),
  amount: z.int().nullable().describe('centavos'),
  foreign_amount: foreignAmount,
  method: z.string().nullable(),
  period_end: time,
  notification_id: z.string().nullable(),
})

export const subscriptionHistorySchema = subscriptionSchema
  .extend({
    suggested_users: suggestedUsers,
    source: z.string(),
    ref: z.string(),
    number: z.int(),
    is_newest: z.boolean().describe('only the newest of a line moves'),
    buyer_forgotten_at: time,
    events: z.array(eventSchema),
  })
  .meta({ id: 'SubscriptionHistory' })

const subscriptionExample = {
  id: '0199c2b4-c222-7d30-8e40-5f6a7b8c9d0e',
  state: 'active',
  active: true,
  status: 'active',
  reason: 'paid',
  plan_slug: 'easy-pro',
  product: null,
  product_id: null,
  email: 'ana@example.com',
  user_id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  product_user: null,
  link_closed_at: null,
  amount: 9900,
  foreign_amount: null,
  method: 'pix',
  current_period_end: '2026-12-20T12:00:00.000Z',
  grace_until: null,
  changed_at: '2026-11-20T12:00:00.000Z',
}

export const listedExample = { ...subscriptionExample, monthly_amount: null, monthly_currency: null }

export const historyExample = {
  ...subscriptionExample,
  suggested_users: [],
  source: 'purchase',
  ref: 'sub-1',
  number: 0,
  is_newest: true,
  buyer_forgotten_at: null,
  events: [],
}

export const unlinkBody = z.strictObject({
  links: z
    .array(z.enum(['account', 'product_user']))
    .min(1)
    .default(['account', 'product_user']),
  reason,
})
export const moveBody = z.strictObject({ to: z.string().max(254).describe('the account, by id or address'), reason })
