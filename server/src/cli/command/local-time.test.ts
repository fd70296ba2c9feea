import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseSince } from './input.ts'
import { localTimeIn, momentIn } from './local-time.ts'

const AT = Date.parse('2026-11-23T02:47:18.999Z')

describe('A time as people read it', () => {
  it('is that of the zone, with its difference from UTC', () => {
    assert.equal(localTimeIn('America/Sao_Paulo')(AT), '2026-11-22 23:47:18 -03:00')
    assert.equal(localTimeIn('UTC')(AT), '2026-11-23 02:47:18 +00:00')
    assert.equal(localTimeIn('Asia/Kolkata')(AT), '2026-11-23 08:17:18 +05:30')
    assert.equal(localTimeIn('UTC')(undefined), undefined)
  })

  it('says which of the two hours it is when clocks go back', () => {
    const in_ = localTimeIn('Europe/Lisbon')
    assert.equal(in_(Date.parse('2026-10-25T00:30:00Z')), '2026-10-25 01:30:00 +01:00')
    assert.equal(in_(Date.parse('2026-10-25T01:30:00Z')), '2026-10-25 01:30:00 +00:00')
  })

  it('is found again from what clocks show, also on the days when they change', () => {
    for (const zone of ['UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Europe/Lisbon', 'Pacific/Auckland'])
      for (const local of ['2026-01-01T00:00', '2026-03-29T12:00', '2026-10-25T00:30', '2026-11-23T18:47:18'])
        assert.equal(localTimeIn(zone)(momentIn(zone, local)).slice(0, 16).replace(' ', 'T'), local.slice(0, 16), zone)
    assert.equal(momentIn('America/Sao_Paulo', '2026-11-23T00:00'), Date.parse('2026-11-23T03:00:00Z'))
  })

  it('is taken as it is shown, as a date, or with a zone of its own', () => {
    const at = Date.parse('2026-11-23T21:47:18Z')
    const given = [
      '2026-11-23 18:47:18 -03:00',
      '2026-11-23T18:47:18-03:00',
      '2026-11-23T21:47:18Z',
      '2026-11-23T18:47:18',
      '2026-11-23 18:47:18',
    ]
    for (const text of given) assert.equal(parseSince(text)?.('America/Sao_Paulo'), at, text)
    assert.equal(parseSince('2026-11-23')?.('America/Sao_Paulo'), Date.parse('2026-11-23T03:00:00Z'))
    for (const text of ['yesterday', '2026-13-01', '2026-11-23T25:00', '2026-11-23 -03:00']) assert.equal(parseSince(text), undefined, text)
  })

  it('has midnight at the beginning of its day', () => {
    assert.equal(localTimeIn('America/Sao_Paulo')(Date.parse('2026-11-23T03:00:00Z')), '2026-11-23 00:00:00 -03:00')
  })
})
