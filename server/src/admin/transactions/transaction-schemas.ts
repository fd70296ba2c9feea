import { z } from 'zod'
import { MONEY_KINDS, PARTS_OF_NET, REAIS } from '../../reports/index.ts'
import { idOrNone, listQuery, moment } from '../api/list.ts'

export const transactionListQuery = listQuery(
  { sorts: ['at'], usual: '-at' },
  {
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .default(REAIS)
      .describe(`ISO 4217; ${REAIS} where none is given: amounts of several currencies are never in one list`),
    figure: z.enum(PARTS_OF_NET).optional().describe('the figure of the reports that it is a part of; absent: all that make up `net`'),
    plan_id: idOrNone.optional().describe('with which the reports count it: that of its payment. `none`: those without a plan'),
    product_id: idOrNone.optional().describe('`none`: those of no product'),
    since: moment.optional(),
    until: moment.optional(),
  },
)

export const transactionSchema = z
  .object({
    id: z.string().describe('for as long as nothing else is reported of the purchase'),
    at: z.iso.datetime().describe('when it happened, which may be long before it was reported'),
    kind: z
      .enum(MONEY_KINDS)
      .describe('`payment_undone`: it was noted by mistake. `refund_failed` and `dispute_won`: the money stays with the seller'),
    amount: z
      .int()
      .nullable()
      .describe(
        'in the smallest unit of the currency, negative where money goes back; null where nobody says how much: it counts as nothing',
      ),
    currency: z.string(),
    payment_id: z.string().nullable().describe("the gateway's or the checkout's"),
    subscription_id: z.uuid(),
    plan_slug: z.string().nullable(),
    product: z.string().nullable(),
    product_id: z.string().nullable(),
    email: z.string().nullable().describe("the buyer's"),
    user_id: z.string().nullable(),
  })
  .meta({ id: 'Transaction' })

export const transactionExample = {
  id: '0199c2b4-c111-7d30-8e40-5f6a7b8c9d0e.1',
  at: '2026-11-24T15:12:09.000Z',
  kind: 'refund',
  amount: -9900,
  currency: REAIS,
  payment_id: 'pay_8213',
  subscription_id: '0199c2b4-c222-7d30-8e40-5f6a7b8c9d0e',
  plan_slug: 'easy-pro',
  product: 'notes',
  product_id: '0199c2b4-a001-7c20-9d30-4e5f6a7b8c9d',
  email: 'ana@example.com',
  user_id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
}
