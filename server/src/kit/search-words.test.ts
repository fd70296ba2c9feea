import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { searchWords } from './index.ts'

describe('The words by which people are found', () => {
  it('have neither case nor accents, and an address is one of them', () => {
    assert.deepEqual(searchWords('Ana-Flávia  Conceição', 'ana.souza@Example.com', undefined), [
      'ana',
      'flavia',
      'conceicao',
      'ana.souza@example.com',
      'souza',
    ])
  })

  it('are twelve at most, none of them empty or longer than an address', () => {
    const many = searchWords(Array.from({ length: 50 }, (_, i) => `w${i}`).join(' '))
    assert.equal(many.length, 12)
    assert.deepEqual(searchWords(' \u0000 -- ', ''), [])
    assert.equal(searchWords('x'.repeat(10_000))[0]?.length, 254)
  })
})
