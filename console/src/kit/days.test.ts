import assert from 'node:assert/strict'
import { it } from 'node:test'
import { dayOf, endOfDay, fieldOf, momentOf, startOfDay } from './days.ts'

it('A day of a filter begins and ends at midnight of the operator, wherever the browser is', () => {
  const own = process.env.TZ
  try {
    for (const browser of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles']) {
      process.env.TZ = browser
      assert.equal(startOfDay('2026-11-21', 'America/Sao_Paulo'), '2026-11-21T03:00:00.000Z', browser)
      assert.equal(endOfDay('2026-11-21', 'America/Sao_Paulo'), '2026-11-22T02:59:59.999Z', browser)
      assert.equal(dayOf('2026-11-22T02:59:59.999Z', 'America/Sao_Paulo'), '2026-11-21', browser)
      assert.equal(fieldOf('2026-11-22T02:30:00.000Z', 'America/Sao_Paulo'), '2026-11-21T23:30', browser)
      assert.equal(momentOf('2026-11-21T23:30', 'America/Sao_Paulo'), '2026-11-22T02:30:00.000Z', browser)
    }
  } finally {
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  }
})

it('A day on which clocks change has 23 or 25 hours', () => {
  const hoursOf = (day: string, zone: string) =>
    (Date.parse(endOfDay(day, zone) ?? '') + 1 - Date.parse(startOfDay(day, zone) ?? '')) / 3_600_000
  assert.equal(hoursOf('2026-03-29', 'Europe/Lisbon'), 23)
  assert.equal(hoursOf('2026-10-25', 'Europe/Lisbon'), 25)
  assert.equal(hoursOf('2026-11-21', 'America/Sao_Paulo'), 24)
  // The clocks of Brazil went forward at midnight: that day began at one.
  assert.equal(startOfDay('2018-11-04', 'America/Sao_Paulo'), '2018-11-04T03:00:00.000Z')
  assert.equal(startOfDay('2026-03-29', 'Asia/Beirut'), '2026-03-28T22:00:00.000Z')
  assert.equal(startOfDay('2026-03-08', 'America/Havana'), '2026-03-08T05:00:00.000Z')
  assert.equal(hoursOf('2018-11-04', 'America/Sao_Paulo'), 23)
  assert.equal(dayOf(endOfDay('2018-11-03', 'America/Sao_Paulo') ?? '', 'America/Sao_Paulo'), '2018-11-03')
})

it('A moment beside a change of clocks is the one that the clock shows', () => {
  assert.equal(momentOf('2026-03-08T03:30', 'America/New_York'), '2026-03-08T07:30:00.000Z')
  assert.equal(momentOf('2026-03-08T01:30', 'America/New_York'), '2026-03-08T06:30:00.000Z')
  assert.equal(momentOf('2026-11-01T03:30', 'America/New_York'), '2026-11-01T08:30:00.000Z')
})

it('What is no day, and no moment, is none', () => {
  assert.deepEqual([startOfDay('', 'UTC'), endOfDay('2026-13-01', 'UTC'), momentOf('2026-11-21', 'UTC')], [undefined, undefined, undefined])
  assert.deepEqual([dayOf('', 'UTC'), fieldOf('yesterday', 'UTC')], ['', ''])
})
