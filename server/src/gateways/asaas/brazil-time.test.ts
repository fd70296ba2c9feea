import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DAY_MS } from '../../kit/index.ts'
import { endOfBrazilDay, parseBrazilTime, startOfBrazilDay, toBrazilDay } from './brazil-time.ts'

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

describe('A time of Brasília', () => {
  it('is three hours behind UTC', () => {
    assert.equal(iso(parseBrazilTime('2024-06-12 16:45:03')), '2024-06-12T19:45:03.000Z')
    assert.equal(iso(parseBrazilTime('2026-12-31 23:59:59')), '2027-01-01T02:59:59.000Z')
    assert.equal(iso(parseBrazilTime('2028-02-29 00:00:00')), '2028-02-29T03:00:00.000Z')
  })

  it('of a summer with daylight saving time is read like any other', () => {
    assert.equal(iso(parseBrazilTime('2018-12-01 12:00:00')), '2018-12-01T15:00:00.000Z')
  })

  it('is nothing but that form, and within the day', () => {
    const others = ['', '2024-06-12', '2024-06-12T16:45:03', '2024-06-12 16:45:03Z', '2024-06-12 24:00:00', '2024-06-12 10:60:00']
    for (const other of [...others, '2024-06-12 10:00:60', '2026-02-31 10:00:00', '12/06/2024 10:00:00', ' 2024-06-12 16:45:03', undefined])
      assert.equal(parseBrazilTime(other), undefined, other)
  })
})

describe('A day in Brasília', () => {
  it('begins and ends at three in the morning of UTC, in either form', () => {
    for (const day of ['2024-11-22', '22/11/2024']) {
      assert.equal(iso(startOfBrazilDay(day)), '2024-11-22T03:00:00.000Z')
      assert.equal(iso(endOfBrazilDay(day)), '2024-11-23T03:00:00.000Z')
    }
  })

  it('that is in no calendar is no day', () => {
    const impossible = [
      '31/02/2026',
      '2026-02-31',
      '29/02/2026',
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '31/04/2026',
      '00/01/2026',
    ]
    for (const day of [...impossible, '2026-1-1', '1/1/2026', '2026/01/01', '20260101', '', 'today', '2026-01-01 ', undefined]) {
      assert.equal(startOfBrazilDay(day), undefined, day)
      assert.equal(endOfBrazilDay(day), undefined, day)
    }
    assert.equal(iso(startOfBrazilDay('29/02/2028')), '2028-02-29T03:00:00.000Z')
  })

  it('holds every moment of it, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2199, 11) }), (at) => {
        const [start, end] = [startOfBrazilDay(toBrazilDay(at)) ?? Number.NaN, endOfBrazilDay(toBrazilDay(at)) ?? Number.NaN]
        assert.ok(start <= at && at < end)
        assert.equal(end - start, DAY_MS)
      }),
    )
  })
})
