import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '../kit/index.ts'
import { dayIn, daysBetween, periodOf, plusDays, startOfDay } from './days.ts'
import { parseMonth } from './month.ts'
import { monthlyAmount } from './monthly-amount.ts'
import { parseZone } from './zone.ts'

describe('Days of the operator', () => {
  for (const [zone, time, day] of [
    // The clocks went back at 02:00 on 1 November 2026: the day has 25 hours.
    ['America/New_York', '2026-11-01T03:59:59Z', '2026-10-31'],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T05:00:00Z', '2026-11-02'],
    // They went forward at midnight: 4 November 2018 began at 01:00.
    ['America/Sao_Paulo', '2018-11-04T02:59:59Z', '2018-11-03'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-04'],
    ['America/Sao_Paulo', '2018-11-05T01:59:59Z', '2018-11-04'],
    ['America/Sao_Paulo', '2018-11-05T02:00:00Z', '2018-11-05'],
    ['Asia/Kathmandu', '2026-10-31T18:14:59Z', '2026-10-31'],
    ['Asia/Kathmandu', '2026-10-31T18:15:00Z', '2026-11-01'],
    ['UTC', '2026-02-28T23:59:59.999Z', '2026-02-28'],
  ] as const)
    it(`${time} is on ${day} in ${zone}`, () => assert.equal(dayIn(zone)(Date.parse(time)), day))

  it('begin at their first moment, be it midnight or not', () => {
    const starts = [
      ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
      ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
      ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
      ['America/Sao_Paulo', '2018-11-05', '2018-11-05T02:00:00.000Z'],
      ['Pacific/Kiritimati', '2026-10-01', '2026-09-30T10:00:00.000Z'],
      ['Asia/Kathmandu', '2026-11-01', '2026-10-31T18:15:00.000Z'],
    ] as const
    for (const [zone, day, time] of starts) assert.equal(new Date(startOfDay(day, zone)).toISOString(), time, `${day} in ${zone}`)
    assert.deepEqual([plusDays('2026-03-01', -1), plusDays('2026-12-31', 1)], ['2026-02-28', '2027-01-01'])
  })

  it('make months of all lengths', () => {
    for (const [month, today, from, to, state, ...before] of [
      ['2028-02', '2028-06-01', '2028-02-01', '2028-02-29', 'over', '2028-01-01', '2028-01-31'],
      ['2026-12', '2027-01-01', '2026-12-01', '2026-12-31', 'over', '2026-11-01', '2026-11-30'],
      ['2026-01', '2026-01-20', '2026-01-01', '2026-01-20', 'begun', '2025-12-01', '2025-12-20'],
      // February has no 30th, and the last day of a month stands beside the whole month before.
      ['2026-03', '2026-03-30', '2026-03-01', '2026-03-30', 'begun', '2026-02-01', '2026-02-28'],
      ['2026-02', '2026-02-28', '2026-02-01', '2026-02-28', 'begun', '2026-01-01', '2026-01-31'],
      ['2026-04', '2026-03-30', '2026-04-01', '2026-04-01', 'to_come', '2026-03-01', '2026-03-31'],
    ] as const)
      assert.deepEqual(periodOf(month, today), { from, to, state, before: { from: before[0], to: before[1] } }, `${month} on ${today}`)
    assert.deepEqual(daysBetween('2026-02-27', '2026-03-02'), ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  })

  it('are of a zone of the tz database, and months are written in one way', () => {
    assert.deepEqual(['america/manaus', 'UTC', 'Mars/Olympus', '', 'x'.repeat(9)].map(parseZone), [
      ...['America/Manaus', 'UTC'],
      ...[undefined, undefined, undefined],
    ])
    const months = ['2026-10', '2026-1', '2026-13', '26-10', '2026-10-01', '']
    assert.deepEqual(months.map(parseMonth), ['2026-10', undefined, undefined, undefined, undefined, undefined])
  })
})

describe('A payment for a month', () => {
  for (const [days, amount, monthly] of [
    [365, 39_900, 3_325],
    [366, 39_900, 3_325],
    [28, 4_900, 4_900],
    [31, 4_900, 4_900],
    [92, 14_700, 4_900],
    [181, 29_400, 4_900],
    // 7 days: 30.436875 / 7 = 4.348125 weeks.
    [7, 1_000, 4_348],
    [21, 3_300, 4_783],
    [45, 9_000, 6_087],
  ] as const)
    it(`of ${amount} for ${days} days is ${monthly}`, () => {
      assert.equal(monthlyAmount(amount, { begin: 0, end: days * DAY_MS }), monthly)
    })

  it('by due days alone is for a day less, since it goes to the end of the next due day', () => {
    const begin = Date.parse('2026-11-02T00:00:00-03:00')
    const until = (days: number, more: object = { isByDueDays: true }) => ({ begin, end: begin + days * DAY_MS, ...more })
    assert.equal(monthlyAmount(1_000, until(8)), 4_348)
    assert.equal(monthlyAmount(2_000, until(15)), 4_348)
    // A due day that was moved by one.
    assert.equal(monthlyAmount(1_000, until(9)), 3_805)
    // A period that begins at another time of day has as many days as it states.
    assert.equal(monthlyAmount(2_000, { ...until(15), begin: begin + 1, end: begin + 1 + 15 * DAY_MS }), 4_058)
    // So has that of another sender, midnight to midnight.
    assert.equal(monthlyAmount(2_000, until(15, {})), 4_058)
    assert.equal(monthlyAmount(1_000, until(8, {})), 3_805)
  })

  it('is not known without an end', () => {
    assert.equal(monthlyAmount(4_900, { begin: 0, end: Number.POSITIVE_INFINITY }), undefined)
    assert.equal(monthlyAmount(4_900, { begin: 5, end: 5 }), undefined)
  })
})
