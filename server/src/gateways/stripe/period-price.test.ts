import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StripeEvent } from './event.ts'
import { parseInvoice } from './invoice.ts'
import { periodPriceOf } from './period-price.ts'

const SUBSCRIPTION = 'sub_1'
const CREATED = 1_793_000_000
const MONTH = 30 * 86_400

interface Line {
  amount: number
  isRest?: boolean
  /** Days after the beginning of the period. */
  from?: number
  discount?: number
  item?: string
}

/** An invoice made now, whose lines are for the month to come. */
function invoiceOf(lines: readonly Line[], { paid, ...more }: { paid: number; total?: number } & Record<string, unknown>) {
  return {
    id: 'in_1',
    object: 'invoice',
    status: 'paid',
    created: CREATED,
    currency: 'brl',
    amount_paid: paid,
    parent: { subscription_details: { subscription: SUBSCRIPTION } },
    lines: {
      data: lines.map(({ amount, isRest = false, from = 0, discount, item }) => ({
        amount,
        ...(discount !== undefined && { discount_amounts: [{ amount: discount, discount: 'di_1' }] }),
        period: { start: CREATED + from * 86_400, end: CREATED + MONTH },
        parent: { subscription_item_details: { subscription: SUBSCRIPTION, proration: isRest, ...(item && { subscription_item: item }) } },
      })),
    },
    ...more,
  }
}

function paidEvent(object: object): StripeEvent {
  return { id: 'evt_1', type: 'invoice.paid', at: CREATED * 1000, isOfOtherAccount: false, isTest: false, object, before: undefined }
}

describe('The price of the period of a Stripe invoice', () => {
  const same: Array<[name: string, invoice: object]> = [
    ['paid in money', invoiceOf([{ amount: 4_900 }], { paid: 4_900, total: 4_900 })],
    ['of a trial', invoiceOf([{ amount: 0 }], { paid: 0, total: 0 })],
    ['with a discount of all', invoiceOf([{ amount: 4_900, discount: 4_900 }], { paid: 0, total: 0 })],
    ['with a discount of all that its lines don’t say', invoiceOf([{ amount: 4_900 }], { paid: 0, total: 0 })],
    ['with a discount of a part', invoiceOf([{ amount: 4_900, discount: 900 }], { paid: 4_000, total: 4_000 })],
    ['with a tax beside the price', invoiceOf([{ amount: 4_900 }], { paid: 5_390, total: 5_390 })],
    [
      'that the seller waived by a credit note',
      invoiceOf([{ amount: 4_900 }], { paid: 0, total: 4_900, pre_payment_credit_notes_amount: 4_900 }),
    ],
    ['without a total', invoiceOf([{ amount: 4_900 }], { paid: 2_000 })],
    [
      'whose lines come to less than nothing for the rest of another',
      invoiceOf([{ amount: 100 }, { amount: 900, isRest: true }], { paid: 500, total: 500 }),
    ],
  ]
  for (const [name, invoice] of same)
    it(`is what was paid: ${name}`, () => {
      assert.equal(periodPriceOf(invoice, SUBSCRIPTION), undefined)
    })

  const others: Array<[name: string, price: number, invoice: object]> = [
    ['a renewal that the balance pays', 4_900, invoiceOf([{ amount: 4_900 }], { paid: 0, total: 4_900 })],
    ['a renewal that the balance pays in part', 4_900, invoiceOf([{ amount: 4_900 }], { paid: 2_900, total: 4_900 })],
    ['a discounted one that the balance pays', 4_000, invoiceOf([{ amount: 4_900, discount: 900 }], { paid: 0, total: 4_000 })],
    [
      'an upgrade billed at once',
      4_950,
      invoiceOf(
        [
          { amount: 4_950, isRest: true },
          { amount: -2_450, isRest: true },
        ],
        { paid: 2_500, total: 2_500 },
      ),
    ],
    [
      'a downgrade billed at once',
      2_450,
      invoiceOf(
        [
          { amount: 2_450, isRest: true },
          { amount: -4_950, isRest: true },
        ],
        { paid: 0, total: -2_500 },
      ),
    ],
    [
      'a renewal with the credit of a downgrade',
      4_900,
      invoiceOf([{ amount: 4_900 }, { amount: 2_450, isRest: true }, { amount: -4_950, isRest: true }], { paid: 2_400, total: 2_400 }),
    ],
    [
      'a renewal with the rest of an upgrade',
      9_900,
      invoiceOf([{ amount: 9_900 }, { amount: 4_950, isRest: true }, { amount: -2_450, isRest: true }], { paid: 12_400, total: 12_400 }),
    ],
    [
      'a month paid by the credit of a year',
      4_900,
      invoiceOf([{ amount: 4_900 }, { amount: -50_000, isRest: true }], { paid: 0, total: -45_100 }),
    ],
    [
      'a change that was taken back, billed together',
      4_900,
      invoiceOf(
        [
          { amount: -4_900, isRest: true },
          { amount: 9_900, isRest: true },
          { amount: -9_900, isRest: true, from: 1 },
          { amount: 4_900, isRest: true, from: 1 },
        ],
        { paid: 0, total: 0 },
      ),
    ],
    [
      'the same where each plan is another item',
      4_900,
      invoiceOf(
        [
          { amount: -4_900, isRest: true, item: 'si_1' },
          { amount: 9_900, isRest: true, item: 'si_2' },
          { amount: -9_900, isRest: true, from: 1, item: 'si_2' },
          { amount: 4_900, isRest: true, from: 1, item: 'si_3' },
        ],
        { paid: 0, total: 0 },
      ),
    ],
    [
      'changes of two items on two days',
      5_900,
      invoiceOf(
        [
          { amount: -1_000, isRest: true, item: 'si_1' },
          { amount: 4_900, isRest: true, item: 'si_1' },
          { amount: -500, isRest: true, from: 1, item: 'si_2' },
          { amount: 1_000, isRest: true, from: 1, item: 'si_2' },
        ],
        { paid: 4_400, total: 4_400 },
      ),
    ],
    ['one with a debt of the customer', 4_900, invoiceOf([{ amount: 4_900 }], { paid: 4_930, total: 4_900 })],
    [
      'a period for nothing with the rest of another',
      0,
      invoiceOf(
        [
          { amount: 4_900, discount: 4_900 },
          { amount: 2_450, isRest: true },
        ],
        { paid: 2_450, total: 2_450 },
      ),
    ],
    ['less than Stripe charges', 30, invoiceOf([{ amount: 30 }], { paid: 0, total: 30 })],
  ]
  for (const [name, price, invoice] of others)
    it(`is another than what was paid: ${name}`, () => {
      assert.equal(periodPriceOf(invoice, SUBSCRIPTION), price)
      const event = parseInvoice(paidEvent(invoice))
      assert.ok(event !== 'ignored')
      assert.deepEqual([event.kind, event.periodPrice], ['paid', price])
    })

  it('of an item that was changed and then left is that of the change, which still pays for a period', () => {
    const lines = [
      { amount: -1_000, isRest: true, item: 'si_1' },
      { amount: 4_900, isRest: true, item: 'si_1' },
      { amount: -3_000, isRest: true, from: 1, item: 'si_1' },
    ]
    const event = parseInvoice(paidEvent(invoiceOf(lines, { paid: 900, total: 900 })))
    assert.ok(event !== 'ignored')
    assert.deepEqual([event.amount, event.periodPrice, event.periodEnd], [900, 4_900, (CREATED + MONTH) * 1000])
  })

  it('is in the smallest unit of its currency, and none where that is unknown', () => {
    const priceIn = (currency: string) => {
      const object = invoiceOf([{ amount: 490_000 }], { paid: 0, total: 490_000, currency })
      const event = parseInvoice(paidEvent(object))
      return event === 'ignored' ? event : event.periodPrice
    }
    assert.deepEqual(['brl', 'usd', 'isk', 'jpy', 'xyz'].map(priceIn), [490_000, 490_000, 4_900, 490_000, undefined])
  })
})
