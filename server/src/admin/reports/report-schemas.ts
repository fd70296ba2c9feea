import { z } from 'zod'
import { parseMonth } from '../../reports/index.ts'

const count = z.int()
const amount = z.int()
const figuresSchema = z
  .object({
    active: count.describe('subscriptions that give access at the end of the last day'),
    active_paid: count,
    active_trial: count.describe('a payment of nothing'),
    active_granted: count.describe('given by the operator'),
    active_unpriced: count.describe('paid, of unknown amount or without an end: not in any `mrr`'),
    mrr: amount.describe('what is paid for a month of the subscriptions that are paid then'),
    new: count.describe('paid for the first time'),
    returned: count.describe('paid again after the access had ended'),
    lost: count.describe('paid until then'),
    plan_changed: count.describe('changed to this plan'),
    payments: count,
    payments_without_amount: count.describe('of unknown amount'),
    received: amount,
    refunds: count,
    refunded: amount,
    disputes: count.describe('opened'),
    disputed: amount.describe('of the disputes that were opened'),
    lost_in_disputes: amount,
    net: amount.describe('received without refunded and lost in disputes'),
  })
  .meta({ id: 'Figures' })
const activitySchema = z
  .object({
    new_users: count,
    sign_ins: count,
    sign_ins_by_method: z.record(z.string(), count).describe('`password`, `passkey` or `provider`'),
    failed_sign_ins: count.describe('a minute behind'),
    failed_sign_ins_by_kind: z.record(z.string(), count).describe('what was wrong'),
    failed_notifications: count.describe('that waited for the operator, or were given up, when their day was over'),
  })
  .meta({ id: 'Activity' })
const day = z.iso.date()
export const monthSchema = z
  .object({
    month: z.string(),
    time_zone: z.string(),
    currency: z.literal('BRL').describe('amounts are in its smallest unit'),
    from: day,
    to: day.describe('included; today at most'),
    is_complete: z.boolean().describe('the month is over, and everything is counted'),
    is_counting: z.boolean().describe('some purchases are not counted yet'),
    figures: figuresSchema,
    activity: activitySchema,
    before: z
      .object({ from: day, to: day, figures: figuresSchema, activity: activitySchema })
      .describe('the month before; as many days of it where this one is not over'),
    plans: z.array(
      z.object({
        product_id: z.string().nullable(),
        product: z.string().nullable().describe('slug'),
        plan_id: z.string().nullable(),
        plan_slug: z.string().nullable(),
        figures: figuresSchema,
        before: figuresSchema,
      }),
    ),
    other_currencies: z
      .array(
        z.object({
          currency: z.string().describe('ISO 4217; amounts are in its smallest unit'),
          figures: figuresSchema,
          before: figuresSchema,
        }),
      )
      .describe('what is paid in each other currency: its numbers of things are in `figures` too, its amounts are nowhere else'),
    days: z.array(z.object({ day, figures: figuresSchema })),
  })
  .meta({ id: 'MonthReport' })
const figures = {
  ...{ active: 31, active_paid: 28, active_trial: 2, active_granted: 1, active_unpriced: 0, mrr: 277_200 },
  ...{ new: 4, returned: 1, lost: 2, plan_changed: 1, payments: 29, payments_without_amount: 0, received: 287_100 },
  ...{ refunds: 1, refunded: 9_900, disputes: 0, disputed: 0, lost_in_disputes: 0, net: 277_200 },
}
const activity = {
  ...{
    new_users: 41,
    sign_ins: 1_204,
    sign_ins_by_method: { password: 1_204 },
    failed_sign_ins: 87,
    failed_sign_ins_by_kind: { wrong_credentials: 87 },
  },
  failed_notifications: 2,
}
const inDollars = {
  ...{ ...figures, active: 1, active_paid: 1, active_trial: 0, active_granted: 0, mrr: 1_990, new: 1, returned: 0, lost: 0 },
  ...{ plan_changed: 0, payments: 1, received: 1_990, refunds: 0, refunded: 0, net: 1_990 },
}
export const monthExample = {
  ...{ month: '2026-10', time_zone: 'America/Sao_Paulo', currency: 'BRL', from: '2026-10-01', to: '2026-10-31' },
  ...{ is_complete: true, is_counting: false, figures, activity },
  before: { from: '2026-09-01', to: '2026-09-30', figures, activity },
  plans: [
    {
      ...{ product_id: '0199c2b4-a001-7c20-9d30-4e5f6a7b8c9d', product: 'notes' },
      ...{ plan_id: '0199c2b4-a002-7c20-9d30-4e5f6a7b8c9d', plan_slug: 'easy-pro' },
      ...{ figures, before: figures },
    },
  ],
  other_currencies: [{ currency: 'USD', figures: inDollars, before: inDollars }],
  days: [{ day: '2026-10-01', figures }],
}
export const monthQuery = z.strictObject({
  month: z
    .string()
    .refine((text) => parseMonth(text) !== undefined)
    .optional()
    .describe('as `2026-10`; the month of now where none is given'),
})

export const zoneBody = z.strictObject({ time_zone: z.string().max(64).describe('as the tz database writes it: `America/Manaus`') })
export const zoneSchema = z.object({ time_zone: z.string() }).meta({ id: 'TimeZone' })
