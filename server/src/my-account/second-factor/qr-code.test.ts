import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { encode } from 'uqr'
import { qrCode } from './qr-code.ts'

describe('A square code', () => {
  it('has every dark module of its text, none besides, and four light ones around', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 120 }), (text) => {
        const { side, path } = qrCode(text)
        const { data, size } = encode(text, { border: 0 })
        assert.equal(side, size + 8)
        assert.deepEqual(darkIn(path), data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x + 4} ${y + 4}`] : []))).sort())
      }),
    )
  })
})

/** The modules that a path covers, each once. */
function darkIn(path: string): string[] {
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)]
  assert.equal(runs.map(([run]) => run).join(''), path)
  return runs
    .flatMap(([, x, y, length, back]) => {
      assert.equal(length, back)
      return Array.from({ length: Number(length) }, (_, i) => `${Number(x) + i} ${y}`)
    })
    .sort()
}
