import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { centavos, centavosOfReais } from './money.ts'

describe('Decimal reais', () => {
  it('become centavos by their digits, as a number or as text', () => {
    const amounts: [unknown, number][] = [
      [19.9, 1990],
      ['19.9', 1990],
      [1.1, 110],
      [8.2, 820],
      [42.23, 4223],
      [1.005e3, 100_500],
      [100, 10_000],
      ['100', 10_000],
      ['0.10', 10],
      ['12.300000', 1230],
      [0, 0],
      ['0', 0],
      [0.01, 1],
      ['007.50', 750],
      [999_999_999_999.99, 99_999_999_999_999],
    ]
    for (const [reais, expected] of amounts) assert.equal(centavosOfReais(reais), expected, String(reais))
  })

  it('that are no amount, negative, or finer than a centavo are refused', () => {
    const others = [
      -1,
      '-1',
      0.001,
      '1.005',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e21,
      1e-7,
      '',
      ' 1',
      '1 ',
      '1,50',
      '1.',
      '.5',
      '1e3',
      '0x10',
      '1_000',
    ]
    for (const other of [...others, '1.5.0', '１', '1234567890123', null, undefined, true, {}, [], [1], 1n])
      assert.equal(centavosOfReais(other), undefined, String(other))
  })

  it('come back whole, whatever the amount and however it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e11 }), (amount) => {
        assert.equal(centavosOfReais(amount / 100), amount)
        assert.equal(centavosOfReais((amount / 100).toFixed(2)), amount)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('Centavos', () => {
  it('are whole numbers from zero up, and nothing else', () => {
    for (const amount of [0, 1, 12_356, Number.MAX_SAFE_INTEGER]) assert.equal(centavos(amount), amount)
    for (const other of [-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '100', null, undefined, {}, true, 1n])
      assert.equal(centavos(other), undefined, String(other))
  })
})
