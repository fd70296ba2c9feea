import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isUuid, newId, timeOfId } from './ids.ts'

describe('An id', () => {
  it('is a UUID of version 7 with the time at which it was made', () => {
    const before = Date.now()
    const id = newId()
    assert.ok(isUuid(id) && id[14] === '7', id)
    assert.ok(timeOfId(id) >= before && timeOfId(id) <= Date.now(), id)
  })

  it('comes after those made before it, in one millisecond and when the clock goes back', ({ mock }) => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })
    const ids = Array.from({ length: 5_000 }, (_, at) => {
      if (at === 2_000) mock.timers.setTime(Date.now() - 30_000)
      if (at === 4_000) mock.timers.setTime(Date.now() + 31_000)
      return newId()
    })
    assert.deepEqual(ids, [...new Set(ids)].sort())
  })

  it('ends in bits that no other id reveals', () => {
    const ends = Array.from({ length: 5_000 }, () => newId().slice(-10))
    assert.equal(new Set(ends).size, ends.length)
    for (let bit = 0; bit < 40; bit++) {
      const ones = ends.filter((end) => (BigInt(`0x${end}`) >> BigInt(bit)) & 1n).length
      assert.ok(ones > 2_200 && ones < 2_800, `bit ${bit} is set in ${ones} of ${ends.length}`)
    }
  })
})
