import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BoundedMap } from './bounded-map.ts'

it('A bounded map forgets what was set first, and what is set again is set last', () => {
  const map = new BoundedMap<string, number>()
  map.set('a', 1)
  map.set('b', 2)
  for (let n = 2; n < 10_000; n++) map.set(`${n}`, n)
  map.set('a', 3)
  map.set('c', 4)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => map.get(key)),
    [3, undefined, 4],
  )
  map.delete('a')
  map.set('d', 5)
  assert.deepEqual(
    ['a', '2', 'c', 'd', map.size].map((key) => (typeof key === 'string' ? map.get(key) : key)),
    [undefined, 2, 4, 5, 10_000],
  )
})
