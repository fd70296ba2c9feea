import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { PaymentEvent } from './payment-event.ts'
import { withPaymentFacts } from './with-payment-facts.ts'

const event = (key: string, kind: PaymentEvent['kind'], at: number, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
  ...{ planId: undefined, email: undefined, amount: undefined, method: undefined, periodStart: undefined, periodEnd: undefined },
  ...{ key, kind, at, paymentId: 'p1', ...more },
})
const paid = event('paid', 'paid', 1, { planId: 'plan', amount: 100, method: 'card' })
const said = (key: string, ...events: PaymentEvent[]) => {
  const found = withPaymentFacts(events, events).find((one) => one.key === key)
  return [found?.planId, found?.method, found?.amount]
}

it('A refund says what was bought, how, and for how much, though its sender says only which payment it is of', () => {
  assert.deepEqual(said('r', paid, event('r', 'refunded', 5)), ['plan', 'card', 100])
  assert.deepEqual(said('r', paid, event('r', 'refunded', 5, { amount: 30 })), ['plan', 'card', 30])
  assert.deepEqual(said('d', paid, event('d', 'disputed', 5)), ['plan', 'card', 100])
  assert.deepEqual(said('c', paid, event('c', 'canceled', 5)), ['plan', 'card', undefined], 'which is of no money')
  assert.deepEqual(said('r', paid, event('part', 'refunded', 3, { amount: 40 }), event('r', 'refunded', 5)), ['plan', 'card', 60])
  const part = (isOwn: boolean) => event('part', 'partially_refunded', 3, { amount: 40, isOwn })
  assert.deepEqual(said('r', paid, part(true), event('r', 'refunded', 5)), ['plan', 'card', 60])
  assert.deepEqual(
    said('r', paid, part(false), event('r', 'refunded', 5)),
    ['plan', 'card', 100],
    'a gateway says what it gave back so far',
  )
})

it('An action of the operator is of all payments that it names, and of an amount only where each is known', () => {
  const older = event('older', 'paid', 0, { planId: 'plan', amount: 50, paymentId: 'p0' })
  const action = [event('operator:d', 'refunded', 5), event('operator:d:1', 'refunded', 5, { paymentId: 'p0' })]
  assert.deepEqual(said('operator:d', paid, older, ...action), ['plan', 'card', 150])
  assert.deepEqual(said('operator:d', paid, { ...older, amount: undefined }, ...action), ['plan', 'card', undefined])
})

it('A refund of a purchase in parts is of the parts that were paid by then', () => {
  const part = (n: number, at: number) => event(`${n}`, 'paid', at, { planId: 'plan', method: 'boleto', amount: 30, purchaseAmount: 90 })
  const own = event('own', 'paid', 1, { planId: 'plan', method: 'boleto', amount: 90, isOwn: true })
  const refund = event('r', 'refunded', 5)
  assert.deepEqual(said('r', own, part(1, 1), part(2, 4), refund, part(3, 6)), ['plan', 'boleto', 60])
  assert.deepEqual(said('r', own, refund, part(1, 6)), ['plan', 'boleto', 90], 'none is known to be paid')
})

it('A refund in another currency is of what was paid in it, and never a sum of several', () => {
  const inDollars = (amount: number) => ({ amount: undefined, foreign: { currency: 'USD', amount } })
  const sold = event('paid', 'paid', 1, { planId: 'plan', method: 'card', ...inDollars(100) })
  const moneyOf = (key: string, ...events: PaymentEvent[]) => {
    const found = withPaymentFacts(events, events).find((one) => one.key === key)
    return [found?.amount, found?.foreign]
  }
  assert.deepEqual(moneyOf('r', sold, event('r', 'refunded', 5)), [undefined, { currency: 'USD', amount: 100 }])
  const part = event('part', 'refunded', 3, inDollars(40))
  assert.deepEqual(moneyOf('r', sold, part, event('r', 'refunded', 5)), [undefined, { currency: 'USD', amount: 60 }])
  const inReais = event('part', 'refunded', 3, { amount: 40 })
  assert.deepEqual(moneyOf('r', sold, inReais, event('r', 'refunded', 5)), [undefined, undefined])
  const older = event('older', 'paid', 0, { planId: 'plan', amount: 50, paymentId: 'p0' })
  const action = [event('operator:d', 'refunded', 5), event('operator:d:1', 'refunded', 5, { paymentId: 'p0' })]
  assert.deepEqual(moneyOf('operator:d', sold, older, ...action), [undefined, undefined])
})

it('What is not known stays unknown, and a payment is what it says itself', () => {
  assert.deepEqual(said('r', event('r', 'refunded', 5)), [undefined, undefined, undefined])
  assert.deepEqual(said('r', paid, event('r', 'refunded', 5, { paymentId: undefined })), [undefined, undefined, undefined])
  assert.deepEqual(said('again', paid, event('again', 'paid', 5)), [undefined, undefined, undefined])
})
