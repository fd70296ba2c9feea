import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { together } from './together.ts'

describe('Events of the past', () => {
  it('stand together where they share a name, also by others, in the order of time', () => {
    const of = (at: number, ...names: string[]) => ({ at, names })
    const [a, b, c, d, e] = [of(3, 'ana', 'p1'), of(1, 'bia'), of(2, 's1', 'p1'), of(1, 's1'), of(0)]
    assert.deepEqual(together([a, b, c, d, e]), [[d, c, a], [b], [e]])
  })

  it('are each in one group, and no name in two', () => {
    const name = fc.constantFrom(...'abcdefghij')
    const events = fc.array(fc.record({ at: fc.nat(20), names: fc.array(name, { maxLength: 3 }) }), { maxLength: 40 })
    fc.assert(
      fc.property(events, (all) => {
        const groups = together(all)
        assert.deepEqual(new Set(groups.flat()), new Set(all))
        assert.equal(groups.flat().length, all.length)
        const names = groups.flatMap((group) => [...new Set(group.flatMap((one) => one.names))])
        assert.equal(new Set(names).size, names.length)
        for (const group of groups) assert.ok(group.every(({ at }, i) => at >= (group[i - 1]?.at ?? 0)))
      }),
    )
  })
})
