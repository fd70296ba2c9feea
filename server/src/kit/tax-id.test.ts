import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatTaxId, maskTaxId, mistypedTaxId, parseTaxId } from './tax-id.ts'

const CNPJ_VALID = [
  '12.ABC.345/01DE-35',
  'AA.345.678/0001-14',
  'AA.345.678/000A-29',
  '12.345.678/000A-08',
  '11.222.333/0001-81',
  '00.000.000/0001-91',
]
const CNPJ_INVALID = ['12.ABC.345/01DE-36', '12.ABC.345/01DE-3A', '11.222.333/0001-82', '11.222.333/0001-81x', '', '00.000.000/0000-00']
const CPF_VALID = ['529.982.247-25', '123.456.789-09']
const CPF_INVALID = ['111.111.111-11', '529.982.247-26', '529.982.247-25xyz', '123']

/** The rule as the Receita writes it, with its tables of weights instead of our running ones. */
function checkDigits(root: string, tables: readonly [number[], number[]]): string {
  const digitFor = (text: string, weights: number[]) => {
    const rest = weights.reduce((sum, weight, i) => sum + weight * (text.charCodeAt(i) - 48), 0) % 11
    return String(rest < 2 ? 0 : 11 - rest)
  }
  const first = digitFor(root, tables[0])
  return first + digitFor(root + first, tables[1])
}

const CPF_WEIGHTS = [
  [10, 9, 8, 7, 6, 5, 4, 3, 2],
  [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
] as const satisfies [readonly number[], readonly number[]]
const CNPJ_WEIGHTS = [
  [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
] as const satisfies [readonly number[], readonly number[]]

const isRepeated = (text: string) => /^(.)\1*$/.test(text)
const cpf = fc
  .stringMatching(/^\d{9}$/)
  .map((root) => root + checkDigits(root, [[...CPF_WEIGHTS[0]], [...CPF_WEIGHTS[1]]]))
  .filter((digits) => !isRepeated(digits))
const cnpj = fc
  .stringMatching(/^[0-9A-Z]{12}$/)
  .filter((root) => root !== '000000000000')
  .map((root) => root + checkDigits(root, [[...CNPJ_WEIGHTS[0]], [...CNPJ_WEIGHTS[1]]]))
  .filter((digits) => !isRepeated(digits))

describe('A tax id', () => {
  for (const text of CNPJ_VALID) it(`is accepted as a CNPJ: ${text}`, () => assert.equal(parseTaxId(text)?.kind, 'cnpj'))
  for (const text of CPF_VALID) it(`is accepted as a CPF: ${text}`, () => assert.equal(parseTaxId(text)?.kind, 'cpf'))
  for (const text of [...CNPJ_INVALID, ...CPF_INVALID]) it(`is refused: "${text}"`, () => assert.equal(parseTaxId(text), undefined))

  it('is read bare, printed, in small letters and between spaces, and always comes out the same', () => {
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj), (digits) => {
        const taxId = parseTaxId(digits)
        assert.equal(taxId?.digits, digits)
        assert.equal(taxId.kind, digits.length === 11 ? 'cpf' : 'cnpj')
        const printed = formatTaxId(taxId)
        for (const form of [printed, printed.toLowerCase(), ` ${digits.toLowerCase()}\t`]) assert.deepEqual(parseTaxId(form), taxId)
      }),
    )
  })

  it('with any other pair of check digits is refused', () => {
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj), fc.stringMatching(/^\d\d$/), (digits, other) => {
        fc.pre(!digits.endsWith(other))
        assert.equal(parseTaxId(digits.slice(0, -2) + other), undefined)
      }),
    )
  })

  it('with one digit mistyped is refused', () => {
    fc.assert(
      fc.property(cpf, fc.nat(10), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
        const wrong = digits.slice(0, at) + ((Number(digits[at]) + by) % 10) + digits.slice(at + 1)
        // The rule maps the sums 10 and 11 both to the digit 0, so that a few typos in the root do escape it; one in the check digits never
        // does.
        if (at >= 9) assert.equal(parseTaxId(wrong), undefined)
        else if (parseTaxId(wrong)) assert.match(wrong, /0\d$/)
      }),
    )
  })

  it('with its marks in other places, or digits of another script, is refused', () => {
    for (const text of [
      '5299.82.247-25',
      '529982247-25',
      '529.982.247.25',
      '52998224725-',
      '٥٢٩٩٨٢٢٤٧٢٥',
      '5 2998224725',
      '12.ABC.345/01DE35',
    ]) {
      assert.equal(parseTaxId(text), undefined, text)
    }
  })

  it('that has its form and wrong check digits is known from a phone and from other texts', () => {
    for (const text of ['529.982.247-26', '12345678900', '111.111.111-11', '119.888.877-77']) assert.equal(mistypedTaxId(text), 'cpf', text)
    for (const text of ['12.abc.345/01de-36', '11222333000182']) assert.equal(mistypedTaxId(text), 'cnpj', text)
    for (const text of [...CPF_VALID, ...CNPJ_VALID, '11988887777', '52998224726', '123', 'ana@example.com', 'assinaturasxx22'])
      assert.equal(mistypedTaxId(text), undefined, text)
  })

  it('is shown masked with no more than its middle', () => {
    fc.assert(
      fc.property(cpf, (digits) => {
        const taxId = parseTaxId(digits)
        assert.ok(taxId)
        const shown = maskTaxId(taxId).replace(/[^0-9]/g, '')
        assert.equal(shown, digits.slice(3, 9))
      }),
    )
    assert.equal(maskTaxId({ kind: 'cpf', digits: '52998224725' }), '***.982.247-**')
    assert.equal(maskTaxId({ kind: 'cnpj', digits: '12ABC34501DE35' }), '**.***.***/01DE-**')
  })
})
