import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { foldAlong, type PaymentEvent } from '../payment-history/index.ts'
import { countStream } from './count-stream.ts'

const event = (kind: PaymentEvent['kind'], at: number, paymentId: string, amount?: number): PaymentEvent => ({
  ...{ kind, at, paymentId, amount, key: `ch_${paymentId} ${kind} ${at}`, planId: 'pro', email: undefined },
  ...{ method: undefined, periodStart: undefined, periodEnd: undefined },
})
const listsOf = (...events: PaymentEvent[]) =>
  countStream({ events, productId: undefined, grace: {} }, (at) => `2026-10-${String(at).padStart(2, '0')}`).lists

describe('The lists of a stream', () => {
  it('have subscriptions that there are, by what is known at the end', () => {
    // A part of an unknown amount was all of it then, so the second payment opened another subscription.
    const events = [event('paid', 1, 'one'), event('refunded', 2, 'one', 5_000), event('paid', 3, 'two', 10_000)]
    assert.deepEqual(
      listsOf(...events).spans.map(({ number, from, until }) => [number, from, until]),
      [
        [0, 1, 2],
        [1, 3, Number.POSITIVE_INFINITY],
      ],
    )
    const known = [...events, event('paid', 4, 'one', 10_000)]
    const fold = foldAlong()
    for (const one of known) fold.add(one)
    assert.equal(fold.last().number, 0)
    const { spans, changes, money } = listsOf(...known)
    assert.deepEqual(new Set([...spans, ...changes, ...money].map(({ number }) => number)), new Set([0]))
    // Nor are they counted as of one that was opened later.
    const later = listsOf(
      ...known,
      event('refunded', 10, 'two', 10_000),
      event('refunded', 11, 'one', 10_000),
      event('paid', 20, 'three', 10_000),
    )
    const early = later.spans.filter(({ from }) => from < 20).map(({ number }) => number)
    assert.deepEqual(new Set(early), new Set([0]))
    assert.deepEqual(later.spans.at(-1), { number: 1, planId: 'pro', from: 20, until: Number.POSITIVE_INFINITY })
  })

  it('have the price of a month for as long as number, plan, currency and amount stay', () => {
    const day = 86_400_000
    const paid = (at: number, amount: number, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
      ...event('paid', at * day, `p${at}`, amount),
      ...{ periodStart: at * day, periodEnd: (at + 30) * day, ...more },
    })
    const prices = (...events: PaymentEvent[]) =>
      countStream({ events, productId: undefined, grace: {} }, String).lists.prices.map(({ planId, currency, monthly, from, until }) =>
        [planId, currency, monthly, from / day, until / day].join(' '),
      )
    // A renewal goes on; another amount, plan or currency is another price. After three days of grace there is none, and again one.
    const dollars = { amount: undefined, foreign: { currency: 'USD', amount: 900 } }
    assert.deepEqual(
      prices(
        ...[paid(1, 900), paid(31, 900), paid(61, 800), paid(91, 800, { planId: 'max' }), paid(121, 900, { planId: 'max', ...dollars })],
        ...[paid(201, 900)],
      ),
      ['pro BRL 900 1 61', 'pro BRL 800 61 91', 'max BRL 800 91 121', 'max USD 900 121 154', 'pro BRL 900 201 234'],
    )
    // Of a payment that several report, the end that counts says whether it is by due days.
    const midnight = Date.UTC(2026, 10, 2, 3)
    const week = { at: midnight, periodStart: midnight, periodEnd: midnight + 8 * day }
    const [own, theirs] = [paid(0, 1_000, { ...week, key: 'own', isOwn: true }), paid(0, 1_000, { ...week, isByDueDays: true })]
    const monthly = (...events: PaymentEvent[]) => prices(...events).map((price) => price.split(' ')[2])
    assert.deepEqual([monthly(own), monthly(theirs)], [['3805'], ['4348']])
    assert.deepEqual([monthly(own, { ...theirs, at: midnight + 1 }), monthly(theirs, { ...own, at: midnight + 1 })], [['3805'], ['4348']])
    assert.deepEqual(monthly({ ...own, periodEnd: undefined }, { ...theirs, at: midnight + 1 }), ['4348'])
    // A subscription has no price where it is free or granted, where its amount is not known, and where it rounds to nothing a month.
    const granted: PaymentEvent = { ...event('granted', 100 * day, 'gift'), periodEnd: 120 * day }
    assert.deepEqual(prices(paid(1, 0), { ...paid(31, 0), amount: undefined }, paid(61, 1, { periodEnd: 800 * day })), [])
    assert.deepEqual(prices(paid(61, 800), granted), ['pro BRL 800 61 94'])
  })

  it('have a change of one day once for each subscription, with the plan of the last', () => {
    const changes = (...events: PaymentEvent[]) =>
      countStream({ events, productId: undefined, grace: {} }, () => 'today').lists.changes.map(({ name, number, planId }) =>
        [name, number, planId].join(' '),
      )
    const twice = [
      event('paid', 1, 'one', 100),
      event('disputed', 2, 'one'),
      event('dispute_won', 3, 'one'),
      { ...event('paid', 4, 'two', 100), planId: 'max' },
      event('refunded', 5, 'two'),
      event('refunded', 6, 'one'),
    ]
    // Lost twice, and changed to the other plan and back.
    assert.deepEqual(changes(...twice), ['new 0 pro', 'lost 0 pro', 'returned 0 pro', 'plan_changed 0 pro'])
    assert.deepEqual(changes(...twice.slice(0, 4)).at(-1), 'plan_changed 0 max')
  })

  it('have who is served for nothing as lost, until it is paid after all', () => {
    const day = 86_400_000
    const of = (kind: PaymentEvent['kind'], from: number, paymentId: string, amount?: number): PaymentEvent => ({
      ...event(kind, from * day, paymentId, amount),
      ...{ periodStart: from * day, periodEnd: (from + 30) * day },
    })
    const changes = (...events: PaymentEvent[]) =>
      countStream({ events, productId: undefined, grace: {} }, (at) => String(at / day)).lists.changes.map(
        ({ day: on, name }) => `${on} ${name}`,
      )
    const served = of('payment_waived', 31, 'two')
    assert.deepEqual(changes(of('paid', 1, 'one', 900), served), ['1 new', '31 lost'])
    const collected = { ...of('paid', 31, 'two', 900), at: 40 * day }
    assert.deepEqual(changes(of('paid', 1, 'one', 900), served, collected).slice(0, 3), ['1 new', '31 lost', '40 returned'])
    assert.deepEqual(changes(of('paid', 1, 'one', 0), served), [])
  })

  it('have no refund of nothing where all amounts are known, and one without an amount where nobody says it', () => {
    const own = { ...event('partially_refunded', 2, 'one', 2_000), isOwn: true }
    const parts = [1_000, 2_000].map((soFar, place) => event('partially_refunded', 3 + place, 'one', soFar))
    const refunds = (...all: PaymentEvent[]) =>
      listsOf(event('paid', 1, 'one', 9_900), ...all).money.filter(({ kind }) => kind === 'refund')
    assert.deepEqual(
      refunds(own, ...parts).map(({ amount }) => amount),
      [-2_000],
    )
    assert.deepEqual(
      refunds(event('partially_refunded', 2, 'one')).map(({ amount }) => amount),
      [undefined],
    )
    const kinds = (...all: PaymentEvent[]) => listsOf(...all).money.map(({ kind, amount }) => [kind, amount])
    assert.deepEqual(
      kinds(event('paid', 1, 'one'), event('partially_refunded', 2, 'one', 500), event('partially_refunded', 3, 'one', 900)),
      [
        ['payment', undefined],
        ['refund', undefined],
        ['refund', undefined],
      ],
    )
    assert.deepEqual(
      kinds(event('paid', 1, 'one', 9_900), event('partially_refunded', 2, 'one'), event('refund_failed', 3, 'one', 2_000)),
      [
        ['payment', 9_900],
        ['refund', undefined],
        ['refund_failed', undefined],
      ],
    )
  })
})
