import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { searchedTerms, searchTerms } from './index.ts'

describe('The words by which users are found', () => {
  it('have neither case nor accents, and an address is one of them', () => {
    assert.deepEqual(searchTerms('Ana-Flávia  Conceição', 'ana.souza@Example.com', undefined), [
      'ana',
      'flavia',
      'conceicao',
      'ana.souza@example.com',
      'souza',
    ])
  })

  it('are twelve at most, none of them empty or longer than an address', () => {
    const many = searchTerms(Array.from({ length: 50 }, (_, i) => `w${i}`).join(' '))
    assert.equal(many.length, 12)
    assert.deepEqual(searchTerms(' \u0000 -- ', ''), [])
    assert.deepEqual(searchTerms('an\u0000a@example.com'), ['an', 'a@example.com', 'a'])
    assert.equal(searchTerms('x'.repeat(10_000))[0]?.length, 254)
  })

  it('are searched for by five of them at most, the rarest first, and by none that another one says already', () => {
    assert.deepEqual(searchedTerms('an ana.souza@ex SOUZA a ana'), ['ana.souza@ex', 'souza'])
    assert.equal(searchedTerms('a1 b22 c333 d4444 e55555 f666666').join(' '), 'f666666 e55555 d4444 c333 b22')
  })
})
