import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { entitlementOf, validityOf } from '../../subscriptions/index.ts'
import type { PaymentEvent, PaymentKind } from '../events/payment-event.ts'
import type { FoldedSubscription } from './conclude.ts'
import { foldEvents } from './fold.ts'

/** Days are the unit of time here. */
type NewEvent = Partial<PaymentEvent> & Pick<PaymentEvent, 'kind' | 'at'>

let normalized = 0

function event(events: NewEvent): PaymentEvent {
  const none = { planId: undefined, email: undefined, paymentId: undefined, amount: undefined, method: undefined }
  return { ...none, periodStart: undefined, periodEnd: undefined, key: `${events.paymentId} k${normalized++}`, ...events }
}

const fold = (events: readonly NewEvent[]) => foldEvents(events.map(event))
const last = (events: readonly NewEvent[]) => fold(events).at(-1) ?? assert.fail('no subscription')
const is = ({ state, periodEnd, planId }: FoldedSubscription) => [state, periodEnd, planId]

/** Where it stands at a time, without days of grace. */
function at(now: number, events: readonly NewEvent[]): string {
  const folded = last(events)
  const { accessUntil } = validityOf(folded, 0)
  const { active, reason } = entitlementOf({ ...folded, accessUntil }, now)
  return `${active ? 'yes' : 'no'} ${reason}`
}

const paid = (
  paymentId: string,
  when: number,
  [periodStart, periodEnd]: [start?: number | undefined, end?: number] = [],
  more: Partial<PaymentEvent> = {},
): NewEvent => ({
  kind: 'paid',
  at: when,
  paymentId,
  periodStart,
  periodEnd,
  ...more,
})
const of = (paymentId: string | undefined, kind: PaymentKind, when: number, more: Partial<PaymentEvent> = {}): NewEvent => ({
  kind,
  at: when,
  paymentId,
  ...more,
})

describe('A payment for a period before the current one', () => {
  const unpaidSecond = [paid('i1', 0, [0, 30]), of('i2', 'payment_failed', 30, { periodStart: 30 }), paid('i3', 60, [60, 90])]

  it('H2: made late changes neither the end, nor the plan, nor which payment is the current one', () => {
    const late = [...unpaidSecond, paid('i2', 65, [30, 60], { planId: 'old' })]
    assert.deepEqual([is(last(late)), last(late).paymentId], [['active', 90, 'old'], 'i3'])
    assert.equal(at(70, late), 'yes paid')
    const named = [
      paid('i1', 0, [0, 30], { planId: 'a' }),
      paid('i3', 60, [60, 90], { planId: 'b' }),
      paid('i2', 65, [30, 60], { planId: 'a' }),
    ]
    assert.deepEqual(is(last(named)), ['active', 90, 'b'])
    assert.equal(at(66, [...named, of('i2', 'refunded', 66)]), 'yes paid', 'and given back')
  })

  it('H2: by a gateway that states only ends, or only the end of the late one, changes nothing either', () => {
    const ends = [paid('i1', 0, [undefined, 30]), paid('i3', 60, [undefined, 90]), paid('i2', 65, [undefined, 60])]
    assert.deepEqual(is(last(ends)), ['active', 90, undefined])
    assert.deepEqual(is(last([paid('i3', 60), paid('i2', 65, [undefined, 60])])), ['active', undefined, undefined])
  })

  it('H2: that fails late leaves what is paid as it is', () => {
    assert.equal(last([...unpaidSecond, of('i2', 'payment_failed', 65, { periodStart: 30 })]).state, 'active')
    assert.equal(at(65, [...unpaidSecond, of('i2', 'payment_failed', 65)]), 'yes paid', 'though nobody says of which period it is')
  })

  it('H2: leaves a later bill missing', () => {
    const events = [
      paid('i1', 0, [0, 30]),
      of('i2', 'payment_failed', 30, { periodStart: 30 }),
      of('i3', 'payment_failed', 60, { periodStart: 60 }),
    ]
    const { state, pastDueSince } = last([...events, paid('i2', 65, [30, 60])])
    assert.deepEqual([state, pastDueSince], ['past_due', 60])
  })

  it('M2: does not bring back what was ended: not the bill for what was used, not a month paid late', () => {
    const ended = [paid('i1', 0, [0, 30]), of(undefined, 'ended', 10)]
    for (const final of [paid('i2', 11, [0, 30]), paid('i2', 11, [0, 10]), paid('i2', 11, [9, 40]), paid('i2', 11, [undefined, 10])])
      assert.equal(at(12, [...ended, final]), 'no canceled')
    assert.equal(at(12, [...ended, of('i1', 'refunded', 11), paid('i2', 12, [0, 30])]), 'no canceled', 'after a refund')
    assert.equal(at(12, [...ended, paid('i2', 11, [10, 40])]), 'yes paid', 'a period after the end')
    assert.equal(at(12, [...ended, paid('i2', 11)]), 'yes paid', 'bought again, for no period')
  })

  it('M2: that was over when it was made gets no day more by an end at the same time', () => {
    assert.equal(last([paid('i1', 20, [undefined, 10]), of('i1', 'ended', 20), paid('i2', 21, [20])]).periodEnd, 10)
  })

  it('M2: made after a cancellation pays until its end, and does not take the cancellation back', () => {
    const canceled = [paid('i1', 0, [0, 30]), of('i2', 'payment_failed', 30), of(undefined, 'canceled', 35)]
    assert.equal(at(40, [...canceled, paid('i2', 40, [30, 60])]), 'yes paid_until_period_end')
    assert.equal(at(60, [...canceled, paid('i2', 40, [30, 60])]), 'no canceled')
  })
})

describe('A payment for a period after the current one', () => {
  it('made early extends what is paid, and a cancellation after it stands', () => {
    const early = [paid('i1', 0, [0, 30]), paid('i2', 25, [30, 60])]
    assert.deepEqual(is(last(early)), ['active', 60, undefined])
    assert.equal(at(40, [...early, of(undefined, 'canceled', 28)]), 'yes paid_until_period_end')
    assert.equal(at(29, [...early, of('i2', 'refunded', 28)]), 'yes paid')
    assert.equal(at(30, [...early, of('i2', 'refunded', 28)]), 'no expired')
  })
})

describe('A payment in the middle of a period', () => {
  it('that changes the plan counts at once, though the year before would have lasted longer', () => {
    const monthly = [paid('year', 0, [0, 365], { planId: 'year' }), paid('m1', 100, [100, 130], { planId: 'month' })]
    assert.deepEqual(is(last(monthly)), ['active', 130, 'month'])
    const upgrade = [paid('m', 0, [0, 30], { planId: 'small' }), paid('up', 10, [10, 30], { planId: 'big' })]
    assert.deepEqual(is(last(upgrade)), ['active', 30, 'big'])
  })

  it('that is given back leaves what was paid before it, as long as that lasts', () => {
    const upgrade = [paid('m', 0, [0, 30], { planId: 'small' }), paid('up', 10, [10, 30], { planId: 'big' })]
    for (const kind of ['refunded', 'disputed', 'dispute_lost', 'payment_undone'] as const) {
      assert.deepEqual(is(last([...upgrade, of('up', kind, 15)])), ['active', 30, 'small'], kind)
      assert.equal(at(30, [...upgrade, of('up', kind, 15)]), 'no expired', kind)
    }
    assert.deepEqual(is(last([...upgrade, of('m', 'refunded', 15)])), ['active', 30, 'big'], 'the older one given back')
    assert.equal(at(16, [...upgrade, of(undefined, 'refunded', 15)]), 'no refunded', 'all of it given back')
    assert.deepEqual(is(last([...upgrade, of('up', 'disputed', 15), of('up', 'dispute_won', 20)])), ['active', 30, 'big'])
  })

  it('L4: that is declined takes nothing from the month that is paid', () => {
    const declined = [paid('m', 0, [0, 30], { planId: 'small' }), of('up', 'payment_failed', 10, { planId: 'big', periodStart: 10 })]
    assert.deepEqual(is(last(declined)), ['past_due', 30, 'small'])
    assert.equal(at(29, declined), 'yes paid')
    assert.equal(last([...declined, paid('m2', 30, [30, 60])]).state, 'active')
    assert.equal(at(29, [paid('m', 0, [0, 30]), of('m2', 'payment_expired', 5)]), 'yes paid', 'a future bill that is deleted')
  })
})

describe('A refund', () => {
  it('of the current period, when the one before is over, ends access without days of grace', () => {
    const renewed = [paid('m1', 0, [0, 30]), paid('m2', 30, [30, 60])]
    assert.equal(at(31, [...renewed, of('m2', 'refunded', 31)]), 'no refunded')
    assert.equal(at(31, [paid('m1', 0), paid('m2', 30, [30, 60]), of('m2', 'refunded', 31)]), 'no refunded', 'whose end nobody stated')
  })

  it('of an older period takes nothing from the days of grace of the current one', () => {
    const ahead = [paid('m1', 0, [0, 7]), paid('m2', 7, [7, 14]), paid('m3', 13, [14, 21]), of('m3', 'refunded', 13)]
    assert.equal(fold([...ahead, of('m1', 'disputed', 15)])[0]?.state, fold(ahead)[0]?.state)
    assert.deepEqual(is(last([...ahead, of('m1', 'disputed', 15)])), is(last(ahead)))
    const paidLate = [paid('m2', 30, [30, 60]), paid('m1', 35, [0, 30]), of('m2', 'refunded', 36)]
    assert.equal(last(paidLate).state, 'refunded', 'an older period, paid later, does not go on')
  })

  it('L5: of one of two payments of a bill leaves it paid, of both does not', () => {
    const bill = [paid('i', 0, [0, 30], { amount: 10_000 })]
    const half = of('i', 'refunded', 2, { amount: 3_000 })
    assert.equal(at(3, [...bill, half]), 'yes paid')
    assert.equal(at(3, [...bill, half, of('i', 'refunded', 2, { amount: 7_000 })]), 'no refunded')
    assert.equal(at(3, [...bill, half, of('i', 'refunded', 2)]), 'no refunded', 'one says no amount')
    assert.equal(at(3, [paid('i', 0, [0, 30]), half]), 'no refunded', 'nobody knows what was paid')
  })

  it('L5: of one of two payments of a bill in another currency leaves it paid, of both does not', () => {
    const dollars = (amount: number, currency = 'USD') => ({ foreign: { currency, amount } })
    const bill = [paid('i', 0, [0, 30], dollars(9_900)), of('i', 'refunded', 2, dollars(4_950))]
    assert.equal(at(3, bill), 'yes paid')
    assert.equal(at(3, [...bill, of('i', 'refunded', 2, dollars(4_950))]), 'no refunded')
    assert.equal(at(3, [...bill, of('i', 'refunded', 2, dollars(100, 'EUR'))]), 'no refunded', 'one says no amount of this currency')
  })

  it('L5: that failed leaves the payment, and can be made again', () => {
    const failed = [paid('i', 0, [0, 30]), of('i', 'refunded', 2), of('i', 'refund_failed', 5)]
    assert.equal(at(6, failed), 'yes paid')
    assert.equal(fold(failed).length, 1)
    assert.equal(at(8, [...failed, of('i', 'refunded', 7)]), 'no refunded')
    const boughtAgain = [...failed.slice(0, 2), paid('j', 3, [3, 33]), ...failed.slice(2)]
    assert.deepEqual(fold(boughtAgain).map(is), [
      ['refunded', 30, undefined],
      ['active', 33, undefined],
    ])
  })

  it('L5: that failed of one of two payments of a bill leaves the other one given back', () => {
    const half = (amount: number) => of('i', 'refunded', 2, { amount })
    const failed = [paid('i', 0, [0, 30], { amount: 10_000 }), half(3_000), half(7_000), of('i', 'refund_failed', 5, { amount: 7_000 })]
    assert.equal(at(6, failed), 'yes paid')
    assert.equal(at(8, [...failed, of('i', 'refunded', 7, { amount: 7_000 })]), 'no refunded')
  })

  it('L9: by the operator is of the payments that it names: one made since counts, even by a clock that is behind', () => {
    assert.equal(at(11, [paid('i', 0), of('i', 'refunded', 10), paid('j', 9)]), 'yes paid')
    assert.equal(at(11, [paid('i', 0), of(undefined, 'refunded', 10), paid('j', 9)]), 'no refunded', 'of all that was there')
    const ended = [paid('i', 0), of('i', 'ended', 10)]
    assert.equal(at(11, ended), 'no canceled')
    assert.equal(at(11, [...ended, paid('j', 9)]), 'yes paid')
  })
})

describe('A bill that is not asked for any more', () => {
  it('L3: leaves nothing missing, and access as long as the vendor says that it serves', () => {
    const behind = [paid('i1', 0, [0, 30], { planId: 'a' }), of('i2', 'payment_failed', 30, { periodStart: 30 })]
    const { state, pastDueSince } = last([...behind, of('i2', 'payment_waived', 35)])
    assert.deepEqual([state, pastDueSince], ['active', undefined])
    assert.equal(at(40, [...behind, of('i2', 'payment_waived', 35)]), 'no expired')
    const served = [...behind, of('i2', 'payment_waived', 35, { periodStart: 30, periodEnd: 60, planId: 'b' })]
    assert.deepEqual(is(last(served)), ['active', 60, 'a'])
  })

  it('is no payment in the place of one that covers its time: what becomes of that money decides', () => {
    const paused = [paid('i1', 0, [0, 30], { amount: 100 }), of('i2', 'payment_waived', 12, { periodStart: 0, periodEnd: 30 })]
    const { paid: stated, ...rest } = last(paused)
    assert.deepEqual([rest.paymentId, stated?.amount, stated?.price], ['i1', 100, undefined])
    assert.equal(last([...paused, of('i1', 'refunded', 15)]).state, 'refunded')
    assert.equal(last([...paused, of('i1', 'disputed', 15)]).state, 'disputed')
    const late = [of('i2', 'payment_waived', 0, { periodStart: 0, periodEnd: 30 }), paid('i1', 1, [0, 30])]
    assert.equal(last(late).paymentId, 'i1')
  })

  it('serves for nothing, until it is paid after all', () => {
    const paused = [paid('i1', 0, [0, 30], { amount: 100 }), of('i2', 'payment_waived', 30, { periodStart: 30, periodEnd: 60 })]
    assert.deepEqual([last(paused).paid?.price, last(paused).periodEnd], [0, 60])
    const collected = last([...paused, paid('i2', 50, [30, 60], { amount: 100 })])
    assert.deepEqual([collected.state, collected.paid?.amount, collected.paid?.price], ['active', 100, undefined])
  })

  it('goes on with nothing that the operator has ended, or whose money is gone: that takes a payment', () => {
    const next = of('i2', 'payment_waived', 30, { periodStart: 30, periodEnd: 60 })
    const after = (...events: NewEvent[]) => [paid('i1', 0, [0, 30]), ...events]
    const stop = of('i1', 'ended', 20, { key: 'operator:1' })
    assert.equal(at(40, after(stop, next)), 'no canceled')
    assert.equal(at(40, after(stop, next, paid('i2', 35, [30, 60]))), 'yes paid')
    const back = of('i1', 'refunded', 10)
    assert.deepEqual(
      fold(after(back, next)).map(({ state }) => state),
      ['refunded'],
    )
    assert.deepEqual(
      fold(after(back, next, paid('i2', 35, [30, 60]))).map(({ state }) => state),
      ['refunded', 'active'],
    )
    const disputed = of('i1', 'disputed', 15)
    assert.equal(last(after(disputed, next)).state, 'disputed')
    assert.equal(at(40, after(disputed, next, of('i1', 'dispute_won', 35))), 'yes paid')
    assert.equal(last(after(disputed, next, of('i1', 'dispute_lost', 35))).state, 'refunded')
    assert.equal(at(40, after(disputed, of('i1', 'dispute_lost', 20), next, of('i1', 'dispute_won', 35))), 'yes paid', 'on appeal')
    assert.equal(at(40, after(of('i1', 'refunded', 25), next, of('i1', 'refund_failed', 33))), 'yes paid')
    const given = after(next, of('i1', 'refunded', 35))
    assert.equal(at(40, given), 'yes paid', 'the time for nothing was given before')
    const more = of('i3', 'payment_waived', 60, { periodStart: 60, periodEnd: 90 })
    assert.equal(at(70, [...given, more]), 'no expired', 'and no more is given')
    const half = (kind: PaymentKind, when: number) => of('i1', kind, when, { amount: 50, isOwn: true })
    const halves = [paid('i1', 0, [0, 30], { amount: 100 }), half('partially_refunded', 10), next, half('refunded', 35)]
    assert.equal(at(40, halves), 'yes paid', 'half of it was here when the time was given')
    const upgrade = [paid('i3', 5, [5, 30]), of('i3', 'refunded', 6)]
    assert.equal(at(40, after(...upgrade, next)), 'yes paid', 'the month before is still paid')
  })

  it('is over where the operator ends it or gives it back, however late it is delivered, until it is paid', () => {
    const [first, second] = [
      of('i1', 'payment_waived', 0, { periodStart: 0, periodEnd: 30 }),
      of('i2', 'payment_waived', 30, { periodStart: 30, periodEnd: 60 }),
    ]
    const back = (paymentId: string | undefined, when: number) => of(paymentId, 'refunded', when, { key: `operator:r:${when}` })
    assert.equal(last([first, back('i1', 10), second]).state, 'refunded')
    const failed = [paid('i1', 0, [0, 30]), of('i1', 'refunded', 10), of('i1', 'refund_failed', 12), second, back('i2', 40)]
    assert.equal(last([...failed, of('i3', 'payment_waived', 60, { periodStart: 60, periodEnd: 90 })]).state, 'refunded')
    const stop = of('i1', 'ended', 32, { key: 'operator:1' })
    assert.equal(at(40, [paid('i1', 0, [0, 30]), second, stop]), 'no canceled', 'the end knew of no second one')
    const other = [paid('i1', 0, [0, 30]), paid('i2', 30, [30, 60]), stop]
    assert.equal(at(70, [...other, of('i3', 'payment_waived', 60, { periodStart: 60, periodEnd: 90 })]), 'yes paid')
    const collected = [paid('i1', 0, [0, 30]), second, back('i2', 40), back('i1', 40), paid('i2', 50, [30, 60])]
    assert.equal(last(collected).state, 'active')
    assert.equal(last([first, back('i1', 10), paid('i1', 20, [0, 30])]).state, 'active')
  })

  it('takes no cancellation back where its time is paid', () => {
    const served = of('i2', 'payment_waived', 30, { periodStart: 30, periodEnd: 60 })
    assert.equal(last([paid('y', 0, [0, 365]), of(undefined, 'canceled', 10), served]).state, 'canceled')
  })

  it('goes on from the payment that counts, not from a longer one that was replaced or given back', () => {
    const year = paid('y', 0, [0, 365])
    const served = of('i3', 'payment_waived', 40, { periodStart: 40, periodEnd: 70 })
    assert.equal(at(50, [year, paid('i2', 10, [10, 40]), served]), 'yes paid')
    assert.equal(last([year, paid('i2', 10, [10, 40]), served]).periodEnd, 70)
    assert.equal(at(50, [year, of('y', 'refunded', 5), paid('i2', 10, [10, 40]), served]), 'yes paid')
    const anew = [paid('i1', 0, [0, 30]), of('i2', 'payment_waived', 30, { periodStart: 30, periodEnd: 60 }), paid('i3', 45, [45, 75])]
    assert.equal(at(55, [...anew, of('i3', 'refunded', 50)]), 'yes paid', 'the rest of what was served before')
  })
})

describe('Events of no payment', () => {
  it('M3: of a cancellation says until when is paid, where no payment does', () => {
    assert.equal(at(20, [paid('i', 0), of(undefined, 'canceled', 10, { periodEnd: 30 })]), 'yes paid_until_period_end')
    assert.equal(at(30, [paid('i', 0), of(undefined, 'canceled', 10, { periodEnd: 30 })]), 'no canceled')
    assert.equal(
      at(20, [paid('i', 0, [0, 15]), of(undefined, 'canceled', 10, { periodEnd: 30 })]),
      'no canceled',
      'the payment knows better',
    )
  })

  it('L8: does not replace the address of a payment', () => {
    const bought = [paid('i', 0, [0, 30], { email: 'buyer@example.com' })]
    assert.equal(last([...bought, of(undefined, 'canceled', 10, { email: 'payer@example.com' })]).email, 'buyer@example.com')
    assert.equal(last([...bought, paid('j', 30, [30, 60], { email: 'new@example.com' })]).email, 'new@example.com')
  })

  it('L5: a question of the bank takes nothing', () => {
    assert.equal(at(3, [paid('i', 0, [0, 30]), of('i', 'dispute_inquiry', 2)]), 'yes paid')
  })
})

describe('A period from a wrong clock', () => {
  it('begins with the payment where its beginning is not before its end, and lasts until the end that is stated', () => {
    assert.equal(at(5, [paid('i', 0, [40, 30])]), 'yes paid')
    assert.equal(at(30, [paid('i', 0, [40, 30])]), 'no expired')
    assert.deepEqual(is(last([paid('i', 0, [0, 30]), paid('j', 30, [99, 60])])), ['active', 60, undefined])
    assert.equal(at(1, [paid('i', 0, [20, 50])]), 'yes paid', 'a beginning that is still to come')
    assert.deepEqual(is(last([paid('i', 0, [0, 3e6]), paid('j', 30, [30, 60])])), ['active', 60, undefined], 'an end in the year 9999')
  })
})

/**
 * The reports of a gateway about one subscription, and the truth about it. Periods of 30 days follow one another; each is billed once, paid
 * or not, late or early, perhaps upgraded in its middle; money goes back and comes again. The truth knows payments with an interval each,
 * and nothing of the fold.
 */
interface Cover {
  from: number
  until: number
  planId: string
  isHere: boolean
}

const day = (min: number, max: number) => fc.integer({ min, max })

const fate = fc.oneof(
  { weight: 4, arbitrary: fc.constant<PaymentKind[]>([]) },
  fc.constantFrom<PaymentKind[]>(
    ['refunded'],
    ['refunded', 'refund_failed'],
    ['disputed'],
    ['disputed', 'dispute_won'],
    ['disputed', 'dispute_lost'],
    ['dispute_lost'],
    ['payment_undone'],
    ['partially_refunded'],
    ['dispute_inquiry'],
  ),
)
const TAKE: ReadonlySet<PaymentKind> = new Set(['refunded', 'disputed', 'dispute_lost', 'payment_undone'])
const GIVE_BACK: ReadonlySet<PaymentKind> = new Set(['refund_failed', 'dispute_won'])

interface Bill {
  id: string
  planId: string
  from: number
  until: number
  paidAt: number | undefined
  failures: number[]
  fate: PaymentKind[]
}

const anyBill = fc.record({
  paid: fc.option(day(-5, 75), { nil: undefined, freq: 5 }),
  failures: fc.array(day(0, 90), { maxLength: 2 }),
  fate,
  upgrade: fc.option(fc.record({ on: day(1, 29), paid: fc.boolean(), fate }), { nil: undefined, freq: 3 }),
})
const anySubscription = fc.record({
  bills: fc.array(anyBill, { minLength: 1, maxLength: 4 }),
  canceled: fc.option(day(0, 120), { nil: undefined, freq: 3 }),
  fateAfter: day(0, 12),
  now: day(0, 40),
})

function billsOf({ bills }: { bills: readonly (typeof anyBill extends fc.Arbitrary<infer B> ? B : never)[] }): Bill[] {
  return bills.flatMap(({ paid, failures, fate, upgrade }, i) => {
    const [from, until] = [i * 30, (i + 1) * 30]
    const month: Bill = {
      id: `m${i}`,
      planId: 'small',
      from,
      until,
      paidAt: paid === undefined ? undefined : Math.max(0, from + paid),
      failures: failures.map((after) => from + after),
      fate,
    }
    if (!upgrade) return [month]
    const on = from + upgrade.on
    return [
      month,
      { ...month, id: `u${i}`, planId: 'big', from: on, failures: [on], paidAt: upgrade.paid ? on : undefined, fate: upgrade.fate },
    ]
  })
}

describe('A buyer', () => {
  it('H2: whose payments cover now has access now, and none of whose payments does has none: in any vendor’s history', () => {
    const property = fc.property(
      anySubscription,
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      ({ fateAfter, canceled, now: later, ...rest }, order) => {
        const bills = billsOf(rest)
        const covers: Cover[] = []
        const events: NewEvent[] = canceled === undefined ? [] : [of(undefined, 'canceled', canceled)]
        for (const { id, planId, from, until, paidAt, failures, fate } of bills) {
          for (const failed of failures) events.push(of(id, 'payment_failed', failed, { periodStart: from, planId }))
          if (paidAt === undefined) continue
          events.push(paid(id, paidAt, [from, until], { planId }))
          events.push(...fate.map((kind, i) => of(id, kind, paidAt + (i + 1) * (fateAfter + 1))))
          const [change] = fate.filter((kind) => TAKE.has(kind) || GIVE_BACK.has(kind)).slice(-1)
          covers.push({ from: Math.min(from, paidAt), until, planId, isHere: change === undefined || GIVE_BACK.has(change) })
        }
        if (events.length === 0) return
        const now = Math.max(...events.map(({ at: when }) => when)) + later
        const holding = covers.filter(({ from, until, isHere }) => isHere && from <= now && now < until)
        const all = events.map(event)
        const mixed = all.toSorted((one, other) => (order[all.indexOf(one)] ?? 0) - (order[all.indexOf(other)] ?? 0))
        const folded = foldEvents(mixed)
        const subscription = folded.at(-1) ?? assert.fail()
        const { accessUntil } = validityOf(subscription, 0)
        const { active } = entitlementOf({ ...subscription, accessUntil }, now)
        assert.equal(active, holding.length > 0, JSON.stringify({ now, events, folded }))
        if (active)
          assert.ok(
            holding.some(({ planId }) => planId === subscription.planId),
            'a plan that is not paid for',
          )
        for (const { state, ...before } of folded.slice(0, -1))
          assert.ok(state === 'refunded' && validityOf({ state, ...before }, 7).accessUntil === 0)
      },
    )
    fc.assert(property, { numRuns: 5_000 })
  })
})
