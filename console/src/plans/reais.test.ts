import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatReais, parseReais } from './reais.ts'

describe('A price in a form', () => {
  it('is shown with two digits of centavos, as the language writes them', () => {
    assert.deepEqual(
      [formatReais(3990, 'pt-BR'), formatReais(3990, 'es'), formatReais(3990, 'en'), formatReais(123_450, 'pt-BR')],
      ['39,90', '39,90', '39.90', '1234,50'],
    )
  })

  it('is understood with comma or point, and counted to the centavo', () => {
    const typed = ['39,90', '39.9', '39', '0', '0,07', '1.234,50', '1,234.50', '1.234', 'R$ 29,90', '8,95', '']
    assert.deepEqual(typed.map(parseReais), [3990, 3990, 3900, 0, 7, 123_450, 123_450, 123_400, 2990, 895, null])
  })

  it('is no guess: what is no amount is none', () => {
    for (const typed of ['-1', 'x', '1,234,5', '12.34.56', '1,', '1e3', '39,999,99']) assert.ok(Number.isNaN(parseReais(typed)), typed)
  })
})
