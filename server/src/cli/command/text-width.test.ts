import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { table } from './layout.ts'
import { shortText, spacesAfter, textWidth } from './text-width.ts'

describe('The width of a text at a terminal', () => {
  const widths = {
    'Ana Souza': 9,
    '': 0,
    Conceição: 9,
    'Conceic\u{327}a\u{303}o': 9,
    日本語: 6,
    한국: 4,
    ｱｲ: 2,
    '１２': 4,
    '😀': 2,
    '👍🏽': 2,
    '👨‍👩‍👧': 2,
    '🇧🇷': 2,
    '1️⃣': 2,
    '❤️ Ana': 6,
    'a\u{200b}b': 2,
  }
  for (const [text, width] of Object.entries(widths))
    it(`of ${JSON.stringify(text)} is ${width}`, () => assert.equal(textWidth(text), width))

  it('keeps the columns of a table straight', () => {
    const rows = [
      ['1', '山田太郎', 'pro'],
      ['2', 'Zoe\u{308}', 'basic'],
      ['3', '👨‍👩‍👧 🇧🇷', 'pro'],
    ]
    assert.equal(
      stripVTControlCharacters(table(['id', 'name', 'plan'], rows)),
      ['ID  NAME      PLAN', '1   山田太郎  pro', '2   Zoe\u{308}       basic', '3   👨‍👩‍👧 🇧🇷     pro'].join('\n'),
    )
  })

  it('is what spaces are counted from, and what is cut is never half a character', () => {
    assert.equal(spacesAfter('語', 4), '  ')
    assert.equal(spacesAfter('long', 2), '')
    assert.equal(shortText('ab👍🏽cd', 4), 'ab👍🏽…')
    assert.equal(shortText('ab👍🏽c', 4), 'ab👍🏽c')
  })
})
