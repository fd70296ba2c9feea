import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DAY_MS } from '../../kit/index.ts'
import { SUBSCRIPTION_STATES, type SubscriptionState, validityOf } from '../../subscriptions/index.ts'
import { isSubscriptionState } from '../../subscriptions/subscription-states.ts'
import { believedTime, PAYMENT_KINDS, type PaymentEvent, type PaymentKind } from '../events/payment-event.ts'
import { foldEvents } from './fold.ts'

/** Events at a time, by default of the one payment `p1`. */
function gatewayEvent(kind: PaymentKind, at: number, more: Partial<PaymentEvent> = {}): PaymentEvent {
  const paymentId = 'paymentId' in more ? more.paymentId : 'p1'
  const unsaid = { planId: undefined, email: undefined, amount: undefined, method: undefined, periodStart: undefined, periodEnd: undefined }
  return { ...unsaid, ...more, key: more.key ?? `${paymentId} ${kind} ${at}`, kind, at, paymentId }
}

const of = (paymentId: string | undefined) => ({ paymentId })
const states = (...events: PaymentEvent[]) => foldEvents(events).map(({ state }) => state)
const theOnly = (...events: PaymentEvent[]) => foldEvents(events).at(0) ?? assert.fail('no subscription')

/** A history that ends in each state, at the time 5 at the latest. */
const histories: Record<SubscriptionState, PaymentEvent[]> = {
  pending: [gatewayEvent('payment_pending', 1)],
  active: [gatewayEvent('paid', 1)],
  past_due: [gatewayEvent('paid', 1), gatewayEvent('payment_failed', 2, of('p2'))],
  canceled: [gatewayEvent('paid', 1), gatewayEvent('canceled', 2)],
  expired: [gatewayEvent('payment_pending', 1), gatewayEvent('payment_expired', 2)],
  refunded: [gatewayEvent('paid', 1), gatewayEvent('refunded', 2)],
  disputed: [gatewayEvent('paid', 1), gatewayEvent('disputed', 2)],
}

/**
 * The state that each kind of events makes of each state; `-` moves nothing, `+active` opens the next subscription. Where `resumed` and
 * `dispute_won` lead depends on the history.
 */
const table = `
                    pending   active    past_due  canceled  expired   refunded  disputed
payment_pending     -         -         -         -         pending   -         -
paid                active    active    active    active    active    +active   active
granted             active    active    active    active    active    +active   active
payment_waived      -         -         -         -         -         -         -
payment_failed      -         past_due  -         -         -         -         -
payment_expired     expired   past_due  -         -         -         -         -
canceled            canceled  canceled  canceled  -         canceled  -         -
resumed             -         -         -         active    -         -         -
ended               canceled  canceled  canceled  canceled  canceled  -         -
dispute_inquiry     -         -         -         -         -         -         -
disputed            disputed  disputed  disputed  disputed  disputed  -         -
dispute_won         -         -         -         -         -         -         active
dispute_lost        refunded  refunded  refunded  refunded  refunded  -         refunded
partially_refunded  -         -         -         -         -         -         -
payment_undone      -         refunded  refunded  refunded  -         -         refunded
refunded            refunded  refunded  refunded  refunded  refunded  -         refunded
refund_failed       -         -         -         -         -         active    -
`

const [columns = [], ...rows] = table
  .trim()
  .split('\n')
  .map((stream) => stream.trim().split(/\s+/))

describe('The table of moves', () => {
  it('has a cell for every state and every kind of events', () => {
    assert.deepEqual([...columns].sort(), [...SUBSCRIPTION_STATES].sort())
    assert.deepEqual(rows.map(([kind]) => kind).sort(), [...PAYMENT_KINDS].sort())
    for (const state of SUBSCRIPTION_STATES) assert.deepEqual(states(...histories[state]), [state])
  })

  for (const [name, ...cells] of rows) {
    const kind = PAYMENT_KINDS.find((known) => known === name) ?? assert.fail(`no such kind: ${name}`)
    for (const [i, cell] of cells.entries()) {
      const state = SUBSCRIPTION_STATES.find((known) => known === columns[i]) ?? assert.fail()
      it(`${kind} to one that is ${state}: ${cell === '-' ? 'moves nothing' : cell}`, () => {
        // A payment that settles what has failed or waits is another one than that which stands already.
        const isNewPayment = ['payment_pending', 'paid', 'granted', 'payment_failed', 'payment_expired'].includes(kind)
        const after = states(...histories[state], gatewayEvent(kind, 9, of(isNewPayment ? 'p3' : 'p1')))
        if (cell.startsWith('+')) assert.deepEqual(after, [state, cell.slice(1)])
        else assert.deepEqual(after, [cell === '-' ? state : cell])
      })
    }
  }

  it('begins with a subscription that is pending: any events can be the first', () => {
    for (const [name, first = ''] of rows) {
      const kind = PAYMENT_KINDS.find((known) => known === name) ?? assert.fail()
      assert.deepEqual(states(gatewayEvent(kind, 1)), [first === '-' ? 'pending' : first], kind)
    }
  })
})

describe('A payment', () => {
  it('grants once: sent again, with the same key or another one, it changes neither state nor period', () => {
    const paid = gatewayEvent('paid', 1, { periodEnd: 100 })
    const failed = gatewayEvent('payment_failed', 5, of('p2'))
    assert.deepEqual(foldEvents([paid, failed, paid]), foldEvents([paid, failed]))
    const again = theOnly(paid, failed, gatewayEvent('paid', 9, { periodEnd: 900 }))
    assert.deepEqual([again.state, again.periodEnd], ['past_due', 100])
  })

  it('that was refunded grants nothing when it comes again', () => {
    const paid = gatewayEvent('paid', 1)
    const refunded = gatewayEvent('refunded', 2)
    assert.deepEqual(states(paid, refunded, paid), ['refunded'], 'the same key')
    assert.deepEqual(states(paid, refunded, gatewayEvent('paid', 3)), ['refunded'], 'another key')
    assert.deepEqual(
      states(paid, refunded, gatewayEvent('paid', 3, of('p2')), gatewayEvent('paid', 4)),
      ['refunded', 'active'],
      'after the next one',
    )
    assert.deepEqual(
      states(paid, gatewayEvent('disputed', 2), gatewayEvent('dispute_lost', 3), gatewayEvent('paid', 4)),
      ['refunded'],
      'lost in a dispute',
    )
  })

  it('whose refund was reported first, or is dated before it, grants nothing', () => {
    assert.deepEqual(states(gatewayEvent('refunded', 2), gatewayEvent('paid', 1)), ['refunded'])
    assert.deepEqual(states(gatewayEvent('refunded', 1), gatewayEvent('paid', 2)), ['refunded'])
    assert.deepEqual(states(gatewayEvent('dispute_lost', 1), gatewayEvent('paid', 2)), ['refunded'])
    const renewals = [2, 4].map((at) =>
      theOnly(gatewayEvent('paid', 1), gatewayEvent('refunded', at, of('p2')), gatewayEvent('paid', 3, { ...of('p2'), periodEnd: 900 })),
    )
    for (const { state, periodEnd } of renewals)
      assert.deepEqual([state, periodEnd], ['refunded', 900], 'the renewal, in whose place the first month is over')
  })

  it('dated after its own refund says whose it was, so that they read why they are not let in', () => {
    const { state, email, planId } = theOnly(
      gatewayEvent('refunded', 1),
      gatewayEvent('paid', 2, { email: 'ana@example.com', planId: 'plan' }),
    )
    assert.deepEqual([state, email, planId], ['refunded', 'ana@example.com', 'plan'])
  })

  it('that was undone can be made after all, and undone again: each time it counts', () => {
    const [paid, undone, again, undoneAgain] = [
      gatewayEvent('paid', 1),
      gatewayEvent('payment_undone', 2),
      gatewayEvent('paid', 3),
      gatewayEvent('payment_undone', 4),
    ]
    assert.deepEqual(states(paid, undone), ['refunded'])
    assert.deepEqual(states(again, undone, paid), ['refunded', 'active'])
    assert.deepEqual(states(undoneAgain, again, undone, paid), ['refunded', 'refunded'])
    assert.deepEqual(
      states(paid, undone, again, gatewayEvent('refunded', 4), gatewayEvent('paid', 5)),
      ['refunded', 'refunded'],
      'a refund is for good',
    )
    assert.deepEqual(states(paid, gatewayEvent('paid', 2, of('p2')), gatewayEvent('payment_undone', 3)), ['active'], 'of an older payment')
  })

  it('after a refund opens the next subscription, which knows nothing of the one before', () => {
    const first = gatewayEvent('paid', 1, { periodEnd: 50, planId: 'a', method: 'pix' })
    const [closed, open] = foldEvents([first, gatewayEvent('refunded', 2), gatewayEvent('paid', 3, { paymentId: 'p2', planId: 'b' })])
    assert.deepEqual([closed?.state, closed?.planId, closed?.changedAt], ['refunded', 'a', 2])
    assert.deepEqual([open?.state, open?.planId, open?.periodEnd, open?.method], ['active', 'b', undefined, undefined])
  })

  it('that was made can not fail any more, whatever is dated after it', () => {
    for (const kind of ['payment_pending', 'payment_failed', 'payment_expired'] as const)
      assert.deepEqual(states(gatewayEvent('paid', 1), gatewayEvent(kind, 1), gatewayEvent(kind, 2)), ['active'], kind)
  })

  it('sent again may know its period, method and plan where the first event did not, and takes nothing back', () => {
    const full = { periodEnd: 100, method: 'pix', planId: 'a', email: 'a@example.com' } as const
    const learned = theOnly(gatewayEvent('paid', 1), gatewayEvent('paid', 2, full))
    assert.deepEqual({ ...learned, ...full }, learned)
    const kept = theOnly(gatewayEvent('paid', 1, full), gatewayEvent('paid', 2, { periodEnd: 1, method: 'card', planId: 'b' }))
    assert.deepEqual({ ...kept, ...full }, kept)
    const other = theOnly(gatewayEvent('paid', 1, of('p0')), gatewayEvent('paid', 2), gatewayEvent('paid', 3, { ...full, ...of('p0') }))
    assert.equal(other.periodEnd, undefined, 'of the period before')
  })

  it('is what says which plan is bought and until when: events of what is unpaid does not', () => {
    const bought = theOnly(
      gatewayEvent('paid', 1, { planId: 'small', periodEnd: 100 }),
      gatewayEvent('payment_pending', 2, { paymentId: 'p2', planId: 'big' }),
    )
    assert.equal(bought.planId, 'small')
    for (const kind of ['payment_failed', 'canceled', 'resumed', 'partially_refunded'] as const) {
      const after = theOnly(
        gatewayEvent('paid', 1, { planId: 'small', periodEnd: 100 }),
        gatewayEvent(kind, 2, { ...of('p2'), planId: 'big', periodEnd: 900 }),
      )
      assert.deepEqual([after.planId, after.periodEnd], ['small', 100], kind)
    }
    const never = theOnly(gatewayEvent('payment_pending', 1, { planId: 'big' }), gatewayEvent('canceled', 2, { periodEnd: 900 }))
    assert.deepEqual([never.planId, validityOf(never, 7).accessUntil], ['big', 0])
    assert.equal(
      theOnly(gatewayEvent('paid', 1, { planId: 'small' }), gatewayEvent('paid', 2, { ...of('p2'), planId: 'big' })).planId,
      'big',
    )
  })
})

describe('A refund', () => {
  it('in part is recorded only', () => {
    const after = theOnly(gatewayEvent('paid', 1, { periodEnd: 100 }), gatewayEvent('partially_refunded', 2, { amount: 1 }))
    assert.deepEqual([after.state, after.periodEnd, after.changedAt], ['active', 100, 2])
  })

  it('of the rest ends access with the parts that the own checkout named before, which alone end nothing', () => {
    const paid = gatewayEvent('paid', 1, { amount: 100 })
    const part = (at: number, amount: number | undefined) => gatewayEvent('partially_refunded', at, { isOwn: true, amount })
    const rest = (at: number, amount: number) => gatewayEvent('refunded', at, { isOwn: true, amount })
    assert.deepEqual(states(paid, part(2, 30), part(3, 70)), ['active'])
    for (const all of [
      [paid, part(2, 30), rest(3, 70)],
      [paid, rest(2, 70), part(3, 30)],
      [paid, part(2, 10), part(3, 20), rest(4, 70)],
    ])
      assert.deepEqual(states(...all), ['refunded'])
    assert.deepEqual(states(paid, part(2, 30), rest(3, 60)), ['active'], 'ten are left')
    assert.deepEqual(states(paid, part(2, 100), rest(3, 60)), ['active'], 'it states the whole amount beside a part')
    assert.deepEqual(states(paid, part(2, undefined), rest(3, 60)), ['active'], 'nobody knows how much the part was')
    const reported = gatewayEvent('partially_refunded', 2, { amount: 30 })
    assert.deepEqual(states(paid, reported, rest(3, 70)), ['active'], 'a gateway may report the same money')
    const ofHalf = gatewayEvent('refunded', 2, { amount: 50 })
    assert.deepEqual(states(paid, ofHalf, part(3, 50)), ['active'], 'one of two charges, and the same money by the checkout')
    assert.deepEqual(states(paid, ofHalf, rest(3, 50)), ['active'], 'the same where it does not say that it is a part')
    const failed = gatewayEvent('refund_failed', 3, { amount: 30 })
    assert.deepEqual(states(paid, part(2, 30), failed, rest(4, 70)), ['active'], 'the part never left')
    assert.deepEqual(states(paid, part(2, 30), failed, part(4, 30), rest(5, 70)), ['refunded'], 'it was made again')
  })

  it('that failed takes off the one of its amount, in any currency', () => {
    const inReais = (kind: PaymentKind, at: number, amount: number) => gatewayEvent(kind, at, { amount })
    const inDollars = (kind: PaymentKind, at: number, amount: number) => gatewayEvent(kind, at, { foreign: { currency: 'USD', amount } })
    for (const event of [inReais, inDollars]) {
      const halves = [event('paid', 1, 100), event('refunded', 2, 60), event('refunded', 3, 40), event('refund_failed', 4, 40)]
      assert.deepEqual(states(...halves), ['active'])
      assert.deepEqual(states(...halves, event('refunded', 5, 40)), ['refunded'], 'the other one stayed given back')
      assert.deepEqual(states(...halves.slice(0, 3), event('refund_failed', 4, 30), event('refunded', 5, 40)), ['active'], 'all failed')
    }
  })

  it('or dispute of an older payment is recorded only, and no more than that', () => {
    const renewed = [
      gatewayEvent('paid', 1, { planId: 'small' }),
      gatewayEvent('paid', 2, { paymentId: 'p2', planId: 'big', periodEnd: 100 }),
    ]
    for (const kind of ['refunded', 'disputed', 'dispute_lost', 'partially_refunded'] as const) {
      const after = theOnly(...renewed, gatewayEvent(kind, 3, { planId: 'small', periodEnd: 9 }))
      assert.deepEqual(after, { ...theOnly(...renewed), changedAt: 3 }, kind)
    }
    assert.deepEqual(
      states(...renewed, gatewayEvent('disputed', 3, of('p2')), gatewayEvent('dispute_won', 4)),
      ['disputed'],
      'an older dispute won',
    )
  })

  it('that names no payment, and one of a payment that named none, is of the current period', () => {
    assert.deepEqual(states(gatewayEvent('paid', 1), gatewayEvent('refunded', 2, of(undefined))), ['refunded'])
    assert.deepEqual(states(gatewayEvent('paid', 1, of(undefined)), gatewayEvent('refunded', 2)), ['refunded'])
  })

  it('of one payment shows late that another had renewed before: there is one subscription then', () => {
    const normalized = [gatewayEvent('paid', 1), gatewayEvent('refunded', 3), gatewayEvent('paid', 5, of('p3'))]
    assert.deepEqual(states(...normalized), ['refunded', 'active'])
    assert.deepEqual(states(...normalized, gatewayEvent('paid', 2, of('p2'))), ['active'])
  })
})

describe('A dispute', () => {
  it('that is won goes back to where the subscription stood', () => {
    for (const state of ['pending', 'active', 'past_due', 'canceled', 'expired'] as const)
      assert.deepEqual(states(...histories[state], gatewayEvent('disputed', 6), gatewayEvent('dispute_won', 7)), [state])
  })

  it('that is won goes to where other events have moved it meanwhile', () => {
    const won = (...meanwhile: PaymentEvent[]) =>
      theOnly(...histories.active, gatewayEvent('disputed', 6), ...meanwhile, gatewayEvent('dispute_won', 20))
    assert.equal(won(gatewayEvent('canceled', 7)).state, 'canceled')
    const pastDue = won(gatewayEvent('payment_failed', 7, of('p2')))
    assert.deepEqual([pastDue.state, pastDue.pastDueSince], ['past_due', 7])
    const ended = won(gatewayEvent('ended', 7), gatewayEvent('ended', 8))
    assert.deepEqual([ended.state, ended.endedAt], ['canceled', 7])
    assert.equal(won(gatewayEvent('canceled', 7), gatewayEvent('resumed', 8)).state, 'active')
    assert.equal(
      theOnly(...histories.canceled, gatewayEvent('disputed', 6), gatewayEvent('resumed', 7), gatewayEvent('dispute_won', 8)).state,
      'active',
    )
  })

  it('reported twice is one dispute: won once, it is over', () => {
    const disputes = [gatewayEvent('disputed', 6), gatewayEvent('disputed', 7)]
    assert.deepEqual(states(...histories.active, ...disputes), ['disputed'])
    assert.deepEqual(states(...histories.active, ...disputes, gatewayEvent('dispute_won', 8)), ['active'])
  })

  it('of one installment is not won with that of another one', () => {
    const of = (charge: string, kind: PaymentKind, at: number) => gatewayEvent(kind, at, { key: `${charge} ${kind}` })
    const two = [...histories.active, of('pay_1', 'disputed', 6), of('pay_2', 'disputed', 7)]
    assert.deepEqual(states(...two, of('pay_1', 'dispute_won', 8)), ['disputed'])
    assert.deepEqual(states(...two, of('pay_1', 'dispute_won', 8), of('pay_2', 'dispute_won', 9)), ['active'])
    assert.deepEqual(states(...two, of('pay_1', 'dispute_won', 8), of('pay_2', 'dispute_lost', 9)), ['refunded'])
    // A report without a name is of all disputes, unless the gateway has reported an outcome: then it repeats that one.
    const own = (kind: PaymentKind, at: number) => gatewayEvent(kind, at, { key: `own ${kind}`, isOwn: true })
    assert.deepEqual(states(...two, own('dispute_won', 8)), ['active'])
    assert.deepEqual(states(...two, of('pay_1', 'dispute_won', 8), own('dispute_won', 9)), ['disputed'])
    assert.deepEqual(states(...two, of('pay_1', 'dispute_won', 8), own('dispute_won', 9), of('pay_2', 'dispute_won', 10)), ['active'])
    const ownFirst = [of('pay_0', 'disputed', 2), own('dispute_won', 3), of('pay_0', 'dispute_won', 4)]
    const second = gatewayEvent('dispute_won', 9, { key: 'own again', isOwn: true })
    assert.deepEqual(states(...histories.active, ...ownFirst, ...two.slice(1), of('pay_1', 'dispute_won', 8), second), ['disputed'])
    assert.deepEqual(
      states(
        ...two,
        of('pay_1', 'dispute_lost', 8),
        own('dispute_lost', 9),
        of('pay_2', 'dispute_won', 10),
        of('pay_1', 'dispute_won', 11),
      ),
      ['active'],
    )
  })

  it('that was an inquiry only is closed, and gives back nothing that another one took', () => {
    const of = (dispute: string, kind: PaymentKind, at: number) => gatewayEvent(kind, at, { key: `${dispute}:${kind}` })
    const lost = [...histories.active, of('du_2', 'disputed', 6), of('du_2', 'dispute_lost', 7)]
    assert.deepEqual(states(...lost, of('du_1', 'dispute_inquiry', 8), of('du_1', 'dispute_won', 9)), ['refunded'])
    assert.deepEqual(states(...lost, of('du_2', 'dispute_won', 9)), ['active'])
  })

  it('that was an inquiry only gives back nothing either where the own checkout reports its end, whoever is first', () => {
    const of = (dispute: string, kind: PaymentKind, at: number) => gatewayEvent(kind, at, { key: `${dispute}:${kind}` })
    const own = (kind: PaymentKind, at: number) => gatewayEvent(kind, at, { key: `own ${kind} ${at}`, isOwn: true })
    const opened = [...histories.active, of('du_2', 'disputed', 6)]
    const lost = [...opened, of('du_2', 'dispute_lost', 7)]
    const closed = [of('du_1', 'dispute_inquiry', 8), of('du_1', 'dispute_won', 10)]
    for (const at of [9, 10, 11]) {
      const events = [...closed, own('dispute_won', at)].sort((a, b) => a.at - b.at)
      assert.deepEqual(states(...lost, ...events), ['refunded'], `lost, at ${at}`)
      assert.deepEqual(states(...opened, ...events), ['disputed'], `open, at ${at}`)
      assert.deepEqual(states(...lost, ...events, of('du_2', 'dispute_won', 12)), ['active'], `won on appeal, at ${at}`)
      assert.deepEqual(states(...opened, ...events, of('du_2', 'dispute_won', 12), own('dispute_won', 13)), ['active'], `won, at ${at}`)
      assert.deepEqual(states(...opened, ...events, own('dispute_won', 12), of('du_2', 'dispute_won', 13)), ['active'], `own, at ${at}`)
      // It has reported the inquiry as a dispute, too.
      assert.deepEqual(states(...histories.active, own('disputed', 8), ...events), ['active'], `opened by the own checkout, at ${at}`)
    }
    // A win that names a dispute explains that of the own checkout: the inquiry is closed later, and is no win of that dispute.
    assert.deepEqual(states(...opened, own('dispute_won', 7), of('du_2', 'dispute_won', 8), ...closed), ['active'])
  })

  it('of an order is that of its payment', () => {
    const of = (thing: string, kind: PaymentKind, at: number) => gatewayEvent(kind, at, { key: `${thing} charged_back ${kind}` })
    for (const [one, other] of [
      ['order 7', 'payment 8'],
      ['payment 8', 'order 7'],
    ] as const)
      assert.deepEqual(states(...histories.active, of(one, 'disputed', 6), of(other, 'disputed', 7), of(one, 'dispute_won', 8)), ['active'])
  })

  it('ends with the next payment, and says nothing of it', () => {
    const renewed = [...histories.active, gatewayEvent('disputed', 6), gatewayEvent('paid', 7, of('p2'))]
    assert.deepEqual(states(...renewed), ['active'])
    assert.deepEqual(states(...renewed, gatewayEvent('dispute_lost', 8)), ['active'])
  })

  it('that is lost takes the money away, whether its beginning was heard of or not', () => {
    assert.deepEqual(states(gatewayEvent('paid', 1), gatewayEvent('dispute_lost', 2)), ['refunded'])
  })
})

describe('Bills that failed', () => {
  it('leave the subscription past due since the first of them, from which the days of grace are counted', () => {
    const failed = [gatewayEvent('paid', 1), gatewayEvent('payment_failed', 2, of('p2')), gatewayEvent('payment_failed', 5, of('p3'))]
    for (const events of [failed, failed.toReversed()]) {
      const { state, pastDueSince } = theOnly(...events)
      assert.deepEqual([state, pastDueSince], ['past_due', 2])
    }
  })
})

describe('A cancellation', () => {
  it('that is taken back leads to where the subscription stood, and gives nothing that was not paid', () => {
    assert.deepEqual(states(gatewayEvent('payment_pending', 1), gatewayEvent('canceled', 2), gatewayEvent('resumed', 3)), ['pending'])
    const pastDue = theOnly(...histories.past_due, gatewayEvent('canceled', 6), gatewayEvent('resumed', 7))
    assert.deepEqual([pastDue.state, pastDue.pastDueSince], ['past_due', 2])
  })

  it('by the operator is not taken back by a gateway that goes on: only what is paid afterwards goes on', () => {
    const ended = [...histories.active, gatewayEvent('ended', 5, { key: 'operator:a', paymentId: undefined })]
    assert.deepEqual(states(...ended, gatewayEvent('canceled', 6), gatewayEvent('resumed', 7)), ['canceled'])
    assert.equal(theOnly(...ended, gatewayEvent('resumed', 7)).endedAt, 5)
    assert.deepEqual(states(...ended, gatewayEvent('resumed', 7), gatewayEvent('paid', 8, of('p2'))), ['active'])
  })

  it('leaves the paid period; an end outright counts from the first one reported', () => {
    const paid = gatewayEvent('paid', 1, { periodEnd: 100 })
    assert.equal(validityOf(theOnly(paid, gatewayEvent('canceled', 5)), 7).accessUntil, 100)
    assert.equal(validityOf(theOnly(paid, gatewayEvent('canceled', 5), gatewayEvent('ended', 10)), 7).accessUntil, 10)
    assert.equal(
      validityOf(theOnly(paid, gatewayEvent('ended', 10), gatewayEvent('ended', 20), gatewayEvent('canceled', 30)), 7).accessUntil,
      10,
    )
    assert.equal(
      validityOf(theOnly(paid, gatewayEvent('ended', 10), gatewayEvent('paid', 20, { ...of('p2'), periodEnd: 200 })), 0).accessUntil,
      200,
    )
  })
})

describe('The order of events', () => {
  it('is by its own time, at one time by rank: what takes away comes after what gives', () => {
    const sameTime = (...kinds: PaymentKind[]) =>
      kinds.map((kind, i) => gatewayEvent(kind, 1, { key: `${i}`, paymentId: kind === 'payment_failed' ? 'p2' : 'p1' }))
    assert.deepEqual(states(...sameTime('refunded', 'paid')), ['refunded'])
    assert.deepEqual(states(...sameTime('paid', 'payment_pending')), ['active'])
    assert.deepEqual(states(...sameTime('payment_failed', 'paid')), ['past_due'])
    assert.deepEqual(states(...sameTime('ended', 'paid')), ['canceled'])
    assert.deepEqual(states(...sameTime('disputed', 'canceled', 'paid')), ['disputed'])
    assert.deepEqual(states(...sameTime('dispute_lost', 'disputed', 'paid')), ['refunded'])
  })

  it('at one time keeps the end that one of two payments states', () => {
    for (const [first, second] of [
      ['p1', 'p2'],
      ['p2', 'p1'],
    ]) {
      const normalized = [gatewayEvent('paid', 1_000, of(first)), gatewayEvent('paid', 1_000, { ...of(second), periodEnd: 9_000 })]
      assert.equal(theOnly(...normalized).periodEnd, 9_000)
      assert.deepEqual([theOnly(...normalized, gatewayEvent('canceled', 2_000, of(undefined))).state], ['canceled'])
      assert.equal(theOnly(...normalized, gatewayEvent('canceled', 2_000, of(undefined))).periodEnd, 9_000)
    }
  })

  it('at one time and of one kind is by key', () => {
    const a = gatewayEvent('paid', 1, { key: 'a', paymentId: 'p1', periodEnd: 10 })
    const b = gatewayEvent('paid', 1, { key: 'b', paymentId: 'p2', periodEnd: 20 })
    assert.deepEqual([theOnly(a, b).periodEnd, theOnly(b, a).periodEnd], [20, 20])
  })

  it('takes a time more than ten minutes ahead as the time of receipt', () => {
    const received = Date.UTC(2026, 0, 1)
    assert.deepEqual(believedTime(received + 600_000, received), { at: received + 600_000 })
    assert.deepEqual(believedTime(received + 600_001, received), { at: received, statedAt: received + 600_001 })
    assert.equal(believedTime(received + 9_000 * DAY_MS, received).at, received)
    assert.deepEqual(believedTime(0, received), { at: 0 })
  })
})

/** Any history: few times and payments, so that they meet. */
const anyEvent = fc
  .record({
    kind: fc.constantFrom(...PAYMENT_KINDS),
    at: fc.integer({ min: 0, max: 12 }),
    paymentId: fc.constantFrom('p1', 'p2', 'p3', undefined),
    planId: fc.constantFrom('small', 'big', undefined),
    email: fc.constantFrom('a@example.com', 'b@example.com', undefined),
    method: fc.constantFrom('card', 'pix', undefined),
    periodStart: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    periodEnd: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
  })
  .map((event) => ({ ...event, amount: undefined }))
const anyHistory = fc
  .array(anyEvent, { minLength: 1, maxLength: 12 })
  .map((events) => events.map((event, i): PaymentEvent => ({ ...event, key: `k${(i * 7) % 13}` })))

const anyArrival = anyHistory.chain((history) =>
  fc.record({
    history: fc.constant(history),
    arrival: fc
      .tuple(fc.shuffledSubarray(history, { minLength: history.length }), fc.shuffledSubarray(history))
      .map(([all, again]) => [...all, ...again]),
  }),
)

describe('Any history', () => {
  it('comes to the same in any order and with any repetition', () => {
    fc.assert(
      fc.property(anyArrival, ({ history, arrival }) => {
        assert.deepEqual(foldEvents(arrival), foldEvents(history))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is not changed by events that it has already', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), (history, at) => {
        const again = history[at % history.length] ?? assert.fail()
        assert.deepEqual(foldEvents([again, ...history, again]), foldEvents(history))
      }),
      { numRuns: 1_000 },
    )
  })

  it('in which every payment was refunded in full gives no access, whenever the refunds happened', () => {
    const events = anyHistory.map((history) =>
      history
        .filter(({ kind }) => kind !== 'refund_failed' && kind !== 'dispute_won')
        .map((event) => ({ ...event, paymentId: event.paymentId ?? (/^(pa|granted)/.test(event.kind) ? 'p1' : undefined) })),
    )
    const anyRefunds = fc.tuple(...['p1', 'p2', 'p3'].map((paymentId) => fc.record({ paymentId: fc.constant(paymentId), at: fc.nat(12) })))
    fc.assert(
      fc.property(events, anyRefunds, fc.constantFrom('refunded', 'dispute_lost'), (history, refunds, kind) => {
        const all = [...history, ...refunds.map(({ paymentId, at }) => gatewayEvent(kind, at, { paymentId }))]
        for (const subscription of foldEvents(all)) {
          assert.ok(!['active', 'past_due'].includes(subscription.state), subscription.state)
          assert.ok(validityOf(subscription, 7).accessUntil <= 12, 'access after the last events')
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('has one open subscription at most: the last one', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const folded = foldEvents(history)
        for (const { state } of folded.slice(0, -1)) assert.equal(state, 'refunded')
        for (const { state } of folded) assert.ok(isSubscriptionState(state))
      }),
      { numRuns: 1_000 },
    )
  })
})
