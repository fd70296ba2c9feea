import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '../../kit/index.ts'
import type { SubscriptionState } from '../subscription-states.ts'
import { entitlementOf, graceDays, hasGrace, validityOf } from './entitlement.ts'

const END = Date.UTC(2026, 5, 1)
const FOREVER = Number.POSITIVE_INFINITY

interface Dates {
  periodEnd?: number
  pastDueSince?: number
  endedAt?: number
}

/** Where a subscription with these dates and three days of grace stands at a time. */
function at(now: number, state: SubscriptionState, { periodEnd, pastDueSince, endedAt }: Dates) {
  const { accessUntil } = validityOf({ state, periodEnd, pastDueSince, endedAt, isGranted: false }, 3)
  const { active, status, reason } = entitlementOf({ state, periodEnd, accessUntil }, now)
  return `${active ? 'yes' : 'no'} ${status} ${reason}`
}

describe('Access', () => {
  it('is paid until the last millisecond of the period, then in grace until the last one of grace, then expired', () => {
    const paid = { periodEnd: END }
    assert.equal(at(END - 1, 'active', paid), 'yes active paid')
    assert.equal(at(END, 'active', paid), 'yes active in_grace')
    assert.equal(at(END + 1, 'active', paid), 'yes active in_grace')
    assert.equal(at(END + 3 * DAY_MS - 1, 'active', paid), 'yes active in_grace')
    assert.equal(at(END + 3 * DAY_MS, 'active', paid), 'no expired expired')
    assert.equal(at(END + 3 * DAY_MS + 1, 'active', paid), 'no expired expired')
  })

  it('that states no end holds until other events', () => {
    assert.equal(at(8.64e15, 'active', {}), 'yes active paid')
    assert.equal(hasGrace({ state: 'active', periodEnd: undefined, pastDueSince: undefined, endedAt: undefined, isGranted: false }), false)
    assert.equal(hasGrace({ state: 'active', periodEnd: END, pastDueSince: undefined, endedAt: undefined, isGranted: false }), true)
    assert.equal(hasGrace({ state: 'past_due', periodEnd: undefined, pastDueSince: END, endedAt: undefined, isGranted: false }), true)
  })

  it('L4: of one that is past due is paid until the end of the period, whatever failed within it', () => {
    const declined = { periodEnd: END, pastDueSince: END - 20 * DAY_MS }
    assert.equal(at(END - 1, 'past_due', declined), 'yes active paid')
    assert.equal(at(END, 'past_due', declined), 'yes past_due in_grace')
  })

  it('of one that is past due ends with the grace after the paid period, or after the failure where no period is known', () => {
    assert.equal(at(END - 1, 'past_due', { pastDueSince: END }), 'yes past_due in_grace')
    for (const dates of [{ periodEnd: END, pastDueSince: END - DAY_MS }, { pastDueSince: END }]) {
      assert.equal(at(END + 3 * DAY_MS - 1, 'past_due', dates), 'yes past_due in_grace')
      assert.equal(at(END + 3 * DAY_MS, 'past_due', dates), 'no past_due past_due')
    }
  })

  it('of one that is canceled ends with the paid period, without grace; where no end was paid for, at once', () => {
    assert.equal(at(END - 1, 'canceled', { periodEnd: END }), 'yes canceled paid_until_period_end')
    assert.equal(at(END, 'canceled', { periodEnd: END }), 'no canceled canceled')
    assert.equal(at(1, 'canceled', {}), 'no canceled canceled')
  })

  it('of one that was ended stops at that moment, or earlier with the paid period', () => {
    assert.equal(at(END - 11, 'canceled', { periodEnd: END, endedAt: END - 10 }), 'yes canceled paid_until_period_end')
    assert.equal(at(END - 10, 'canceled', { periodEnd: END, endedAt: END - 10 }), 'no canceled canceled')
    assert.equal(at(END, 'canceled', { periodEnd: END, endedAt: END + DAY_MS }), 'no canceled canceled')
    assert.equal(at(END, 'canceled', { endedAt: END }), 'no canceled canceled')
  })

  it('of what the operator gave ends when it ends, without grace', () => {
    const given = { state: 'active', periodEnd: END, pastDueSince: undefined, endedAt: undefined, isGranted: true } as const
    assert.deepEqual(validityOf(given, 3), { graceFrom: undefined, accessUntil: END })
    assert.deepEqual(validityOf({ ...given, periodEnd: undefined }, 3), { graceFrom: undefined, accessUntil: FOREVER })
    assert.equal(entitlementOf({ ...given, accessUntil: END }, END).active, false)
  })

  it('is nobody’s who has not paid, or not kept paying', () => {
    const dates = { periodEnd: END, pastDueSince: END, endedAt: END }
    assert.equal(at(1, 'pending', dates), 'no pending payment_pending')
    assert.equal(at(1, 'expired', dates), 'no expired expired')
    assert.equal(at(1, 'refunded', dates), 'no refunded refunded')
    assert.equal(at(1, 'disputed', dates), 'no disputed disputed')
  })
})

describe('Days of grace', () => {
  it('are three for cards, five for boletos, seven for PIX, and the shortest where the method is not known', () => {
    assert.deepEqual([graceDays('card', {}), graceDays('boleto', {}), graceDays('pix', {}), graceDays(undefined, {})], [3, 5, 7, 3])
  })

  it('are the product’s own where it has them, none at all among them', () => {
    const own = { card: 0, pix: 30 }
    assert.deepEqual([graceDays('card', own), graceDays('boleto', own), graceDays('pix', own), graceDays(undefined, own)], [0, 5, 30, 0])
    const paid = { state: 'active', periodEnd: END, pastDueSince: undefined, endedAt: undefined, isGranted: false } as const
    assert.deepEqual(validityOf(paid, 0), { graceFrom: END, accessUntil: END })
    assert.deepEqual(validityOf({ ...paid, periodEnd: undefined }, 30), { graceFrom: undefined, accessUntil: FOREVER })
  })
})
