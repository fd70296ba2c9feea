import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BoundedMap } from './bounded-map.ts'

describe('A bounded map', () => {
  it('lets the entry that was written first go when it is full, and says so', () => {
    const evicted: string[] = []
    const map = new BoundedMap<number, string>(2, (value) => evicted.push(value))
    map.set(1, 'a')
    map.set(2, 'b')
    assert.equal(map.get(1), 'a')
    map.set(3, 'c')
    assert.deepEqual(evicted, ['a'])
    assert.deepEqual([map.get(1), map.get(2), map.get(3), map.size], [undefined, 'b', 'c', 2])
  })

  it('gives up a replaced value, and counts its key as written last', () => {
    const evicted: string[] = []
    const map = new BoundedMap<number, string>(2, (value) => evicted.push(value))
    map.set(1, 'a')
    map.set(2, 'b')
    map.set(1, 'A')
    map.set(3, 'c')
    assert.deepEqual(evicted, ['a', 'b'])
    assert.equal(map.get(1), 'A')
  })

  it('holds what the last writes say and never more than its limit', () => {
    const write = fc.record({ kind: fc.constantFrom('set', 'delete', 'clear'), key: fc.nat(12), value: fc.nat() })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(write, { maxLength: 200 }), (limit, writes) => {
        const map = new BoundedMap<number, number>(limit)
        let model: Array<[number, number]> = []
        for (const { kind, key, value } of writes) {
          if (kind === 'clear') {
            map.clear()
            model = []
            continue
          }
          model = model.filter(([known]) => known !== key)
          if (kind === 'set') {
            model = [...model, [key, value] satisfies [number, number]].slice(-limit)
            map.set(key, value)
          } else map.delete(key)
        }
        assert.equal(map.size, model.length)
        for (let key = 0; key <= 12; key++) assert.equal(map.get(key), model.find(([known]) => known === key)?.[1])
      }),
    )
  })
})
