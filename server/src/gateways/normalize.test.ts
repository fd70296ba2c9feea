import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GatewayEvent } from './gateway-event.ts'
import { normalize } from './normalize.ts'

const AT = Date.UTC(2026, 10, 21)
const paid: GatewayEvent = {
  key: 'pay_1 paid',
  kind: 'paid',
  subscriptionId: 'sub_1',
  paymentId: 'pay_1',
  paymentAliases: [],
  buyer: 'bia@example.com',
  amount: 9_990,
  method: 'card',
  occurredAt: AT - 1_000,
  periodEnd: AT + 30 * 86_400_000,
  plan: { slugs: ['curso'], refs: [], isOffer: true },
}
const normalizeNotification = (events: Partial<GatewayEvent>) =>
  normalize({ ...paid, ...events }, { gateway: 'stripe', productId: 'p', at: AT }).event

/** The possible results of JSON, a wrong unit, or a sum of either. */
const beyond = [1e18, 1e300, 2 ** 53, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

it('numbers that can be held are kept as they are', () => {
  const { at, amount, periodEnd } = normalizeNotification({})
  assert.deepEqual([at, amount, periodEnd], [paid.occurredAt, paid.amount, paid.periodEnd])
  assert.deepEqual([normalizeNotification({ amount: 0 }).amount, normalizeNotification({ occurredAt: 0 }).at], [0, 0])
})

it('an amount that nothing can hold is no amount', () => {
  for (const amount of beyond) assert.equal(normalizeNotification({ amount }).amount, undefined, String(amount))
  for (const purchaseAmount of beyond) assert.equal(normalizeNotification({ purchaseAmount }).purchaseAmount, undefined)
  assert.equal(normalizeNotification({ purchaseAmount: 29_970 }).purchaseAmount, 29_970)
})

it('a time that nothing can hold is that of receipt', () => {
  for (const occurredAt of [...beyond, 8.64e15]) assert.equal(normalizeNotification({ occurredAt }).at, AT, String(occurredAt))
})

it('an end that no calendar has is none, whichever days of grace come after it', () => {
  const year10000 = Date.UTC(9_999, 11, 31)
  for (const periodEnd of [...beyond, 8.64e15, year10000])
    assert.equal(normalizeNotification({ periodEnd }).periodEnd, undefined, String(periodEnd))
  const latest = Date.UTC(9_998, 0, 1)
  assert.equal(normalizeNotification({ periodEnd: latest }).periodEnd, latest)
  for (const periodStart of [...beyond, year10000])
    assert.equal(normalizeNotification({ periodStart }).periodStart, undefined, String(periodStart))
  assert.equal(normalizeNotification({ periodStart: AT }).periodStart, AT)
})

it('an end has the time at which it was stated, as far as that can be believed, and no time where there is no end', () => {
  const statedAt = (events: Partial<GatewayEvent>) => normalizeNotification(events).periodStatedAt
  assert.deepEqual([statedAt({}), statedAt({ periodStatedAt: AT - 1 })], [undefined, AT - 1])
  for (const periodStatedAt of [...beyond, AT + 1_000, AT + 9_000_000])
    assert.equal(statedAt({ periodStatedAt }), AT, String(periodStatedAt))
  assert.equal(statedAt({ periodStatedAt: AT, periodEnd: undefined }), undefined)
})
