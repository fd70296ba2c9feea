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
