import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addCycles, nextOf } from './calendar.ts'

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)
const month = { count: 1, unit: 'months' } as const

describe('The period of a subscription', () => {
  it('M3: is counted by the calendar, and ends with a month that is too short', () => {
    const rows = [
      ['2026-01-31', month, 1, '2026-02-28'],
      ['2028-01-31', month, 1, '2028-02-29'],
      ['2026-11-15', { count: 3, unit: 'months' }, 1, '2027-02-15'],
      ['2026-03-31', month, -1, '2026-02-28'],
      ['2026-11-15', { count: 12, unit: 'months' }, 1, '2027-11-15'],
      ['2026-02-27', { count: 7, unit: 'days' }, 1, '2026-03-06'],
      ['2026-11-15', month, 0, '2026-11-15'],
    ] as const
    for (const [from, cycle, cycles, to] of rows)
      assert.equal(new Date(addCycles(at(from), cycle, cycles)).toISOString(), new Date(at(to)).toISOString())
  })

  it('M3: ends on the first day of billing after a time, from whichever of them is known', () => {
    for (const known of ['2025-01-10', '2026-10-10', '2026-11-10', '2026-12-10', '2031-05-10'])
      assert.equal(nextOf(at(known), month, at('2026-11-10')), at('2026-12-10'), known)
    assert.equal(nextOf(at('2026-11-10'), month, at('2026-11-09')), at('2026-11-10'))
    assert.equal(nextOf(at('2026-11-10'), { count: 1, unit: 'days' }, at('2026-11-12')), at('2026-11-13'))
    // February, from which the length of a cycle is taken, is the shortest month.
    assert.equal(nextOf(Date.UTC(2009, 1, 13), month, Date.UTC(2025, 10, 19)), Date.UTC(2025, 11, 13))
  })
})
