import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { inOrder, PAYMENT_KINDS, type PaymentEvent } from '../events/payment-event.ts'
import { foldEvents } from './fold.ts'
import { foldAlong } from './fold-along.ts'

const few = <T>(...values: T[]) => fc.constantFrom(undefined, ...values)
const anyEvent = fc.record({
  kind: fc.oneof(fc.constant('paid' as const), fc.constantFrom(...PAYMENT_KINDS)),
  at: fc.nat({ max: 60 }),
  planId: few('small', 'big'),
  email: few('ana@example.com', 'bia@example.com'),
  isOwn: fc.boolean(),
  isByDueDays: few(true),
  paymentId: few('one', 'two', 'three'),
  amount: few(0, 30, 70, 100),
  foreign: few({ currency: 'USD', amount: 30 }, { currency: 'USD', amount: 60 }),
  method: few('card' as const, 'pix' as const),
  periodStart: few(0, 20, 40),
  periodEnd: few(20, 40, 70),
})

describe('A fold that goes along with a history', () => {
  for (const [order, arranged] of [
    ['by time', inOrder],
    ['in any order', (events: readonly PaymentEvent[]) => events],
  ] as const)
    it(`comes after each event to what all events so far come to, ${order}`, () => {
      const property = fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 14 }), (drawn) => {
        const events = arranged(drawn.map((event, i) => ({ ...event, key: `charge_${i % 3} k${i}` })))
        const fold = foldAlong()
        for (const [place, event] of events.entries()) {
          fold.add(event)
          const all = foldEvents(events.slice(0, place + 1))
          const { folded, number } = fold.last()
          assert.deepEqual([folded, number], [all.at(-1), all.length - 1])
        }
      })
      fc.assert(property, { numRuns: 3_000 })
    })

  it('knows which subscription each payment was made for, whatever happens to it later', () => {
    const fold = foldAlong()
    const add = (kind: PaymentEvent['kind'], at: number, paymentId: string) =>
      fold.add({
        ...{ kind, at, paymentId, key: `${kind} ${at}`, planId: 'small', email: undefined },
        ...{ amount: undefined, method: undefined, periodStart: undefined, periodEnd: undefined },
      })
    const numbers = () => ['first', 'second', 'third'].map((name) => fold.numberOf(`named ${name}`))
    add('paid', 1, 'first')
    add('refunded', 2, 'first')
    add('paid', 3, 'second')
    assert.deepEqual(numbers(), [0, 1, 1])
    add('refunded', 4, 'second')
    add('paid', 5, 'third')
    add('refund_failed', 6, 'first')
    assert.deepEqual([numbers(), fold.last().number], [[0, 1, 2], 2])
  })

  it('folds a long history once', () => {
    const events = Array.from({ length: 2_000 }, (_, i): PaymentEvent => {
      const at = i * 86_400_000
      const [kind, paymentId] = [i % 4 === 0 ? 'paid' : 'payment_failed', `p${Math.ceil(i / 4)}`] as const
      const about = { planId: 'small', email: undefined, amount: 4_900, method: undefined, periodStart: at, periodEnd: at + 345_600_000 }
      return { key: `charge_${i % 3} k${i}`, kind, at, paymentId, ...about }
    })
    let read = 0
    const fold = foldAlong()
    for (const event of events)
      fold.add(
        new Proxy(event, {
          get(target, name: keyof PaymentEvent) {
            read += 1
            return target[name]
          },
        }),
      )
    assert.equal(fold.last().folded.state, 'past_due')
    assert.ok(read < events.length * 100, `${read} values were read`)
  })
})
