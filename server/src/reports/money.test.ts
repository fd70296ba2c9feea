import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inOrder, PAYMENT_KINDS, type PaymentEvent, type PaymentKind } from '../payment-history/index.ts'
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
  return { ...nothing, key: `ch_1 ${kind} ${at}`, paymentId: 'p1', kind, at, ...more }
}
const paid = (at: number, more: Partial<PaymentEvent> = {}) => event('paid', at, { amount: PAID, ...more })

/** A part that the gateway has given back, as it says so far. */
const part = (at: number, soFar: number) => event('partially_refunded', at, { key: `ch_1 ${at}`, amount: soFar })

/** The movements as `day name value`. */
const moved = (...events: PaymentEvent[]) =>
  movementsOf(inOrder(events)).flatMap(({ at, moved, currency }) =>
    Object.entries(moved).flatMap(([name, value]) =>
      value === 0 ? [] : `${at} ${name} ${value}${currency === 'BRL' ? '' : ` ${currency}`}`,
    ),
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
    assert.deepEqual(moved(paid(1, { amount: 0 }), event('refunded', 2)), [])
  })

  it('is received where it was collected after all, and the operator had given back the time for nothing before', () => {
    const served = [event('payment_waived', 1), event('refunded', 4, { key: 'operator:a' })]
    assert.deepEqual(moved(...served), [])
    const collected = [...served, paid(5)]
    assert.deepEqual(moved(...collected), ['5 payments 1', `5 received ${PAID}`])
    assert.deepEqual(moved(...collected, event('refunded', 6, { key: 'operator:b' })).slice(2), ['6 refunds 1', `6 refunded ${PAID}`])
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
    const unknown = ['1 payments 1', '1 payments_without_amount 1']
    assert.deepEqual(moved(paid(1, { amount: undefined }), event('refunded', 2), event('refunded', 3)), [...unknown, '2 refunds 1'])
    assert.deepEqual(moved(paid(1, { amount: undefined }), part(2, 500), part(3, 900), part(4, 900)), [
      ...[...unknown, '2 refunds 1'],
      '3 refunds 1',
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
    const expected = [...RECEIVED, '2 refunds 1', '2 refunded 2000', '3 refunds 1', '3 refunded 1500', '5 refunds 1', '5 refunded 6400']
    assert.deepEqual(
      moved(paid(1), part(2, 2_000), part(3, 3_500), part(4, 3_500), event('refunded', 5, { key: 'ch_1 5', amount: PAID })),
      expected,
    )
  })

  it('is given back by each of its charges, whose reports are each of one charge', () => {
    const of = (charge: string, at: number, amount: number) => event('refunded', at, { key: `${charge}:refunded:${at}`, amount })
    assert.deepEqual(moved(paid(1), of('ch_1', 2, 3_300), of('ch_2', 3, 3_300), of('ch_3', 4, 3_300), of('ch_3', 5, 3_300)), [
      ...RECEIVED,
      ...[2, 3, 4].flatMap((day) => [`${day} refunds 1`, `${day} refunded 3300`]),
    ])
    assert.deepEqual(moved(paid(1), part(2, 1_000), of('ch_2', 3, 2_000), of('ch_1', 4, 7_900)), [
      ...[...RECEIVED, '2 refunds 1', '2 refunded 1000'],
      ...['3 refunds 1', '3 refunded 2000', '4 refunds 1', '4 refunded 6900'],
    ])
  })

  it('is given back once, though an order and its payments both report it, in any order', () => {
    const ofOrder = (at: number, amount: number, kind: PaymentKind = 'partially_refunded') =>
      event(kind, at, { key: `order ORD1 refunded ${at}`, amount })
    const ofPayment = (id: string, at: number, amount: number) => event('refunded', at, { key: `payment ${id} refunded ${at}`, amount })
    const both = ['2 refunds 1', '2 refunded 4000', '4 refunds 1', '4 refunded 5900']
    const reports = [
      [ofPayment('1', 2, 4_000), ofOrder(3, 4_000), ofPayment('2', 4, 5_900), ofOrder(5, PAID, 'refunded')],
      [ofOrder(2, 4_000), ofPayment('1', 3, 4_000), ofOrder(4, PAID, 'refunded'), ofPayment('2', 5, 5_900)],
      [ofPayment('1', 2, 4_000), ofPayment('2', 4, 5_900)],
    ]
    for (const said of reports) assert.deepEqual(moved(paid(1), ...said), [...RECEIVED, ...both])
  })

  it('is disputed once, though an order and its payment both report it, in either order', () => {
    const of = (thing: string, kind: PaymentKind, at: number) => event(kind, at, { key: `${thing} charged_back ${kind}`, amount: PAID })
    for (const [one, other] of [
      ['order ORD1', 'payment 7'],
      ['payment 7', 'order ORD1'],
    ] as const) {
      const lost = [of(one, 'disputed', 2), of(other, 'disputed', 3), of(one, 'dispute_lost', 4), of(other, 'dispute_lost', 5)]
      const once = [...RECEIVED, '2 disputes 1', `2 disputed ${PAID}`, `4 lost_in_disputes ${PAID}`]
      assert.deepEqual(moved(paid(1), ...lost), once)
      assert.deepEqual(moved(paid(1), ...lost, of(other, 'dispute_won', 6)), [...once, `6 lost_in_disputes -${PAID}`])
    }
  })

  it('is disputed as far as the payments of an order are, though the order states its whole amount', () => {
    const of = (thing: string, kind: PaymentKind, at: number, amount: number) => event(kind, at, { key: `${thing} ${kind}`, amount })
    const first = [of('order ORD1', 'disputed', 2, PAID), of('payment 7', 'disputed', 3, 6_000), of('payment 8', 'disputed', 4, 3_900)]
    const opened = [...RECEIVED, '2 disputes 1', `2 disputed ${PAID}`, '3 disputed -3900', '4 disputes 1', '4 disputed 3900']
    assert.deepEqual(moved(paid(1), ...first), opened)
    const lost = [of('order ORD1', 'dispute_lost', 5, PAID), of('payment 7', 'dispute_lost', 6, 6_000)]
    const one = [...RECEIVED, '2 disputes 1', '2 disputed 6000', '5 lost_in_disputes 6000']
    assert.deepEqual(moved(paid(1), of('payment 7', 'disputed', 2, 6_000), ...lost), one)
    // The part is heard of when all is lost already.
    const late = [of('order ORD1', 'disputed', 2, PAID), ...lost, of('payment 7', 'dispute_won', 7, 6_000)]
    assert.deepEqual(moved(paid(1), ...late), [
      ...[...RECEIVED, '2 disputes 1', `2 disputed ${PAID}`, `5 lost_in_disputes ${PAID}`],
      ...['6 lost_in_disputes -3900', '7 lost_in_disputes -6000'],
    ])
  })

  it('is given back once, though the gateway and the own checkout both report it, in either order', () => {
    const byGateway = (at: number) => event('partially_refunded', at, { key: `ch_1:${at}`, amount: 4_000 })
    const byOwner = (at: number) => event('partially_refunded', at, { key: `own ${at}`, amount: 4_000, isOwn: true })
    const once = [...RECEIVED, '2 refunds 1', '2 refunded 4000']
    assert.deepEqual(moved(paid(1), byGateway(2), byOwner(3)), once)
    assert.deepEqual(moved(paid(1), byOwner(2), byGateway(3)), once)
    assert.deepEqual(moved(paid(1), byOwner(2), byGateway(3), byOwner(4)), [...once, '4 refunds 1', '4 refunded 4000'])
  })

  it('stays with the seller where the refund fails, and was never there where the payment is undone', () => {
    const refunded = ['2 refunds 1', `2 refunded ${PAID}`]
    assert.deepEqual(moved(paid(1), event('refunded', 2), event('refund_failed', 3)), [
      ...[...RECEIVED, ...refunded],
      ...['3 refunds -1', `3 refunded -${PAID}`],
    ])
    const parts = [part(2, 2_000), part(3, 5_000)]
    const both = [...RECEIVED, '2 refunds 1', '2 refunded 2000', '3 refunds 1', '3 refunded 3000']
    const oneBack = [...both, '4 refunds -1', '4 refunded -3000']
    const ofCharge = (charge: string, at: number, amount: number) => event('refunded', at, { key: `${charge}:refunded:${at}`, amount })
    const twice = [ofCharge('ch_1', 2, 5_900), ofCharge('ch_2', 3, 4_000), event('refund_failed', 4, { key: 're_2', amount: 4_000 })]
    assert.deepEqual(moved(paid(1), ...twice, ofCharge('ch_2', 5, 4_000)).slice(6), [
      ...['4 refunds -1', '4 refunded -4000'],
      ...['5 refunds 1', '5 refunded 4000'],
    ])
    const failed = event('refund_failed', 4, { key: 're_2:refund_failed', amount: 3_000 })
    assert.deepEqual(moved(paid(1), ...parts, failed), oneBack)
    assert.deepEqual(moved(paid(1), ...parts, failed, part(5, 5_000)), [...oneBack, '5 refunds 1', '5 refunded 3000'])
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

  it('is lost as far as the dispute goes, of which there can be several', () => {
    const of = (kind: PaymentKind, dispute: string, at: number, amount?: number) =>
      event(kind, at, { key: `${dispute}:${kind}`, ...(amount !== undefined && { amount }) })
    const opened = [...RECEIVED, '2 disputes 1', '2 disputed 3300']
    const first = [of('disputed', 'dp_1', 2, 3_300), of('dispute_lost', 'dp_1', 4, 3_300)]
    assert.deepEqual(moved(paid(1), ...first), [...opened, '4 lost_in_disputes 3300'])
    const second = [of('disputed', 'dp_2', 3, 6_000), of('dispute_lost', 'dp_2', 5)]
    const two = [...opened, '3 disputes 1', '3 disputed 6000', '4 lost_in_disputes 3300', '5 lost_in_disputes 6000']
    assert.deepEqual(moved(paid(1), ...first, ...second), two)
    assert.deepEqual(moved(paid(1), ...first, ...second, of('dispute_won', 'dp_1', 6)), [...two, '6 lost_in_disputes -3300'])
    // Nobody has reported its beginning.
    assert.deepEqual(moved(paid(1), of('dispute_lost', 'dp_1', 4)), [...RECEIVED, `4 lost_in_disputes ${PAID}`])
    assert.deepEqual(moved(paid(1), part(2, 4_000), of('disputed', 'dp_1', 3, PAID), of('dispute_lost', 'dp_1', 4, PAID)), [
      ...[...RECEIVED, '2 refunds 1', '2 refunded 4000'],
      ...['3 disputes 1', '3 disputed 5900', '4 lost_in_disputes 5900'],
    ])
  })

  it('is disputed once, though the gateway and the own checkout both report it, in either order', () => {
    const byGateway = (kind: PaymentKind, at: number) => event(kind, at, { key: `dp_1:${kind}`, amount: 3_300 })
    const byOwner = (kind: PaymentKind, at: number) => event(kind, at, { key: `own ${kind}`, amount: 3_300, isOwn: true })
    const once = [...RECEIVED, '2 disputes 1', '2 disputed 3300', '4 lost_in_disputes 3300']
    for (const [one, other] of [
      [byGateway, byOwner],
      [byOwner, byGateway],
    ] as const) {
      const reports = [one('disputed', 2), other('disputed', 3), one('dispute_lost', 4), other('dispute_lost', 5)]
      assert.deepEqual(moved(paid(1), ...reports), once)
      assert.deepEqual(moved(paid(1), ...reports, other('dispute_won', 6), one('dispute_won', 7)), [...once, '6 lost_in_disputes -3300'])
      const crossed = [one('disputed', 2), other('dispute_lost', 4), one('dispute_lost', 5)]
      assert.deepEqual(moved(paid(1), ...crossed), once)
    }
  })

  it("stays lost where a bank's inquiry is closed, though the own checkout calls that a win", () => {
    const of = (dispute: string, kind: PaymentKind, at: number) => event(kind, at, { key: `${dispute}:${kind}` })
    const own = event('dispute_won', 6, { key: 'own', isOwn: true })
    const lost = [paid(1), of('du_2', 'disputed', 2), of('du_2', 'dispute_lost', 4)]
    const once = [...RECEIVED, '2 disputes 1', `2 disputed ${PAID}`, `4 lost_in_disputes ${PAID}`]
    assert.deepEqual(moved(...lost, of('du_1', 'dispute_won', 5), own), once)
    const back = [...once, `6 lost_in_disputes -${PAID}`]
    assert.deepEqual(moved(...lost, own, of('du_1', 'dispute_won', 7)), [...back, `7 lost_in_disputes ${PAID}`])
    // An amount that was given back in between is not lost once more.
    assert.deepEqual(moved(...lost, own, part(7, 4_000), of('du_1', 'dispute_won', 8)), [
      ...[...back, '7 refunds 1', '7 refunded 4000'],
      `8 lost_in_disputes ${PAID - 4_000}`,
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
    // What the gateway gave back before is a refund of its own.
    assert.deepEqual(moved(paid(1), part(3, 4_000), event('refunded', 5, { key: 'operator:a' })), [
      ...RECEIVED,
      ...['3 refunds 1', '3 refunded 4000', '5 refunds 1', '5 refunded 5900'],
    ])
    // A purchase without a name of its payment.
    const unnamed = paid(1, { paymentId: undefined })
    assert.deepEqual(moved(unnamed, event('refunded', 5, { key: 'operator:a', paymentId: undefined })), [
      ...RECEIVED,
      ...['5 refunds 1', `5 refunded ${PAID}`],
    ])
    // The own checkout says later what the operator did, without a name of the payment.
    const later = event('refunded', 40, { key: 'own refund', paymentId: undefined, isOwn: true, amount: PAID })
    assert.deepEqual(moved(paid(1), event('refunded', 5, { key: 'operator:a' }), later), [
      ...RECEIVED,
      ...['40 refunds 1', `40 refunded ${PAID}`],
    ])
  })

  describe('counts with the plan', () => {
    /** The plans under which money is received and given back, as `day plan`. */
    const plans = (...events: PaymentEvent[]) =>
      movementsOf(inOrder(events)).flatMap(({ at, moved, planId }) => (moved.payments || moved.refunds ? `${at} ${planId}` : []))
    const of = (paymentId: string, planId?: string) => ({ paymentId, planId, key: `${paymentId} ${planId}` })
    const standard = paid(1, of('p1', 'standard'))
    const renewal = paid(9, of('p3'))
    const refund = event('refunded', 10, { paymentId: 'p3' })

    it('of the payment before it where it names none, whatever anything but a payment names', () => {
      for (const kind of PAYMENT_KINDS.filter((kind) => kind !== 'paid' && kind !== 'granted')) {
        const declined = event(kind, 5, of('p2', 'pro'))
        assert.deepEqual(plans(standard, declined, renewal, refund), ['1 standard', '9 standard', '10 standard'], kind)
      }
      const given = event('granted', 5, of('p2', 'pro'))
      assert.deepEqual(plans(standard, given, renewal, refund), ['1 standard', '9 pro', '10 pro'])
    })

    it('of the payment made before it, though it was asked for earlier', () => {
      const asked = event('payment_pending', 4, of('p3'))
      assert.deepEqual(plans(standard, asked, paid(5, of('p2', 'pro')), renewal), ['1 standard', '5 pro', '9 pro'])
    })

    it('of the last payment, though an earlier one is reported again', () => {
      const repeated = paid(6, { ...of('p1', 'standard'), key: 'again' })
      assert.deepEqual(plans(standard, paid(5, of('p2', 'pro')), repeated, renewal), ['1 standard', '5 pro', '9 pro'])
    })

    it('that it names itself, else the first that anything names', () => {
      const asked = event('payment_pending', 1, of('p1', 'standard'))
      const declined = event('payment_failed', 2, of('p2', 'pro'))
      assert.deepEqual(plans(asked, declined, paid(3, of('p1')), renewal, refund), ['3 standard', '9 standard', '10 standard'])
      assert.deepEqual(plans(standard, paid(3, of('p2')), paid(4, of('p2', 'pro'))), ['1 standard', '3 pro'], 'another report names it')
      // Money that was received under no plan is given back under none.
      assert.deepEqual(plans(paid(1, of('p1')), declined, event('refunded', 5)), ['1 undefined', '5 undefined'])
    })
  })
})

describe('The money of a purchase in parts, each of which is paid by itself', () => {
  const share = (n: number, at: number, more: Partial<PaymentEvent> = {}) =>
    event('paid', at, { key: `pay_${n} paid`, amount: 3_330, purchaseAmount: 9_990, ...more })
  const back = (n: number, at: number, amount = 3_330) => event('refunded', at, { key: `pay_${n} refunded`, amount })
  const own = (kind: PaymentKind, at: number, more: Partial<PaymentEvent> = {}) =>
    event(kind, at, { key: `own ${at}`, isOwn: true, ...more })
  const TWO = ['1 payments 1', '1 received 3330', '32 received 3330']

  it('is that of the parts that were paid, each once, on its own day; it is one payment', () => {
    assert.deepEqual(moved(share(1, 1)), TWO.slice(0, 2))
    assert.deepEqual(moved(share(1, 1), share(2, 32)), TWO)
    assert.deepEqual(moved(share(2, 32), share(1, 1), share(2, 32), share(1, 40, { key: 'pay_1 paid again' })), TWO)
    assert.deepEqual(moved(share(1, 1), share(2, 32), share(3, 63)), [...TWO, '63 received 3330'])
  })

  it('is not counted again where the own checkout reports the whole, which counts as long as no part is known', () => {
    for (const at of [0, 1, 40]) assert.deepEqual(moved(own('paid', at, { amount: 9_990 }), share(1, 1), share(2, 32)), TWO, String(at))
    assert.deepEqual(moved(own('paid', 1, { amount: 9_990 })), ['1 payments 1', '1 received 9990'])
  })

  it('is no more than the whole, where an earlier version has kept the whole with a part', () => {
    const whole = event('paid', 1, { key: 'pay_1 paid', amount: 9_990 })
    assert.deepEqual(moved(whole, share(2, 32)), ['1 payments 1', '1 received 9990'])
    assert.deepEqual(moved(share(1, 1), event('paid', 32, { key: 'pay_2 paid', amount: 9_990 })), [...TWO.slice(0, 2), '32 received 6660'])
    assert.deepEqual(moved(whole, share(2, 32), back(3, 40)), ['1 payments 1', '1 received 9990', '40 refunds 1', '40 refunded 3330'])
  })

  it('is given back no further than it came', () => {
    const given = ['40 refunds 1', '40 refunded 3330']
    assert.deepEqual(moved(share(1, 1), share(2, 32), back(2, 40)), [...TWO, ...given])
    assert.deepEqual(moved(share(1, 1), share(2, 32), back(2, 40, 9_990)), [...TWO, ...given], 'of a part no more than it')
    assert.deepEqual(moved(share(1, 1), back(2, 40)), TWO.slice(0, 2), 'of a part that was never paid')
    assert.deepEqual(moved(share(1, 1), back(1, 40), back(1, 41)), [...TWO.slice(0, 2), ...given])
    const all = own('refunded', 40)
    assert.deepEqual(moved(share(1, 1), share(2, 32), all), [...TWO, '40 refunds 1', '40 refunded 6660'])
    assert.deepEqual(moved(share(1, 1), share(2, 32), all, share(3, 63), own('refunded', 64)), [
      ...[...TWO, '40 refunds 1', '40 refunded 6660'],
      ...['63 received 3330', '64 refunds 1', '64 refunded 3330'],
    ])
    const undone = event('payment_undone', 40)
    assert.deepEqual(moved(share(1, 1), share(2, 32), undone), [...TWO, '40 payments -1', '40 received -6660'])
  })

  it('is lost in a dispute of a part as far as that part was paid', () => {
    const of = (kind: PaymentKind, n: number, at: number) => event(kind, at, { key: `pay_${n} ${kind}`, amount: 9_990 })
    assert.deepEqual(moved(share(1, 1), share(2, 32), of('disputed', 1, 40), of('dispute_lost', 1, 50)), [
      ...[...TWO, '40 disputes 1', '40 disputed 3330'],
      '50 lost_in_disputes 3330',
    ])
    assert.deepEqual(moved(share(1, 1), share(2, 32), back(1, 40), of('dispute_lost', 1, 50)), [
      ...[...TWO, '40 refunds 1', '40 refunded 3330'],
    ])
    assert.deepEqual(moved(share(1, 1), share(2, 32), of('dispute_lost', 1, 40), back(1, 50)), [...TWO, '40 lost_in_disputes 3330'])
  })
})
