import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inOrder, type PaymentEvent } from './payment-event.ts'
import { keyOfAction, withoutDuplicates } from './without-duplicates.ts'

const NOTHING = { planId: undefined, email: undefined, amount: undefined, method: undefined, periodStart: undefined, periodEnd: undefined }
type NewEvent = PaymentEvent & { notificationId: string | undefined }

const event = (key: string, kind: PaymentEvent['kind'], at: number, more: Partial<NewEvent> = {}): NewEvent => ({
  ...{ ...NOTHING, key, kind, at, paymentId: 'p1', notificationId: `n ${key}`, ...more },
})
const paid = event('paid', 'paid', 1, { amount: 100 })
/** The events that the operator's refund adds: of the payment, and of all that were made up to then. */
const action = (id: string, at: number, ...payments: string[]): NewEvent[] => [
  ...payments.map((paymentId, place) => event(keyOfAction(id, place), 'refunded', at, { paymentId, notificationId: undefined })),
  event(keyOfAction(id, payments.length), 'refunded', 1, { paymentId: undefined, notificationId: undefined }),
]
const shown = (...events: NewEvent[]) =>
  withoutDuplicates(inOrder(events) as NewEvent[]).map(({ key, amount, notificationId }) =>
    [key, amount, notificationId].filter((one) => one !== undefined).join(' '),
  )

describe('A refund by the operator', () => {
  it('is shown once, though it is an event of a payment and of all before', () => {
    assert.deepEqual(shown(paid, ...action('d', 5, 'p1')), ['paid 100 n paid', 'operator:d'])
    assert.deepEqual(shown(paid, ...action('d', 5, 'p1', 'p0')), ['paid 100 n paid', 'operator:d'])
    assert.deepEqual(shown(paid, ...action('d', 5)), ['operator:d', 'paid 100 n paid'].toReversed(), 'of payments without a name')
  })

  it('of what was served for nothing is another one than the gateway’s of the money that came later', () => {
    const served = event('served', 'payment_waived', 1)
    const later = [event('paid', 'paid', 6, { amount: 100 }), event('g', 'refunded', 9, { amount: 100 })]
    assert.deepEqual(shown(served, ...action('d', 5, 'p1'), ...later), ['served n served', 'operator:d', 'paid 100 n paid', 'g 100 n g'])
    const again = shown(served, ...action('d', 5, 'p1'), ...later, ...action('e', 8, 'p1'))
    assert.deepEqual(again, ['served n served', 'operator:d', 'paid 100 n paid', 'operator:e 100 n g'])
  })

  it('and the gateway’s are one, whichever comes first, late or twice, with its amount and notification', () => {
    for (const [at, amount] of [
      [9, 100],
      [5, undefined],
      [3, 100],
      [9, 60],
    ] as const) {
      const late = event('g', 'refunded', at, { amount })
      const one = ['operator:d', amount, 'n g'].filter((text) => text !== undefined).join(' ')
      assert.deepEqual(shown(paid, ...action('d', 5, 'p1'), late), ['paid 100 n paid', one], `day ${at}`)
      assert.deepEqual(shown(paid, ...action('d', 5, 'p1'), late, event('h', 'refunded', at + 1, { amount: 100 })), [
        'paid 100 n paid',
        one,
      ])
    }
  })

  it('hides neither a part that was given back before, nor the refund of another payment, nor other events', () => {
    const part = event('part', 'refunded', 3, { amount: 40 })
    const ofPart = event('paid', 'paid', 1, { amount: 40, purchaseAmount: 100 })
    assert.deepEqual(shown(ofPart, part, ...action('d', 5, 'p1')), ['paid 40 n paid', 'part 40 n part', 'operator:d'])
    const normalized = shown(paid, part, ...action('d', 5, 'p1'), event('g', 'refunded', 6, { amount: 60 }))
    assert.deepEqual(normalized, ['paid 100 n paid', 'part 40 n part', 'operator:d 60 n g'])
    const other = [event('paid 2', 'paid', 7, { paymentId: 'p2' }), event('back', 'refunded', 8, { paymentId: 'p2' })]
    const failed = event('failed', 'refund_failed', 9)
    assert.deepEqual(shown(paid, ...action('d', 5, 'p1'), ...other, failed), [
      'paid 100 n paid',
      'operator:d',
      'paid 2 n paid 2',
      'back n back',
      'failed n failed',
    ])
  })

  it('is one of several, where another purchase was given back after it', () => {
    const second = event('paid 2', 'paid', 7, { paymentId: 'p2' })
    assert.deepEqual(shown(paid, ...action('d', 5, 'p1'), second, ...action('e', 8, 'p2')), [
      'paid 100 n paid',
      'operator:d',
      'paid 2 n paid 2',
      'operator:e',
    ])
  })

  it('leaves the gateway’s own alone where the operator has none', () => {
    assert.deepEqual(shown(paid, event('g', 'refunded', 5), event('h', 'refunded', 6)), ['paid 100 n paid', 'g n g', 'h n h'])
  })
})
