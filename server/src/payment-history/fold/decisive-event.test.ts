import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCESS_REASONS, type AccessReason } from '../../subscriptions/index.ts'
import type { PaymentEvent, PaymentKind } from '../events/payment-event.ts'
import { decisiveEvent } from './decisive-event.ts'

const NOTHING = { planId: undefined, email: undefined, method: undefined, periodStart: undefined, periodEnd: undefined }

function event(kind: PaymentKind, at: number, paymentId?: string, amount?: number): PaymentEvent {
  return { ...NOTHING, key: `${kind} ${at}`, kind, at, paymentId, amount }
}

/** As `event of payment`, each by its key. */
function restsOn(reason: AccessReason, events: readonly PaymentEvent[], until = 100): string {
  const { event, payment } = decisiveEvent(events, { reason, until })
  return `${event?.key ?? 'nothing'} of ${payment?.key ?? 'nothing'}`
}

const first = event('paid', 1, 'p1', 3_990)
const second = event('paid', 31, 'p2', 4_990)

describe('The event that access rests on', () => {
  it('is the last payment while it is paid, a gift of the operator and a waived bill too', () => {
    assert.equal(restsOn('paid', [first, second]), 'paid 31 of paid 31')
    assert.equal(restsOn('paid', [first, event('granted', 40)]), 'granted 40 of granted 40')
    const waived = event('payment_waived', 40, 'p2')
    assert.equal(restsOn('paid', [first, { ...waived, periodEnd: 70 }]), 'payment_waived 40 of payment_waived 40')
    // A bill that is not asked for any more, without a period that is served, pays for nothing.
    assert.equal(restsOn('paid', [first, waived]), 'paid 1 of paid 1')
  })

  it('is the payment of the current period, though an invoice for an earlier one is paid later, or its refund is heard of later', () => {
    const month = (number: number, at: number) => ({
      ...event('paid', at, `p${number}`, 3_990),
      periodStart: number * 30,
      periodEnd: (number + 1) * 30,
    })
    const [older, newer] = [month(1, 64), month(2, 61)]
    assert.equal(restsOn('paid', [newer, older]), 'paid 61 of paid 61')
    assert.equal(restsOn('canceled', [newer, older, event('ended', 70)]), 'ended 70 of paid 61')
    const refunds = [event('refunded', 71, 'p2'), event('refunded', 72, 'p1')]
    assert.equal(restsOn('refunded', [newer, older, ...refunds]), 'refunded 71 of paid 61')
  })

  it('is nothing that was taken back: a dispute that was won, a cancellation that was', () => {
    const of = (dispute: string, kind: PaymentKind, at: number) => ({ ...event(kind, at, 'p1'), key: `${dispute} ${kind}` })
    const two = [of('pay_1', 'disputed', 6), of('pay_2', 'disputed', 7), of('pay_2', 'dispute_won', 8)]
    assert.equal(restsOn('disputed', [first, ...two]), 'pay_1 disputed of paid 1')
    const lost = [of('pay_1', 'dispute_lost', 6), of('pay_2', 'dispute_lost', 7), of('pay_2', 'dispute_won', 8)]
    assert.equal(restsOn('refunded', [first, ...lost]), 'pay_1 dispute_lost of paid 1')
    // A bank's inquiry that is closed wins nothing, though the own checkout calls it a win.
    const own = (at: number) => ({ ...event('dispute_won', at, 'p1'), key: `own ${at}`, isOwn: true })
    const echoed = [...lost, own(9)]
    assert.equal(restsOn('refunded', [first, ...echoed, of('du_1', 'dispute_won', 10), own(11)]), 'pay_1 dispute_lost of paid 1')
    assert.equal(restsOn('refunded', [first, ...echoed, own(10), of('du_1', 'dispute_won', 11)]), 'pay_1 dispute_lost of paid 1')
    const ended = { ...event('ended', 5), key: 'operator:a' }
    assert.equal(restsOn('canceled', [first, ended, event('canceled', 6), event('resumed', 7)]), 'operator:a of paid 1')
  })

  it('is the refund by the operator, of whatever payments', () => {
    const appeal = [event('dispute_lost', 5, 'p1'), event('dispute_won', 9, 'p1')]
    const refund = { ...event('refunded', 50, 'p2'), key: 'operator:a' }
    assert.equal(restsOn('refunded', [{ ...first, periodEnd: 365 }, ...appeal, second, refund]), 'operator:a of paid 31')
  })

  it('is the bill that is missing, though an older one was paid after it failed', () => {
    const bill = (at: number, paymentId: string, periodStart: number) => ({ ...event('payment_failed', at, paymentId, 3_990), periodStart })
    const february = { ...event('paid', 33, 'p2', 3_990), periodStart: 31, periodEnd: 59 }
    assert.equal(
      restsOn('past_due', [{ ...first, periodEnd: 31 }, bill(31, 'p2', 31), bill(59, 'p3', 59), { ...february, at: 61, key: 'paid 61' }]),
      'payment_failed 59 of paid 61',
    )
  })

  it('is of the best report of a payment, which may come more than once', () => {
    const whole = event('paid', 1, 'p1', 10_000)
    assert.equal(
      restsOn('paid', [whole, event('paid', 2, 'p1', 4_000), event('paid', 3, 'p1'), event('payment_waived', 4, 'p1')]),
      'paid 1 of paid 1',
    )
  })

  it('is the refund, and the payment that it names, though another was made after it', () => {
    assert.equal(restsOn('refunded', [first, second, event('refunded', 35, 'p1')]), 'refunded 35 of paid 1')
    assert.equal(restsOn('refunded', [first, event('disputed', 4, 'p1'), event('dispute_lost', 9, 'p1')]), 'dispute_lost 9 of paid 1')
    assert.equal(restsOn('refunded', [first, event('payment_undone', 2, 'p1')]), 'payment_undone 2 of paid 1')
    assert.equal(restsOn('disputed', [first, event('disputed', 4, 'p1')]), 'disputed 4 of paid 1')
  })

  it('is the failed bill only where nothing was paid after it', () => {
    const failed = event('payment_failed', 31, 'p2', 3_990)
    assert.equal(restsOn('past_due', [first, failed]), 'payment_failed 31 of paid 1')
    assert.equal(restsOn('in_grace', [first, failed]), 'payment_failed 31 of paid 1')
    assert.equal(restsOn('in_grace', [first, failed, event('paid', 33, 'p2')]), 'nothing of paid 33')
  })

  it('is none where what was paid ran out by itself', () => {
    assert.equal(restsOn('expired', [first]), 'nothing of paid 1')
    assert.equal(
      restsOn('expired', [event('payment_pending', 1, 'p1', 3_990), event('payment_expired', 5, 'p1')]),
      'payment_expired 5 of payment_pending 1',
    )
  })

  it('is the bill that is asked for, with its amount, before anything is paid', () => {
    const asked = event('payment_pending', 1, 'p1', 3_990)
    assert.equal(restsOn('payment_pending', [asked]), 'payment_pending 1 of payment_pending 1')
  })

  it('is the cancellation or the end', () => {
    assert.equal(restsOn('paid_until_period_end', [first, event('canceled', 5)]), 'canceled 5 of paid 1')
    assert.equal(restsOn('canceled', [first, event('canceled', 5), event('ended', 6)]), 'ended 6 of paid 1')
  })

  it('is none of a later subscription of the stream', () => {
    const events = [first, event('refunded', 5, 'p1'), second, event('refunded', 40, 'p2')]
    assert.equal(restsOn('refunded', events, 5), 'refunded 5 of paid 1')
    assert.equal(restsOn('refunded', events), 'refunded 40 of paid 31')
  })

  it('is looked for under every reason', () => {
    for (const reason of ACCESS_REASONS) assert.equal(restsOn(reason, []), 'nothing of nothing', reason)
  })
})
