import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findWeakness } from './password-strength.ts'

describe('The judgement of a password', () => {
  it('takes names and addresses for what is guessed first', async () => {
    assert.equal(await findWeakness('anaflavia99', ['Ana Flávia', 'ana@exemplo.com.br']), 'personal')
    assert.equal(await findWeakness('girassol azul no telhado', ['Ana Flávia', 'ana@exemplo.com.br']), undefined)
  })

  it('looks at no more of a name than an address may be long, so that nobody makes all others wait with a book', async () => {
    const book = `${'livro '.repeat(60)} girassol azul telhado`
    assert.equal(await findWeakness('girassol azul no telhado', [book.slice(-40)]), 'personal')
    assert.equal(await findWeakness('girassol azul no telhado', [book]), undefined)
  })

  it('looks at no more of a password than forty characters', async () => {
    assert.equal(await findWeakness(`${'a'.repeat(40)} girassol azul no telhado`, []), 'common')
    assert.equal(await findWeakness(`${'a'.repeat(15)} girassol azul no telhado`, []), undefined)
  })
})
