import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inOrder, type PaymentEvent, type PaymentKind } from '../payment-history/index.ts'
import type { Movement } from './money/paid.ts'
import { movementsOf } from './money.ts'

const PAID = 9_900

/** An event at a day, of the payment `p1` where no other is named. */
function event(kind: PaymentKind, at: number, more: Partial<PaymentEvent> = {}): PaymentEvent {
  const nothing = {
    planId: undefined,
    email: undefined,
    amount: undefined,
    method: undefined,
    periodStart: undefined,
    periodEnd: undefined,
  }
  return { ...nothing, key: `${kind} ${at}`, paymentId: 'p1', kind, at, ...more }
}
const paid = (at: number, more: Partial<PaymentEvent> = {}) => event('paid', at, { amount: PAID, ...more })

/** The movements as `day name value`. */
const moved = (...events: PaymentEvent[]) =>
  movementsOf(inOrder(events)).map(
    ({ at, name, currency, value }: Movement) => `${at} ${name} ${value}${currency === 'BRL' ? '' : ` ${currency}`}`,
  )
const RECEIVED = ['1 payments 1', `1 received ${PAID}`]

describe('The money of a purchase', () => {
  it('is received once, on the day of the first report, with the largest amount that is stated', () => {
    assert.deepEqual(moved(paid(1, { amount: 5_000 }), paid(2)), RECEIVED)
    assert.deepEqual(moved(paid(1), paid(1, { key: 'other name' }), event('payment_failed', 2)), RECEIVED)
    assert.deepEqual(moved(paid(1), paid(2, { paymentId: 'p2', key: 'second' })), [...RECEIVED, '2 payments 1', `2 received ${PAID}`])
  })

  it('is none where nothing was paid: a trial, a grant, a bill that is waived or only asked for', () => {
    const kinds: PaymentKind[] = ['granted', 'payment_waived', 'payment_pending', 'payment_failed', 'canceled', 'ended', 'refunded']
    for (const kind of kinds) assert.deepEqual(moved(event(kind, 1, { amount: PAID })), [], kind)
    assert.deepEqual(moved(paid(1, { amount: 0 }), event('refunded', 2)), ['2 refunds 1'])
  })

  it('is of its own currency, whose refunds are of it too', () => {
    const dollars = (amount: number) => ({ amount: undefined, foreign: { currency: 'USD', amount } })
    const received = ['1 payments 1 USD', '1 received 1990 USD']
    const euros = { foreign: { currency: 'EUR', amount: 100 } }
    assert.deepEqual(moved(paid(1, dollars(1_990)), event('refunded', 2, dollars(500)), event('disputed', 3)), [
      ...received,
      ...['2 refunds 1 USD', '2 refunded 500 USD', '3 disputes 1 USD', '3 disputed 1490 USD'],
    ])
    // An amount in another currency than the payment's says nothing of how much of it was given back.
    assert.deepEqual(moved(paid(1, dollars(1_990)), event('refunded', 2, euros)), [...received, '2 refunds 1 USD', '2 refunded 1990 USD'])
    assert.deepEqual(moved(paid(1, dollars(0))), [])
  })

  it('is unknown where the amount is', () => {
    assert.deepEqual(moved(paid(1, { amount: undefined }), event('refunded', 2), event('refunded', 3)), [
      '1 payments 1',
      '1 payments_without_amount 1',
      '2 refunds 1',
    ])
  })

  it('is given back in parts, and never more than was paid', () => {
    const own = (kind: 'refunded' | 'partially_refunded', at: number) => event(kind, at, { amount: 4_000, isOwn: true })
    const parts = [own('refunded', 2), own('partially_refunded', 3), event('refunded', 4)]
    const expected = [...RECEIVED, '2 refunds 1', '2 refunded 4000', '3 refunds 1', '3 refunded 4000', '4 refunds 1', '4 refunded 1900']
    assert.deepEqual(moved(paid(1), ...parts, event('refunded', 5)), expected)
    assert.deepEqual(moved(paid(1), event('refunded', 2, { amount: 99_000 })), [...RECEIVED, '2 refunds 1', `2 refunded ${PAID}`])
  })

  it('is given back once, though a gateway reports with each part what it has given back so far', () => {
    const soFar = (at: number, amount: number) => event('partially_refunded', at, { amount })
    const expected = [...RECEIVED, '2 refunds 1', '2 refunded 2000', '3 refunds 1', '3 refunded 1500', '5 refunds 1', '5 refunded 6400']
    assert.deepEqual(moved(paid(1), soFar(2, 2_000), soFar(3, 3_500), soFar(4, 3_500), event('refunded', 5, { amount: PAID })), expected)
  })

  it('stays with the seller where the refund fails, and was never there where the payment is undone', () => {
    const refunded = ['2 refunds 1', `2 refunded ${PAID}`]
    assert.deepEqual(moved(paid(1), event('refunded', 2), event('refund_failed', 3)), [
      ...[...RECEIVED, ...refunded],
      ...['3 refunds -1', `3 refunded -${PAID}`],
    ])
    assert.deepEqual(moved(paid(1), event('payment_undone', 2), paid(3, { key: 'after all' })), [
      ...[...RECEIVED, '2 payments -1', `2 received -${PAID}`],
      ...['3 payments 1', `3 received ${PAID}`],
    ])
  })

  it('is lost when a dispute is lost, and comes back on appeal', () => {
    const disputed = ['2 disputes 1', `2 disputed ${PAID}`]
    assert.deepEqual(moved(paid(1), event('disputed', 2), event('disputed', 3), event('dispute_won', 4)), [...RECEIVED, ...disputed])
    const lost = [...RECEIVED, ...disputed, `4 lost_in_disputes ${PAID}`]
    // The gateway reports the same money as refunded.
    assert.deepEqual(moved(paid(1), event('disputed', 2), event('dispute_lost', 4), event('refunded', 5)), lost)
    assert.deepEqual(moved(paid(1), event('disputed', 2), event('dispute_lost', 4), event('dispute_won', 6)), [
      ...lost,
      `6 lost_in_disputes -${PAID}`,
    ])
    assert.deepEqual(moved(paid(1), event('disputed', 2), event('refunded', 3), event('dispute_lost', 4)), [
      ...[...RECEIVED, ...disputed],
      ...['3 refunds 1', `3 refunded ${PAID}`],
    ])
  })

  it('is given back once by the operator, whoever else reports it', () => {
    const action = [
      event('refunded', 5, { key: 'operator:a' }),
      event('refunded', 5, { key: 'operator:a:1', paymentId: 'p0' }),
      event('refunded', 1, { key: 'operator:a:2', paymentId: undefined }),
    ]
    const earlier = paid(0, { paymentId: 'p0', key: 'earlier' })
    const both = ['0 payments 1', `0 received ${PAID}`, ...RECEIVED]
    assert.deepEqual(moved(earlier, paid(1), ...action), [...both, '5 refunds 1', `5 refunded ${PAID}`])
    assert.deepEqual(moved(earlier, paid(1), ...action, event('refunded', 7, { amount: 4_950 })), [
      ...both,
      '7 refunds 1',
      '7 refunded 4950',
    ])
    // A purchase without a name of its payment.
    const unnamed = paid(1, { paymentId: undefined })
    assert.deepEqual(moved(unnamed, event('refunded', 5, { key: 'operator:a', paymentId: undefined })), [
      ...RECEIVED,
      ...['5 refunds 1', `5 refunded ${PAID}`],
    ])
  })
})
