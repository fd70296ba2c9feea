import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysInMonth, formatDay, formatDays, formatMonth, listMonths, OLDEST_MONTH, plusMonths, readMonth } from './month.ts'

describe('The month of the home', () => {
  it('comes from the address, or is none', () => {
    assert.equal(readMonth('2026-10'), '2026-10')
    for (const text of [null, '', '2026-13', '2026-1', '1826-10', 'now', '2026-10-01'])
      assert.equal(readMonth(text), undefined, String(text))
    assert.equal(readMonth(OLDEST_MONTH), OLDEST_MONTH)
    assert.equal(readMonth(plusMonths(OLDEST_MONTH, -1)), undefined)
  })

  it('has a month before and after it, across years', () => {
    assert.deepEqual([plusMonths('2026-01', -1), plusMonths('2026-12', 1), plusMonths('2026-03', -3)], ['2025-12', '2027-01', '2025-12'])
    assert.deepEqual(['2026-02', '2028-02', '2026-10'].map(daysInMonth), [28, 29, 31])
  })

  it('is chosen from the last three years, and one that is older stays in the list', () => {
    const months = listMonths('2026-11', '2026-10')
    assert.deepEqual([months.length, months[0], months.at(-1)], [36, '2026-11', '2023-12'])
    assert.equal(listMonths('2026-11', '2019-05').at(-1), '2019-05')
  })

  it('is the same whatever the zone of the browser', () => {
    const zone = process.env.TZ
    for (const other of ['America/Sao_Paulo', 'Pacific/Kiritimati', 'UTC']) {
      process.env.TZ = other
      assert.equal(formatMonth('2026-10', 'pt-BR'), 'outubro de 2026', other)
      assert.equal(formatDay('2026-10-01', 'pt-BR'), '1 de out.', other)
      assert.match(formatDays('2026-11-01', '2026-11-23', 'pt-BR'), /^1\s?–\s?23 de novembro de 2026$/, other)
      assert.equal(formatDays('2026-11-01', '2026-11-01', 'en'), 'November 1, 2026', other)
    }
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
})
