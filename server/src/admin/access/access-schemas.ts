import { z } from 'zod'
import { PAYMENT_KINDS } from '../../payment-history/index.ts'
import { ACCESS_REASONS, SUBSCRIPTION_STATES } from '../../subscriptions/index.ts'
import { EVIDENCE } from '../buyers/evidence.ts'

const time = z.iso.datetime().nullable()

/** An amount paid in another currency, as an answer has it. */
export const foreignAmount = z
  .string()
  .nullable()
  .describe('what was paid in another currency than reais, in its smallest unit, as `USD 4900`; `amount` is null then')

/** The fields of a purchase in a row of access, whether it is linked to the user or not. */
const purchase = z.object({
  product: z.string().nullable().describe("slug; null: a plan of the operator's, which internal apps hear of with the session"),
  product_id: z.string().nullable(),
  product_name: z.string().nullable(),
  active: z.boolean(),
  status: z.enum(SUBSCRIPTION_STATES),
  reason: z.enum(ACCESS_REASONS).describe('why, as check-access answers it'),
  plan_slug: z.string().nullable(),
  plan_name: z.string().nullable(),
  amount: z.int().nullable().describe('centavos of the payment that it is about, where it says so'),
  foreign_amount: foreignAmount,
  method: z.string().nullable(),
  current_period_end: time,
  grace_until: time,
  subscription_id: z.uuid().describe('what it rests on'),
  event: z.enum(PAYMENT_KINDS).nullable().describe('the event that decided it; null where a time ran out without one'),
  event_at: time,
  by_operator: z.boolean().describe('an administrator made that event, no payment did'),
  notification_id: z.string().nullable().describe('the notification that brought it'),
})

const evidence = z.array(z.enum(EVIDENCE)).describe('what speaks for it, the strongest first')

export const userAccessSchema = z
  .object({
    locked: z.boolean().describe('the account is closed: apps are answered no access, whatever the rows say'),
    address_verified: z.boolean().describe('purchases go to whoever has verified their address'),
    products: z
      .array(purchase.extend({ others: z.int().describe('further subscriptions of the user there, which decide nothing') }))
      .describe('one a product that the user has bought, those with access first'),
    unlinked: z
      .array(
        purchase.extend({
          email: z.string().nullable().describe('with which it was bought'),
          user_id: z.string().nullable().describe('whose it is, where it is somebody’s'),
          link_closed_at: time.describe('the operator took it from an account'),
          because: evidence,
        }),
      )
      .describe('purchases that may be theirs, the likeliest first; a viewer sees those of the same address'),
    waiting: z
      .array(
        z.object({
          notification_id: z.uuid(),
          source: z.string(),
          event: z.string(),
          status: z.string(),
          why: z.string().nullable(),
          product: z.string().nullable(),
          product_name: z.string().nullable(),
          received_at: time,
          because: evidence,
        }),
      )
      .describe('notifications of payments that are not applied and may be about them'),
  })
  .meta({ id: 'UserAccess' })

export const userAccessExample = {
  locked: false,
  address_verified: true,
  products: [
    {
      product: 'clube',
      product_id: '0199c2b4-e444-7f50-9060-7b8c9d0e1f20',
      product_name: 'Clube do Livro',
      active: false,
      status: 'refunded',
      reason: 'refunded',
      plan_slug: 'clube-anual',
      plan_name: 'Clube anual',
      amount: 39_900,
      foreign_amount: null,
      method: 'card',
      current_period_end: '2027-11-02T12:00:00.000Z',
      grace_until: null,
      subscription_id: '0199c2b4-c222-7d30-8e40-5f6a7b8c9d0e',
      event: 'refunded',
      event_at: '2026-11-16T12:00:00.000Z',
      by_operator: false,
      notification_id: '0199c2b4-d333-7e40-8f50-6a7b8c9d0e1f',
      others: 0,
    },
  ],
  unlinked: [],
  waiting: [],
}
