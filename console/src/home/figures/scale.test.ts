import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scaleOf } from './scale.ts'

describe('The scale of a chart', () => {
  for (const [values, lines] of [
    [[], [0, 1]],
    [
      [0, 0],
      [0, 1],
    ],
    [
      [1, 2],
      [0, 1, 2],
    ],
    [
      [7, 12],
      [0, 5, 10, 15],
    ],
    [[39_900], [0, 20_000, 40_000]],
    [
      [-9_900, 14_000],
      [-10_000, -5_000, 0, 5_000, 10_000, 15_000],
    ],
    [[-3], [-3, -2, -1, 0]],
    [[1_000_000], [0, 500_000, 1_000_000]],
  ] as const)
    it(`has the lines ${lines.join(', ')} for ${values.join(', ') || 'nothing'}`, () => assert.deepEqual(scaleOf(values).lines, lines))

  it('holds every value, whatever it is', () => {
    for (let value = 1; value < 10_000_000; value = Math.ceil(value * 1.37)) {
      const { lowest, highest, lines } = scaleOf([value, -Math.floor(value / 3)])
      assert.ok(highest >= value && lowest <= -Math.floor(value / 3), String(value))
      assert.ok(lines.length <= 8, String(value))
    }
  })
})
