import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BoundedMap } from './bounded-map.ts'

it('A bounded map forgets what was set first, and what is set again is set last', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => map.get(key)),
    [3, undefined, 4],
  )
  map.delete('a')
  map.set('d', 5)
  assert.deepEqual(
    ['a', 'c', 'd'].map((key) => map.get(key)),
    [undefined, 4, 5],
  )
})
