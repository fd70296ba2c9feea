import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { layOut, table } from './layout.ts'
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
      stripVTControlCharacters(layOut(table(['id', 'name', 'plan'], rows))),
      ['ID  NAME      PLAN', '1   山田太郎  pro', '2   Zoe\u{308}       basic', '3   👨‍👩‍👧 🇧🇷     pro'].join('\n'),
    )
  })

  it('is what a table has at a narrow terminal: ids stand whole on their own lines, and the widest texts are cut', () => {
    const rows = [
      ['01a220c3', '2026-11-28 03:07:46 -03:00', 'João da Silva e Souza', 'pro'],
      ['01a220c4', '2026-11-28 03:07:46 -03:00', '山田太郎 山田太郎', 'pro'],
    ]
    const shown = (columns: number, headings = ['id', 'at', 'name', 'plan']) =>
      stripVTControlCharacters(layOut(table(headings, rows), columns)).split('\n')
    assert.deepEqual(shown(65), shown(Number.POSITIVE_INFINITY))
    assert.deepEqual(shown(48), [
      ...['AT                          NAME            PLAN', '  ID'],
      ...['2026-11-28 03:07:46 -03:00  João da Silva…  pro', '  01a220c3'],
      ...['2026-11-28 03:07:46 -03:00  山田太郎 山田…  pro', '  01a220c4'],
    ])
    assert.deepEqual(shown(20).slice(0, 4), shown(44).slice(0, 4), 'no column becomes narrower than ten')
    assert.deepEqual(shown(48, ['id', 'at', 'says', 'plan'])[2], '2026-11-28 03:07:46 -03:00  João da Silva e Souza  pro')
    assert.deepEqual(
      stripVTControlCharacters(layOut(table(['name', 'why', 'plan'], [['João da Silva e Souza', '', 'pro']]), 20)),
      ['NAME            PLAN', 'João da Silva…  pro'].join('\n'),
    )
  })

  it('is what spaces are counted from, and what is cut is never half a character', () => {
    assert.equal(spacesAfter('語', 4), '  ')
    assert.equal(spacesAfter('long', 2), '')
    assert.equal(shortText('ab👍🏽cd', 4), 'ab👍🏽…')
    assert.equal(shortText('ab👍🏽c', 4), 'ab👍🏽c')
  })
})
